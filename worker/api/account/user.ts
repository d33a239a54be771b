import { Hono } from "hono";
import { z } from "zod";
import { id } from "#worker/contract/kernel/fields.ts";
import {
  changePasswordInput,
  changeUserKeyInput,
  consentsInput,
  findIdInput,
  refreshInput,
  resetInput,
  resetTokenInput,
  signinInput,
  signoutInput,
  signupInput,
  updateUserInput,
} from "#worker/contract/account/input.ts";
import { changeConsents, listConsents } from "#worker/domain/account/consent.server.ts";
import { changePassword, changeUserKey } from "#worker/domain/account/credential.server.ts";
import { findId, requestReset, resetPassword } from "#worker/domain/account/recovery.server.ts";
import { refreshSession } from "#worker/domain/account/refresh.server.ts";
import { signout } from "#worker/domain/account/session.server.ts";
import { endOneSession, listSessions } from "#worker/domain/account/sessions.server.ts";
import { signin } from "#worker/domain/account/signin.server.ts";
import { signup } from "#worker/domain/account/signup.server.ts";
import { getUser, updateUser } from "#worker/domain/account/user.server.ts";
import { clearSessionCookie, setSessionCookie } from "../kernel/cookie.ts";
import { type ApiEnv, body, ok, opened, path } from "../kernel/http.ts";

const userPath = path(z.object({ id }));
const session = path(z.object({ id, sid: id }));

export const userApi = new Hono<ApiEnv>()
  .post("/signup", body(signupInput), async (c) => ok(c, await signup(await opened(c), c.req.valid("json"))))
  .post("/signin", body(signinInput), async (c) => {
    const tokens = await signin(await opened(c), c.req.valid("json"));
    setSessionCookie(c, tokens.accessToken);
    return ok(c, tokens);
  })
  .post("/signin-by-refresh-token", body(refreshInput), async (c) => {
    const tokens = await refreshSession(await opened(c), c.req.valid("json"));
    setSessionCookie(c, tokens.accessToken);
    return ok(c, tokens);
  })
  .post("/signout", body(signoutInput), async (c) => {
    await signout(await opened(c), c.req.valid("json"));
    clearSessionCookie(c);
    return ok(c, {});
  })
  .post("/find-id", body(findIdInput), async (c) => ok(c, await findId(await opened(c), c.req.valid("json"))))
  .post("/reset-password-token", body(resetTokenInput), async (c) =>
    ok(c, await requestReset(await opened(c), c.req.valid("json"))),
  )
  .post("/reset-password", body(resetInput), async (c) =>
    ok(c, await resetPassword(await opened(c), c.req.valid("json"))),
  )
  .post("/change-password/:id", userPath, body(changePasswordInput), async (c) =>
    ok(c, await changePassword(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/change-user-key/:id", userPath, body(changeUserKeyInput), async (c) =>
    ok(c, await changeUserKey(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .get("/:id", userPath, async (c) => ok(c, await getUser(await opened(c), c.req.valid("param").id)))
  .patch("/:id", userPath, body(updateUserInput), async (c) =>
    ok(c, await updateUser(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .get("/:id/sessions", userPath, async (c) => ok(c, await listSessions(await opened(c), c.req.valid("param").id)))
  .delete("/:id/sessions/:sid", session, async (c) => {
    const { id: userId, sid } = c.req.valid("param");
    return ok(c, await endOneSession(await opened(c), userId, sid));
  })
  .get("/:id/consents", userPath, async (c) => ok(c, await listConsents(await opened(c), c.req.valid("param").id)))
  .patch("/:id/consents", userPath, body(consentsInput), async (c) =>
    ok(c, await changeConsents(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  );
