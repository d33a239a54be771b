import { Hono } from "hono";
import { confirmUserKeyInput, sendCodeInput, userKeyInput } from "#worker/contract/account/input.ts";
import { userKeyExists } from "#worker/domain/account/signup.server.ts";
import { confirmVerificationCode, sendVerificationCode } from "#worker/domain/account/verification.server.ts";
import { contextCall, fromBodyWithin } from "../kernel/call.ts";
import type { ApiEnv } from "../kernel/http.ts";

/** Anybody may make these calls: what they send is small. */
const STRANGER_BYTES = 16 * 1024;

export const userKeyApi = new Hono<ApiEnv>()
  .post("/check-exists", contextCall(userKeyExists, fromBodyWithin(STRANGER_BYTES, userKeyInput)))
  .post("/check", contextCall(sendVerificationCode, fromBodyWithin(STRANGER_BYTES, sendCodeInput)))
  .post("/confirm", contextCall(confirmVerificationCode, fromBodyWithin(STRANGER_BYTES, confirmUserKeyInput)));
