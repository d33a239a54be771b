import { contentDisposition } from "../kernel/download.ts";
import { retireInput } from "#worker/contract/account/input.ts";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { ownRequestInput } from "#worker/contract/privacy/input.ts";
import { exportOwnData } from "#worker/domain/privacy/own-data.server.ts";
import { submitOwnPrivacyRequest, listOwnPrivacyRequests } from "#worker/domain/privacy/request.server.ts";
import { retireOwnAccount } from "#worker/domain/privacy/retire.server.ts";
import { resumeOwnAccount } from "#worker/domain/privacy/suspension.server.ts";
import { requireSignIn } from "../kernel/access.ts";
import { clearSessionCookie } from "../kernel/cookie.ts";
import { apiRoutes, writeCall, creatingCall, sent } from "../kernel/call.ts";
import { validateBody, sendData, openContext, validatePath } from "../kernel/http.ts";
import { recentSecondFactor } from "../kernel/recent-second-factor.ts";

export const ownPrivacyApi = apiRoutes()
  .post("/retire", requireSignIn, validateBody(retireInput), async (c) => {
    await retireOwnAccount(await openContext(c), c.req.valid("json"));
    clearSessionCookie(c);
    return sendData(c, {});
  })
  .get("/privacy-request", writeCall(listOwnPrivacyRequests))
  .post("/privacy-request", requireSignIn, creatingCall(submitOwnPrivacyRequest, sent.body(ownRequestInput)))
  .get("/:id/export", recentSecondFactor, validatePath(idPath), async (c) => {
    const data = await exportOwnData(await openContext(c), c.req.valid("param").id);
    c.header("Content-Disposition", contentDisposition("attachment", "내 정보.json"));
    return sendData(c, data);
  })
  .delete("/:id/suspension", requireSignIn, writeCall(resumeOwnAccount, sent.id));
