import { confirmUserKeyInput, sendCodeInput, userKeyInput } from "#worker/contract/account/input.ts";
import { userKeyExists } from "#worker/domain/account/signup.server.ts";
import { confirmVerificationCode, sendVerificationCode } from "#worker/domain/account/verification.server.ts";
import { apiRoutes, contextCall, fromBodyWithin } from "../kernel/call.ts";

/** Anybody may make these calls: what they send is small. */
const STRANGER_BYTES = 16 * 1024;

export const userKeyApi = apiRoutes()
  .post("/check-exists", contextCall(userKeyExists, fromBodyWithin(STRANGER_BYTES, userKeyInput)))
  .post("/check", contextCall(sendVerificationCode, fromBodyWithin(STRANGER_BYTES, sendCodeInput)))
  .post("/confirm", contextCall(confirmVerificationCode, fromBodyWithin(STRANGER_BYTES, confirmUserKeyInput)));
