import * as input from "#worker/contract/content/agreement-input.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { withdrawAnnouncedAgreement } from "#worker/domain/content/agreement-announced.server.ts";
import * as agreements from "#worker/domain/content/agreement.server.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";

export const adminAgreementApi = apiRoutes()
  .get("/", scopeCall(agreements.listAgreements))
  .put(
    "/",
    creatingCall(agreements.publishAgreement, sent.bodyWithin(SIZE_LIMITS.postBytes, input.publishAgreementInput)),
  )
  .get("/:code/:version", scopeCall(agreements.getAgreement, sent.path(input.agreementPath)))
  .post("/:code/:version/withdraw", contextCall(withdrawAnnouncedAgreement, sent.path(input.agreementPath)))
  .post(
    "/:code/close",
    contextCall(
      agreements.closeAgreement,
      sent.path(input.agreementCodePath, "code"),
      sent.body(input.closeAgreementInput),
    ),
  );
