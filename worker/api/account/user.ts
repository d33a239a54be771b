import { Hono } from "hono";
import { z } from "zod";
import { idField } from "#worker/contract/kernel/fields.ts";
import {
  changePasswordInput,
  changeUserKeyInput,
  consentsInput,
  findIdInput,
  refreshSessionInput,
  resetPasswordInput,
  resetPasswordTokenInput,
  signinInput,
  signoutInput,
  signupInput,
  updateUserInput,
} from "#worker/contract/account/input.ts";
import { changeConsents, listConsents } from "#worker/domain/account/consent.server.ts";
import { changePassword, changeUserKey } from "#worker/domain/account/credential.server.ts";
import { findSigninKey, requestPasswordReset, resetPassword } from "#worker/domain/account/recovery.server.ts";
import { refreshSession } from "#worker/domain/account/refresh.server.ts";
import { signout } from "#worker/domain/account/session.server.ts";
import { endUserSession, listSessions } from "#worker/domain/account/session-list.server.ts";
import { signin } from "#worker/domain/account/signin.server.ts";
import { signup } from "#worker/domain/account/signup.server.ts";
import { getUser, updateUser } from "#worker/domain/account/user.server.ts";
import { clearSessionCookie, setSessionCookie } from "../kernel/cookie.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath } from "../kernel/http.ts";

const userPath = validatePath(z.object({ id: idField }));
const sessionPath = validatePath(z.object({ id: idField, sid: idField }));

export const userApi = new Hono<ApiEnv>()
  .post("/signup", validateBody(signupInput), async (c) =>
    sendData(c, await signup(await openContext(c), c.req.valid("json"))),
  )
  .post("/signin", validateBody(signinInput), async (c) => {
    const tokens = await signin(await openContext(c), c.req.valid("json"));
    setSessionCookie(c, tokens.accessToken);
    return sendData(c, tokens);
  })
  .post("/signin-by-refresh-token", validateBody(refreshSessionInput), async (c) => {
    const tokens = await refreshSession(await openContext(c), c.req.valid("json"));
    setSessionCookie(c, tokens.accessToken);
    return sendData(c, tokens);
  })
  .post("/signout", validateBody(signoutInput), async (c) => {
    await signout(await openContext(c), c.req.valid("json"));
    clearSessionCookie(c);
    return sendData(c, {});
  })
  .post("/find-id", validateBody(findIdInput), async (c) =>
    sendData(c, await findSigninKey(await openContext(c), c.req.valid("json"))),
  )
  .post("/reset-password-token", validateBody(resetPasswordTokenInput), async (c) =>
    sendData(c, await requestPasswordReset(await openContext(c), c.req.valid("json"))),
  )
  .post("/reset-password", validateBody(resetPasswordInput), async (c) =>
    sendData(c, await resetPassword(await openContext(c), c.req.valid("json"))),
  )
  .post("/change-password/:id", userPath, validateBody(changePasswordInput), async (c) =>
    sendData(c, await changePassword(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/change-user-key/:id", userPath, validateBody(changeUserKeyInput), async (c) =>
    sendData(c, await changeUserKey(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .get("/:id", userPath, async (c) => sendData(c, await getUser(await openContext(c), c.req.valid("param").id)))
  .patch("/:id", userPath, validateBody(updateUserInput), async (c) =>
    sendData(c, await updateUser(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .get("/:id/sessions", userPath, async (c) =>
    sendData(c, await listSessions(await openContext(c), c.req.valid("param").id)),
  )
  .delete("/:id/sessions/:sid", sessionPath, async (c) => {
    const { id: userId, sid } = c.req.valid("param");
    return sendData(c, await endUserSession(await openContext(c), userId, sid));
  })
  .get("/:id/consents", userPath, async (c) =>
    sendData(c, await listConsents(await openContext(c), c.req.valid("param").id)),
  )
  .patch("/:id/consents", userPath, validateBody(consentsInput), async (c) =>
    sendData(c, await changeConsents(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  );
