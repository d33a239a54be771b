import { Hono } from "hono";
import { confirmInput, sendCodeInput, userKeyInput } from "#worker/contract/account/input.ts";
import { userKeyExists } from "#worker/domain/account/signup.server.ts";
import { confirmCode, sendCode } from "#worker/domain/account/verification.server.ts";
import { type ApiEnv, body, ok, opened } from "../kernel/http.ts";

export const userKeyApi = new Hono<ApiEnv>()
  .post("/check-exists", body(userKeyInput), async (c) =>
    ok(c, await userKeyExists(await opened(c), c.req.valid("json"))),
  )
  .post("/check", body(sendCodeInput), async (c) => ok(c, await sendCode(await opened(c), c.req.valid("json"))))
  .post("/confirm", body(confirmInput), async (c) => ok(c, await confirmCode(await opened(c), c.req.valid("json"))));
