import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { confirmUserKeyInput, sendCodeInput, userKeyInput } from "#worker/contract/account/input.ts";
import { userKeyExists } from "#worker/domain/account/signup-form.server.ts";
import { confirmVerificationCode, sendVerificationCode } from "#worker/domain/account/verification.server.ts";
import { unsubscribePath } from "#worker/contract/mail/input.ts";
import { undoKeyChange } from "#worker/domain/account/undo-key-change.server.ts";
import { apiRoutes, writeCall, sent } from "../kernel/call.ts";
import { openContext, sendData, validatePath } from "../kernel/http.ts";

export const userKeyApi = apiRoutes()
  .post("/check-exists", writeCall(userKeyExists, sent.bodyWithin(SIZE_LIMITS.strangerBytes, userKeyInput)))
  .post("/check", writeCall(sendVerificationCode, sent.bodyWithin(SIZE_LIMITS.strangerBytes, sendCodeInput)))
  .post("/confirm", writeCall(confirmVerificationCode, sent.bodyWithin(SIZE_LIMITS.strangerBytes, confirmUserKeyInput)))
  .post("/undo/:token", validatePath(unsubscribePath), async (c) => {
    const { token } = c.req.valid("param");
    const done = await undoKeyChange(await openContext(c), token);
    // The page's form works without a script and is redirected to the page.
    if (c.req.header("Accept")?.includes("text/html"))
      return c.redirect(`/mail/undo/${encodeURIComponent(token)}`, 303);
    return sendData(c, done);
  });
