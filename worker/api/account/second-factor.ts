import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import * as input from "#worker/contract/account/second-factor-input.ts";
import { idField, noInput } from "#worker/contract/kernel/fields.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import * as factors from "#worker/domain/account/second-factor/change.server.ts";
import { listSecondFactors } from "#worker/domain/account/second-factor/factor.server.ts";
import * as own from "#worker/domain/account/second-factor/factor.server.ts";
import { cancelRecovery, startRecovery, useRecovery } from "#worker/domain/account/second-factor/recovery.server.ts";
import {
  getSigninOptions,
  signinByPasskey,
  verifySecondFactor,
} from "#worker/domain/account/second-factor/verify.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { type ApiEnv, openContext } from "../kernel/http.ts";
import { apiRoutes, readCall, sent, tokenCall, writeCall } from "../kernel/call.ts";
import { describe } from "../kernel/describe.ts";
import { recentSecondFactor } from "../kernel/access.ts";

const factorPath = z.object({ factorId: idField });

const requireSessionFirst = describe<MiddlewareHandler<ApiEnv>>(
  async (c, next) => {
    own.requireSession(await openContext(c));
    await next();
  },
  { asks: ["signed in"] },
);

export const secondFactorApi = apiRoutes()
  .get("/", writeCall(own.getOwnSecondFactor))
  .post("/signin-options", writeCall(getSigninOptions, sent.bodyWithin(SIZE_LIMITS.strangerBytes, noInput)))
  .post(
    "/signin",
    tokenCall(
      (ctx, given) => signinByPasskey(ctx, given.response),
      sent.bodyWithin(SIZE_LIMITS.strangerBytes, input.passkeySigninInput),
    ),
  )
  .post("/verify-options", requireSessionFirst, writeCall(own.getVerifyOptions, sent.body(noInput)))
  .post("/verify", requireSessionFirst, writeCall(verifySecondFactor, sent.body(input.verifyInput)))
  .post("/passkey-options", requireSessionFirst, writeCall(factors.startPasskey, sent.body(noInput)))
  .post("/passkey", requireSessionFirst, writeCall(factors.addPasskey, sent.body(input.addPasskeyInput)))
  .post("/totp-options", requireSessionFirst, writeCall(factors.startTotp, sent.body(noInput)))
  .post("/totp", requireSessionFirst, writeCall(factors.addTotp, sent.body(input.addTotpInput)))
  .post("/recovery-codes", requireSessionFirst, writeCall(factors.renewRecoveryCodes, sent.body(noInput)))
  .post("/recovery", requireSessionFirst, writeCall(useRecovery, sent.body(noInput)))
  .delete(
    "/recovery",
    writeCall((ctx) => cancelRecovery(ctx, requireSignedIn(ctx).userId)),
  )
  .patch(
    "/:factorId",
    requireSessionFirst,
    writeCall(factors.renameFactor, sent.path(factorPath, "factorId"), sent.body(input.renameFactorInput, "name")),
  )
  .delete("/:factorId", writeCall(factors.removeFactor, sent.path(factorPath, "factorId")));

export const adminSecondFactorApi = apiRoutes()
  .get("/", readCall(listSecondFactors, sent.query(input.listSecondFactorsQuery)))
  .post("/:id/recovery", recentSecondFactor, writeCall(startRecovery, sent.id, sent.body(input.startRecoveryInput)))
  .delete("/:id/recovery", writeCall(cancelRecovery, sent.id));
