import * as input from "#worker/contract/content/agreement-input.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { withdrawAnnouncedAgreement } from "#worker/domain/content/agreement-announced.server.ts";
import * as agreements from "#worker/domain/content/agreement.server.ts";
import { apiRoutes, writeCall, creatingCall, readCall, sent } from "../kernel/call.ts";

export const adminAgreementApi = apiRoutes()
  .get("/", readCall(agreements.listAgreements))
  .put(
    "/",
    creatingCall(agreements.publishAgreement, sent.bodyWithin(SIZE_LIMITS.postBytes, input.publishAgreementInput)),
  )
  .get("/:code/:version", readCall(agreements.getAgreement, sent.path(input.agreementPath)))
  .post("/:code/:version/withdraw", writeCall(withdrawAnnouncedAgreement, sent.path(input.agreementPath)))
  .post(
    "/:code/close",
    writeCall(
      agreements.closeAgreement,
      sent.path(input.agreementCodePath, "code"),
      sent.body(input.closeAgreementInput),
    ),
  );
