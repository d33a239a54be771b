import { centerPathInput, orderCentersInput, saveCenterInput } from "#worker/contract/content/center-input.ts";
import * as input from "#worker/contract/content/input.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import * as centers from "#worker/domain/content/center-edit.server.ts";
import * as contents from "#worker/domain/content/content-edit.server.ts";
import { requireAccess } from "../kernel/access.ts";
import { apiRoutes, creatingCall, readCall, sent, writeCall } from "../kernel/call.ts";
import { withdrawAnnouncedAgreement } from "#worker/domain/content/agreement-announced.server.ts";
import * as agreements from "#worker/domain/content/agreement.server.ts";

const requireCenterAccess = requireAccess((param) => ({ action: "Center.Manage", regionCode: param("regionCode") }));

const code = sent.path(input.contentPath, "code");
const regionCode = sent.path(centerPathInput, "regionCode");

export const adminContentApi = apiRoutes()
  .get("/", writeCall(contents.listContents))
  .get("/:code", writeCall(contents.getContentToEdit, code))
  .put(
    "/:code/draft",
    writeCall(contents.saveContent, code, sent.bodyWithin(2 * SIZE_LIMITS.postBytes, input.saveContentInput)),
  )
  .post(
    "/:code/draft",
    writeCall(contents.draftContent, sent.path(input.legalPath, "code"), sent.body(input.contentDraftInput, "version")),
  )
  .delete("/:code/draft", writeCall(contents.dropContentDraft, code, sent.body(input.contentVersionInput, "version")))
  .post("/:code/publish", writeCall(contents.publishContent, code, sent.body(input.publishContentInput)))
  .post("/:code/withdraw", writeCall(contents.withdrawContent, code, sent.body(input.contentVersionInput, "version")))
  .get("/:code/history", writeCall(contents.listContentHistory, code))
  .get("/:code/history/:versionNo", writeCall(contents.getContentVersion, sent.path(input.contentHistoryPath)))
  .post("/:code/restore", writeCall(contents.restoreContent, code, sent.body(input.restoreContentInput)));

export const adminCenterApi = apiRoutes()
  .use("/:regionCode/*", requireCenterAccess)
  .get("/", writeCall(centers.listCenters))
  .post("/order", writeCall(centers.orderCenters, sent.body(orderCentersInput, "codes")))
  .get("/:regionCode", writeCall(centers.getCenterToEdit, regionCode))
  .put("/:regionCode/draft", writeCall(centers.saveCenter, regionCode, sent.body(saveCenterInput)))
  .delete(
    "/:regionCode/draft",
    writeCall(centers.dropCenterDraft, regionCode, sent.body(input.contentVersionInput, "version")),
  )
  .post("/:regionCode/publish", writeCall(centers.publishCenter, regionCode, sent.body(input.publishContentInput)))
  .post(
    "/:regionCode/withdraw",
    writeCall(centers.withdrawCenter, regionCode, sent.body(input.contentVersionInput, "version")),
  )
  .get("/:regionCode/history", writeCall(centers.listCenterHistory, regionCode))
  .post("/:regionCode/restore", writeCall(centers.restoreCenter, regionCode, sent.body(input.restoreContentInput)));

export const adminAgreementApi = apiRoutes()
  .get("/", readCall(agreements.listAgreements))
  .put(
    "/",
    creatingCall(agreements.publishAgreement, sent.bodyWithin(SIZE_LIMITS.postBytes, input.publishAgreementInput)),
  )
  .get("/:code/:version", readCall(agreements.getAgreement, sent.path(input.agreementPath)))
  .post("/:code/:version/withdraw", writeCall(withdrawAnnouncedAgreement, sent.path(input.agreementPath)))
  .post(
    "/:code/close",
    writeCall(
      agreements.closeAgreement,
      sent.path(input.agreementCodePath, "code"),
      sent.body(input.closeAgreementInput),
    ),
  );
