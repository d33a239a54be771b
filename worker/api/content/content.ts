import { centerPathInput, orderCentersInput, saveCenterInput } from "#worker/contract/content/center-input.ts";
import * as input from "#worker/contract/content/input.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import * as centers from "#worker/domain/content/center-edit.server.ts";
import * as contents from "#worker/domain/content/content-edit.server.ts";
import { requireAccess } from "../kernel/access.ts";
import { apiRoutes, contextCall, sent } from "../kernel/call.ts";

const requireCenterAccess = requireAccess((c) => ({
  action: "Center.Manage",
  regionCode: c.req.param("regionCode") ?? "",
}));

const code = sent.path(input.contentPath, "code");
const regionCode = sent.path(centerPathInput, "regionCode");

export const adminContentApi = apiRoutes()
  .get("/", contextCall(contents.listContents))
  .get("/:code", contextCall(contents.getContentToEdit, code))
  .put(
    "/:code/draft",
    contextCall(contents.saveContent, code, sent.bodyWithin(2 * SIZE_LIMITS.postBytes, input.saveContentInput)),
  )
  .delete("/:code/draft", contextCall(contents.dropContentDraft, code, sent.body(input.contentVersionInput, "version")))
  .post("/:code/publish", contextCall(contents.publishContent, code, sent.body(input.publishContentInput)))
  .post("/:code/withdraw", contextCall(contents.withdrawContent, code, sent.body(input.contentVersionInput, "version")))
  .get("/:code/history", contextCall(contents.listContentHistory, code))
  .get("/:code/history/:versionNo", contextCall(contents.getContentVersion, sent.path(input.contentHistoryPath)))
  .post("/:code/restore", contextCall(contents.restoreContent, code, sent.body(input.restoreContentInput)));

export const adminCenterApi = apiRoutes()
  .use("/:regionCode/*", requireCenterAccess)
  .get("/", contextCall(centers.listCenters))
  .post("/order", contextCall(centers.orderCenters, sent.body(orderCentersInput, "codes")))
  .get("/:regionCode", contextCall(centers.getCenterToEdit, regionCode))
  .put("/:regionCode/draft", contextCall(centers.saveCenter, regionCode, sent.body(saveCenterInput)))
  .delete(
    "/:regionCode/draft",
    contextCall(centers.dropCenterDraft, regionCode, sent.body(input.contentVersionInput, "version")),
  )
  .post("/:regionCode/publish", contextCall(centers.publishCenter, regionCode, sent.body(input.publishContentInput)))
  .post(
    "/:regionCode/withdraw",
    contextCall(centers.withdrawCenter, regionCode, sent.body(input.contentVersionInput, "version")),
  )
  .get("/:regionCode/history", contextCall(centers.listCenterHistory, regionCode))
  .post("/:regionCode/restore", contextCall(centers.restoreCenter, regionCode, sent.body(input.restoreContentInput)));
