import * as input from "#worker/contract/alumni/representative-input.ts";
import { reasonInput } from "#worker/contract/kernel/fields.ts";
import { appointRepresentative, listCohort, listRepresentatives } from "#worker/domain/alumni/cohort.server.ts";
import {
  acceptCorrection,
  listCorrections,
  proposeCorrection,
  refuseCorrection,
  withdrawCorrection,
} from "#worker/domain/alumni/correction.server.ts";
import { decideHeldAddress, listHeldAddresses } from "#worker/domain/alumni/held-address.server.ts";
import { recentSecondFactor, requireAccess, requireSignIn } from "../kernel/access.ts";
import { apiRoutes, creatingCall, readCall, sent, writeCall } from "../kernel/call.ts";

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
  .get("/held", readCall(listHeldAddresses, sent.query(input.listHeldAddressesQuery)))
  .post("/held/:id", writeCall(decideHeldAddress, sent.id, sent.body(input.decideHeldAddressInput)))
  .post("/:id/accept", writeCall(acceptCorrection, sent.id, sent.body(input.acceptCorrectionInput, "version")))
  .post("/:id/refuse", writeCall(refuseCorrection, sent.id, sent.body(reasonInput, "reason")));
