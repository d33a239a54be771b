import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import * as input from "#worker/contract/account/second-factor-input.ts";
import { idField, noInput } from "#worker/contract/kernel/fields.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import * as factors from "#worker/domain/account/second-factor/change.server.ts";
import { listSecondFactors } from "#worker/domain/account/second-factor/list.server.ts";
import * as own from "#worker/domain/account/second-factor/own.server.ts";
import { cancelRecovery, startRecovery, useRecovery } from "#worker/domain/account/second-factor/recovery.server.ts";
import { getSigninOptions, signinByPasskey } from "#worker/domain/account/second-factor/signin.server.ts";
import { verifySecondFactor } from "#worker/domain/account/second-factor/verify.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { setSessionCookie } from "../kernel/cookie.ts";
import { apiRoutes, contextCall, scopeCall, sent } from "../kernel/call.ts";
import { type ApiEnv, openContext, sendData, validateBody } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

const factorPath = z.object({ factorId: idField });

const requireSessionFirst: MiddlewareHandler<ApiEnv> = async (c, next) => {
  own.requireSession(await openContext(c));
  await next();
};

export const secondFactorApi = apiRoutes()
  .get("/", contextCall(own.getOwnSecondFactor))
  .post("/signin-options", contextCall(getSigninOptions, sent.bodyWithin(SIZE_LIMITS.strangerBytes, noInput)))
  .post("/signin", validateBody(input.passkeySigninInput, SIZE_LIMITS.strangerBytes), async (c) => {
    const tokens = await signinByPasskey(await openContext(c), c.req.valid("json").response);
    setSessionCookie(c, tokens.accessToken);
    return sendData(c, tokens);
  })
  .post("/verify-options", requireSessionFirst, contextCall(own.getVerifyOptions, sent.body(noInput)))
  .post("/verify", requireSessionFirst, contextCall(verifySecondFactor, sent.body(input.verifyInput)))
  .post("/passkey-options", requireSessionFirst, contextCall(factors.startPasskey, sent.body(noInput)))
  .post("/passkey", requireSessionFirst, contextCall(factors.addPasskey, sent.body(input.addPasskeyInput)))
  .post("/totp-options", requireSessionFirst, contextCall(factors.startTotp, sent.body(noInput)))
  .post("/totp", requireSessionFirst, contextCall(factors.addTotp, sent.body(input.addTotpInput)))
  .post("/recovery-codes", requireSessionFirst, contextCall(factors.renewRecoveryCodes, sent.body(noInput)))
  .post("/recovery", requireSessionFirst, contextCall(useRecovery, sent.body(noInput)))
  .delete("/recovery", async (c) => {
    const ctx = await openContext(c);
    return sendData(c, await cancelRecovery(ctx, requireSignedIn(ctx).userId));
  })
  .patch(
    "/:factorId",
    requireSessionFirst,
    contextCall(factors.renameFactor, sent.path(factorPath, "factorId"), sent.body(input.renameFactorInput, "name")),
  )
  .delete("/:factorId", contextCall(factors.removeFactor, sent.path(factorPath, "factorId")));

export const adminSecondFactorApi = apiRoutes()
  .get("/", scopeCall(listSecondFactors, sent.query(input.listSecondFactorsQuery)))
  .post("/:id/recovery", recentSecondFactor, contextCall(startRecovery, sent.id, sent.body(input.startRecoveryInput)))
  .delete("/:id/recovery", contextCall(cancelRecovery, sent.id));
