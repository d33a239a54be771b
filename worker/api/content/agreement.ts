import * as input from "#worker/contract/content/agreement-input.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { withdrawAnnouncedAgreement } from "#worker/domain/content/agreement-announced.server.ts";
import * as agreements from "#worker/domain/content/agreement.server.ts";
import { apiRoutes, scopeCall, contextCall, creatingCall, fromPath, fromBody, fromBodyWithin } from "../kernel/call.ts";

export const adminAgreementApi = apiRoutes()
  .get("/", scopeCall(agreements.listAgreements))
  .put(
    "/",
    creatingCall(agreements.publishAgreement, fromBodyWithin(SIZE_LIMITS.postBytes, input.publishAgreementInput)),
  )
  .get("/:code/:version", scopeCall(agreements.getAgreement, fromPath(input.agreementPath)))
  .post("/:code/:version/withdraw", contextCall(withdrawAnnouncedAgreement, fromPath(input.agreementPath)))
  .post(
    "/:code/close",
    contextCall(
      agreements.closeAgreement,
      fromPath(input.agreementCodePath, "code"),
      fromBody(input.closeAgreementInput),
    ),
  );
