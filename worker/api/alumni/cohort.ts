import * as input from "#worker/contract/alumni/representative-input.ts";
import { reasonInput } from "#worker/contract/kernel/fields.ts";
import { listCohort } from "#worker/domain/alumni/cohort.server.ts";
import { proposeCorrection, withdrawCorrection } from "#worker/domain/alumni/propose-correction.server.ts";
import { acceptCorrection, listCorrections, refuseCorrection } from "#worker/domain/alumni/correction.server.ts";
import { appointRepresentative, listRepresentatives } from "#worker/domain/alumni/representative.server.ts";
import { requireAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const cohortApi = apiRoutes()
  .get("/", readCall(listCohort, sent.query(input.listCohortQuery)))
  .put(
    "/person/:id/correction",
    requireAccess({ action: "Alumni.Represent", cohort: "any" }),
    creatingCall(proposeCorrection, sent.id, sent.body(input.proposeCorrectionInput)),
  )
  .delete("/correction/:id", requireSignIn, writeCall(withdrawCorrection, sent.id));

export const adminRepresentativeApi = apiRoutes()
  .get("/", readCall(listRepresentatives))
  .put("/", recentSecondFactor, creatingCall(appointRepresentative, sent.body(input.appointRepresentativeInput)));

export const adminCorrectionApi = apiRoutes()
  .get("/", readCall(listCorrections, sent.query(input.listCorrectionsQuery)))
  .post("/:id/accept", writeCall(acceptCorrection, sent.id, sent.body(input.acceptCorrectionInput, "version")))
  .post("/:id/refuse", writeCall(refuseCorrection, sent.id, sent.body(reasonInput, "reason")));
