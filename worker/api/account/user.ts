import { Hono } from "hono";
import { z } from "zod";
import { idField } from "#worker/contract/kernel/fields.ts";
import {
  changePasswordInput,
  changeUserKeyInput,
  consentsInput,
  endOtherSessionsInput,
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
import { changePassword, changeUserKey, endOtherSessions } from "#worker/domain/account/credential.server.ts";
import { findSigninKey, requestPasswordReset, resetPassword } from "#worker/domain/account/recovery.server.ts";
import { refreshSession } from "#worker/domain/account/refresh.server.ts";
import { signout } from "#worker/domain/account/session.server.ts";
import { endUserSession, listSessions } from "#worker/domain/account/session-list.server.ts";
import { signin } from "#worker/domain/account/signin.server.ts";
import { signup } from "#worker/domain/account/signup.server.ts";
import { getUser, updateUser } from "#worker/domain/account/user.server.ts";
import { requireSignIn } from "../kernel/access.ts";
import { clearSessionCookie, setSessionCookie } from "../kernel/cookie.ts";
import { type ApiEnv, isJsonRequest, validateBody, sendData, openContext, validatePath } from "../kernel/http.ts";

const userPath = validatePath(z.object({ id: idField }));
const sessionPath = validatePath(z.object({ id: idField, sid: idField }));

/** Anybody may make these calls: what they send is small. A sign-up carries its profile, too. */
const STRANGER_BYTES = 16 * 1024;
const SIGNUP_BYTES = 64 * 1024;

// Calls before `requireSignIn` answer as to a guest, whatever token comes along.
export const userApi = new Hono<ApiEnv>()
  .post("/signup", validateBody(signupInput, SIGNUP_BYTES), async (c) =>
    sendData(c, await signup(await openContext(c), c.req.valid("json"))),
  )
  .post("/signin", validateBody(signinInput, STRANGER_BYTES), async (c) => {
    const tokens = await signin(await openContext(c), c.req.valid("json"));
    setSessionCookie(c, tokens.accessToken);
    return sendData(c, tokens);
  })
  .post("/signin-by-refresh-token", validateBody(refreshSessionInput, STRANGER_BYTES), async (c) => {
    const tokens = await refreshSession(await openContext(c), c.req.valid("json"));
    setSessionCookie(c, tokens.accessToken);
    return sendData(c, tokens);
  })
  .post("/signout", validateBody(signoutInput, STRANGER_BYTES), async (c) => {
    await signout(await openContext(c), c.req.valid("json"));
    // A form of another site can send neither: it must not sign anybody out.
    if (c.req.header("Authorization") !== undefined || isJsonRequest(c)) clearSessionCookie(c);
    return sendData(c, {});
  })
  .post("/find-id", validateBody(findIdInput, STRANGER_BYTES), async (c) =>
    sendData(c, await findSigninKey(await openContext(c), c.req.valid("json"))),
  )
  .post("/reset-password-token", validateBody(resetPasswordTokenInput, STRANGER_BYTES), async (c) =>
    sendData(c, await requestPasswordReset(await openContext(c), c.req.valid("json"))),
  )
  .post("/reset-password", validateBody(resetPasswordInput, STRANGER_BYTES), async (c) =>
    sendData(c, await resetPassword(await openContext(c), c.req.valid("json"))),
  )
  .use(requireSignIn)
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
  .post("/:id/sessions/end-others", userPath, validateBody(endOtherSessionsInput), async (c) =>
    sendData(c, await endOtherSessions(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
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
