import {
  acceptCorrectionInput,
  appointRepresentativeInput,
  listCohortQuery,
  listCorrectionsQuery,
  proposeCorrectionInput,
} from "#worker/contract/alumni/representative-input.ts";
import { reasonInput } from "#worker/contract/kernel/fields.ts";
import { listCohort, proposeCorrection, withdrawCorrection } from "#worker/domain/alumni/cohort.server.ts";
import { acceptCorrection, listCorrections, refuseCorrection } from "#worker/domain/alumni/correction.server.ts";
import { appointRepresentative, listRepresentatives } from "#worker/domain/alumni/representative.server.ts";
import { requireAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, contextCall, creatingCall, fromBody, fromQuery, pathId, scopeCall } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

/** What the representative of a cohort sees and proposes. */
export const cohortApi = apiRoutes()
  .get("/", scopeCall(listCohort, fromQuery(listCohortQuery)))
  .put(
    "/person/:id/correction",
    requireAccess({ action: "Alumni.Represent", cohort: "any" }),
    creatingCall(proposeCorrection, pathId, fromBody(proposeCorrectionInput)),
  )
  .delete("/correction/:id", requireSignIn, contextCall(withdrawCorrection, pathId));

/** Who represents which cohort. */
export const adminRepresentativeApi = apiRoutes()
  .get("/", scopeCall(listRepresentatives))
  .put("/", recentSecondFactor, creatingCall(appointRepresentative, fromBody(appointRepresentativeInput)));

/** What representatives propose, for the office to decide. */
export const adminCorrectionApi = apiRoutes()
  .get("/", scopeCall(listCorrections, fromQuery(listCorrectionsQuery)))
  .post("/:id/accept", contextCall(acceptCorrection, pathId, fromBody(acceptCorrectionInput, "version")))
  .post("/:id/refuse", contextCall(refuseCorrection, pathId, fromBody(reasonInput, "reason")));
