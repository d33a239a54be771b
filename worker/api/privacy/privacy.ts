import * as input from "#worker/contract/privacy/input.ts";
import { exportDestructionsInput, listDestructionsQuery } from "#worker/contract/audit/input.ts";
import { updatePrivacyInput } from "#worker/contract/audit/retention-input.ts";
import { exportDestructions, exportPrivacyRequests } from "#worker/domain/privacy/export.server.ts";
import { listDestructions } from "#worker/domain/audit/destruction.server.ts";
import * as requests from "#worker/domain/privacy/request.server.ts";
import * as retention from "#worker/domain/privacy/retention.server.ts";
import { apiRoutes, creatingCall, fileCall, responseCall, readCall, sent, writeCall } from "../kernel/call.ts";
import { clearSessionCookie, contentDisposition, openContext, sendData } from "../kernel/http.ts";
import { recentSecondFactor, requireSignIn } from "../kernel/access.ts";
import { retireInput } from "#worker/contract/account/input.ts";
import { reasonInput } from "#worker/contract/kernel/fields.ts";
import { ownRequestInput } from "#worker/contract/privacy/input.ts";
import { exportOwnData } from "#worker/domain/privacy/own-data.server.ts";
import { retireOwnAccount } from "#worker/domain/privacy/retire.server.ts";
import { resumeMember, resumeOwnAccount } from "#worker/domain/privacy/suspension.server.ts";

export const adminPrivacyApi = apiRoutes()
  .get("/request", readCall(requests.listPrivacyRequests, sent.query(input.listRequestsQuery)))
  .put("/request", creatingCall(requests.enterPrivacyRequest, sent.body(input.enterRequestInput)))
  .post("/request/export", recentSecondFactor, fileCall(exportPrivacyRequests, sent.body(input.exportRequestsInput)))
  .get("/request/:id", writeCall(requests.getPrivacyRequest, sent.id))
  .post(
    "/request/:id/start",
    writeCall(requests.startPrivacyRequest, sent.id, sent.body(input.startRequestInput, "version")),
  )
  .post("/request/:id/answer", writeCall(requests.answerPrivacyRequest, sent.id, sent.body(input.answerRequestInput)))
  .post("/request/:id/extend", writeCall(requests.extendPrivacyRequest, sent.id, sent.body(input.extendRequestInput)))
  .post(
    "/request/:id/erase",
    recentSecondFactor,
    writeCall(requests.eraseForPrivacyRequest, sent.id, sent.body(input.eraseRequestInput)),
  )
  .get("/retention", readCall(retention.getRetentionPage))
  .patch("/retention", recentSecondFactor, writeCall(retention.updatePrivacySetting, sent.body(updatePrivacyInput)))
  .post(
    "/retention/inactive/tell",
    recentSecondFactor,
    writeCall(retention.warnInactiveMembers, sent.body(input.runRetentionRuleInput)),
  )
  .get("/retention/:rule", writeCall(retention.getDueList, sent.path(input.retentionRulePath, "rule")))
  .post(
    "/retention/:rule/run",
    recentSecondFactor,
    writeCall(
      retention.runRetentionRule,
      sent.path(input.retentionRulePath, "rule"),
      sent.body(input.runRetentionRuleInput),
    ),
  )
  .get("/destruction", readCall(listDestructions, sent.query(listDestructionsQuery)))
  .post("/destruction/export", recentSecondFactor, fileCall(exportDestructions, sent.body(exportDestructionsInput)));

export const ownPrivacyApi = apiRoutes()
  .post(
    "/retire",
    requireSignIn,
    responseCall(async (c, given) => {
      await retireOwnAccount(await openContext(c), given);
      clearSessionCookie(c);
      return sendData(c, {});
    }, sent.body(retireInput)),
  )
  .get("/privacy-request", writeCall(requests.listOwnPrivacyRequests))
  .post("/privacy-request", requireSignIn, creatingCall(requests.submitOwnPrivacyRequest, sent.body(ownRequestInput)))
  .get(
    "/:id/export",
    recentSecondFactor,
    responseCall(async (c, id) => {
      const data = await exportOwnData(await openContext(c), id);
      c.header("Content-Disposition", contentDisposition("attachment", "내 정보.json"));
      return sendData(c, data);
    }, sent.id),
  )
  .delete("/:id/suspension", requireSignIn, writeCall(resumeOwnAccount, sent.id));

export const suspensionApi = apiRoutes().post(
  "/:id/resume",
  writeCall(resumeMember, sent.id, sent.body(reasonInput, "reason")),
);
