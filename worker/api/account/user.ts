import { z } from "zod";
import { idField } from "#worker/contract/kernel/fields.ts";
import * as input from "#worker/contract/account/input.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { getUser, updateUser } from "#worker/domain/account/user.server.ts";
import { changeConsents, listConsents } from "#worker/domain/account/consent.server.ts";
import { endUserSession, listSessions } from "#worker/domain/account/user-session.server.ts";
import {
  changePassword,
  changeUserKey,
  endOtherSessions,
  undoKeyChange,
} from "#worker/domain/account/credential.server.ts";
import { findSigninKey, requestPasswordReset, resetPassword } from "#worker/domain/account/recovery.server.ts";
import { refreshSession, signin } from "#worker/domain/account/signin.server.ts";
import { signout } from "#worker/domain/account/session.server.ts";
import { signup, userKeyExists } from "#worker/domain/account/signup.server.ts";
import { requireSignIn } from "../kernel/access.ts";
import { clearSessionCookie, isJsonRequest, openContext, sendData } from "../kernel/http.ts";
import { apiRoutes, creatingCall, responseCall, sent, tokenCall, writeCall } from "../kernel/call.ts";
import { confirmUserKeyInput, sendCodeInput, userKeyInput } from "#worker/contract/account/input.ts";
import { confirmVerificationCode, sendVerificationCode } from "#worker/domain/account/verification.server.ts";
import { unsubscribePath } from "#worker/contract/mail/input.ts";

const sessionPath = z.object({ id: idField, sid: idField });

// Calls before `requireSignIn` treat everyone as a guest, whatever token is sent.
export const userApi = apiRoutes()
  .post("/signup", creatingCall(signup, sent.bodyWithin(SIZE_LIMITS.strangerFormBytes, input.signupInput)))
  .post("/signin", tokenCall(signin, sent.bodyWithin(SIZE_LIMITS.strangerBytes, input.signinInput)))
  .post(
    "/signin-by-refresh-token",
    tokenCall(refreshSession, sent.bodyWithin(SIZE_LIMITS.strangerBytes, input.refreshSessionInput)),
  )
  .post(
    "/signout",
    responseCall(
      async (c, given) => {
        await signout(await openContext(c), given);
        // A cross-site form can send neither, so it cannot sign anyone out.
        if (c.req.header("Authorization") !== undefined || isJsonRequest(c)) clearSessionCookie(c);
        return sendData(c, {});
      },
      sent.bodyWithin(SIZE_LIMITS.strangerBytes, input.signoutInput),
    ),
  )
  .post("/find-id", writeCall(findSigninKey, sent.bodyWithin(SIZE_LIMITS.strangerBytes, input.findIdInput)))
  .post(
    "/reset-password-token",
    writeCall(requestPasswordReset, sent.bodyWithin(SIZE_LIMITS.strangerBytes, input.resetPasswordTokenInput)),
  )
  .post(
    "/reset-password",
    writeCall(resetPassword, sent.bodyWithin(SIZE_LIMITS.strangerBytes, input.resetPasswordInput)),
  )
  .use(requireSignIn)
  .post("/change-password/:id", writeCall(changePassword, sent.id, sent.body(input.changePasswordInput)))
  .post("/change-user-key/:id", writeCall(changeUserKey, sent.id, sent.body(input.changeUserKeyInput)))
  .get("/:id", writeCall(getUser, sent.id))
  .patch("/:id", writeCall(updateUser, sent.id, sent.body(input.updateUserInput)))
  .get("/:id/sessions", writeCall(listSessions, sent.id))
  .post("/:id/sessions/end-others", writeCall(endOtherSessions, sent.id, sent.body(input.endOtherSessionsInput)))
  .delete("/:id/sessions/:sid", writeCall(endUserSession, sent.path(sessionPath, "id"), sent.path(sessionPath, "sid")))
  .get("/:id/consents", writeCall(listConsents, sent.id))
  .patch("/:id/consents", writeCall(changeConsents, sent.id, sent.body(input.consentsInput)));

export const userKeyApi = apiRoutes()
  .post("/check-exists", writeCall(userKeyExists, sent.bodyWithin(SIZE_LIMITS.strangerBytes, userKeyInput)))
  .post("/check", writeCall(sendVerificationCode, sent.bodyWithin(SIZE_LIMITS.strangerBytes, sendCodeInput)))
  .post("/confirm", writeCall(confirmVerificationCode, sent.bodyWithin(SIZE_LIMITS.strangerBytes, confirmUserKeyInput)))
  .post(
    "/undo/:token",
    responseCall(
      async (c, token) => {
        const done = await undoKeyChange(await openContext(c), token);
        // The page's form works without a script and is redirected to the page.
        if (c.req.header("Accept")?.includes("text/html"))
          return c.redirect(`/mail/undo/${encodeURIComponent(token)}`, 303);
        return sendData(c, done);
      },
      sent.path(unsubscribePath, "token"),
    ),
  );
