import { Hono } from "hono";
import { confirmUserKeyInput, sendCodeInput, userKeyInput } from "#worker/contract/account/input.ts";
import { userKeyExists } from "#worker/domain/account/signup.server.ts";
import { confirmVerificationCode, sendVerificationCode } from "#worker/domain/account/verification.server.ts";
import { type ApiEnv, validateBody, sendData, openContext } from "../kernel/http.ts";

/** Anybody may make these calls: what they send is small. */
const STRANGER_BYTES = 16 * 1024;

export const userKeyApi = new Hono<ApiEnv>()
  .post("/check-exists", validateBody(userKeyInput, STRANGER_BYTES), async (c) =>
    sendData(c, await userKeyExists(await openContext(c), c.req.valid("json"))),
  )
  .post("/check", validateBody(sendCodeInput, STRANGER_BYTES), async (c) =>
    sendData(c, await sendVerificationCode(await openContext(c), c.req.valid("json"))),
  )
  .post("/confirm", validateBody(confirmUserKeyInput, STRANGER_BYTES), async (c) =>
    sendData(c, await confirmVerificationCode(await openContext(c), c.req.valid("json"))),
  );
