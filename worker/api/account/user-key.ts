import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { confirmUserKeyInput, sendCodeInput, userKeyInput } from "#worker/contract/account/input.ts";
import { userKeyExists } from "#worker/domain/account/signup-form.server.ts";
import { confirmVerificationCode, sendVerificationCode } from "#worker/domain/account/verification.server.ts";
import { apiRoutes, contextCall, sent } from "../kernel/call.ts";

export const userKeyApi = apiRoutes()
  .post("/check-exists", contextCall(userKeyExists, sent.bodyWithin(SIZE_LIMITS.strangerBytes, userKeyInput)))
  .post("/check", contextCall(sendVerificationCode, sent.bodyWithin(SIZE_LIMITS.strangerBytes, sendCodeInput)))
  .post(
    "/confirm",
    contextCall(confirmVerificationCode, sent.bodyWithin(SIZE_LIMITS.strangerBytes, confirmUserKeyInput)),
  );
