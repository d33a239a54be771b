import { Hono, type MiddlewareHandler } from "hono";
import { z } from "zod";
import {
  addPasskeyInput,
  addTotpInput,
  listSecondFactorsQuery,
  passkeySigninInput,
  renameFactorInput,
  startRecoveryInput,
  verifyInput,
} from "#worker/contract/account/second-factor-input.ts";
import { idField, noInput } from "#worker/contract/kernel/fields.ts";
import {
  addPasskey,
  addTotp,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
  startPasskey,
  startTotp,
} from "#worker/domain/account/second-factor/change.server.ts";
import { listSecondFactors } from "#worker/domain/account/second-factor/list.server.ts";
import {
  getOwnSecondFactor,
  getVerifyOptions,
  requireSession,
} from "#worker/domain/account/second-factor/own.server.ts";
import { cancelRecovery, startRecovery, useRecovery } from "#worker/domain/account/second-factor/recovery.server.ts";
import { getSigninOptions, signinByPasskey } from "#worker/domain/account/second-factor/signin.server.ts";
import { verifySecondFactor } from "#worker/domain/account/second-factor/verify.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { setSessionCookie } from "../kernel/cookie.ts";
import { type ApiEnv, openContext, sendData, validateBody, validatePath, validateQuery } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

const factorPath = validatePath(z.object({ factorId: idField }));
const userPath = validatePath(z.object({ id: idField }));

/** Before a body is read: a session, its second factor shown or not. */
const requireSessionFirst: MiddlewareHandler<ApiEnv> = async (c, next) => {
  requireSession(await openContext(c));
  await next();
};

/** One's own second factor; but for the sign-in by a passkey, for whoever's password was right. */
export const secondFactorApi = new Hono<ApiEnv>()
  .get("/", async (c) => sendData(c, await getOwnSecondFactor(await openContext(c))))
  .post("/signin-options", validateBody(noInput), async (c) =>
    sendData(c, await getSigninOptions(await openContext(c))),
  )
  .post("/signin", validateBody(passkeySigninInput), async (c) => {
    const tokens = await signinByPasskey(await openContext(c), c.req.valid("json").response);
    setSessionCookie(c, tokens.accessToken);
    return sendData(c, tokens);
  })
  .post("/verify-options", requireSessionFirst, validateBody(noInput), async (c) =>
    sendData(c, await getVerifyOptions(await openContext(c))),
  )
  .post("/verify", requireSessionFirst, validateBody(verifyInput), async (c) =>
    sendData(c, await verifySecondFactor(await openContext(c), c.req.valid("json"))),
  )
  .post("/passkey-options", requireSessionFirst, validateBody(noInput), async (c) =>
    sendData(c, await startPasskey(await openContext(c))),
  )
  .post("/passkey", requireSessionFirst, validateBody(addPasskeyInput), async (c) =>
    sendData(c, await addPasskey(await openContext(c), c.req.valid("json"))),
  )
  .post("/totp-options", requireSessionFirst, validateBody(noInput), async (c) =>
    sendData(c, await startTotp(await openContext(c))),
  )
  .post("/totp", requireSessionFirst, validateBody(addTotpInput), async (c) =>
    sendData(c, await addTotp(await openContext(c), c.req.valid("json"))),
  )
  .post("/recovery-codes", requireSessionFirst, validateBody(noInput), async (c) =>
    sendData(c, await renewRecoveryCodes(await openContext(c))),
  )
  .post("/recovery", requireSessionFirst, validateBody(noInput), async (c) =>
    sendData(c, await useRecovery(await openContext(c))),
  )
  .delete("/recovery", async (c) => {
    const ctx = await openContext(c);
    return sendData(c, await cancelRecovery(ctx, requireSignedIn(ctx).userId));
  })
  .patch("/:factorId", requireSessionFirst, factorPath, validateBody(renameFactorInput), async (c) =>
    sendData(c, await renameFactor(await openContext(c), c.req.valid("param").factorId, c.req.valid("json").name)),
  )
  .delete("/:factorId", factorPath, async (c) =>
    sendData(c, await removeFactor(await openContext(c), c.req.valid("param").factorId)),
  );

export const adminSecondFactorApi = new Hono<ApiEnv>()
  .get("/", validateQuery(listSecondFactorsQuery), async (c) =>
    sendData(c, await listSecondFactors(c.var.scope, c.req.valid("query"))),
  )
  .post("/:id/recovery", recentSecondFactor, userPath, validateBody(startRecoveryInput), async (c) =>
    sendData(c, await startRecovery(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id/recovery", userPath, async (c) =>
    sendData(c, await cancelRecovery(await openContext(c), c.req.valid("param").id)),
  );
