import { centerPathInput, orderCentersInput, saveCenterInput } from "#worker/contract/content/center-input.ts";
import {
  contentPath,
  contentHistoryPath,
  publishContentInput,
  restoreContentInput,
  contentVersionInput,
  saveContentInput,
} from "#worker/contract/content/input.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import {
  listCenterHistory,
  getCenterToEdit,
  dropCenterDraft,
  listCenters,
  orderCenters,
  publishCenter,
  restoreCenter,
  saveCenter,
  withdrawCenter,
} from "#worker/domain/content/center-edit.server.ts";
import {
  listContentHistory,
  getContentToEdit,
  getContentVersion,
  dropContentDraft,
  listContents,
  publishContent,
  restoreContent,
  saveContent,
  withdrawContent,
} from "#worker/domain/content/content-edit.server.ts";
import { requireAccess } from "../kernel/access.ts";
import { apiRoutes, contextCall, fromPath, fromBody, fromBodyWithin } from "../kernel/call.ts";

const requireCenterAccess = requireAccess((c) => ({
  action: "Center.Manage",
  regionCode: c.req.param("regionCode") ?? "",
}));

// A preview is the page itself with `?preview=1`, for administrators alone.
export const adminContentApi = apiRoutes()
  .get("/", contextCall(listContents))
  .get("/:code", contextCall(getContentToEdit, fromPath(contentPath, "code")))
  .put(
    "/:code/draft",
    contextCall(saveContent, fromPath(contentPath, "code"), fromBodyWithin(SIZE_LIMITS.postBytes, saveContentInput)),
  )
  .delete(
    "/:code/draft",
    contextCall(dropContentDraft, fromPath(contentPath, "code"), fromBody(contentVersionInput, "version")),
  )
  .post("/:code/publish", contextCall(publishContent, fromPath(contentPath, "code"), fromBody(publishContentInput)))
  .post(
    "/:code/withdraw",
    contextCall(withdrawContent, fromPath(contentPath, "code"), fromBody(contentVersionInput, "version")),
  )
  .get("/:code/history", contextCall(listContentHistory, fromPath(contentPath, "code")))
  .get("/:code/history/:versionNo", contextCall(getContentVersion, fromPath(contentHistoryPath)))
  .post("/:code/restore", contextCall(restoreContent, fromPath(contentPath, "code"), fromBody(restoreContentInput)));

export const adminCenterApi = apiRoutes()
  .use("/:regionCode/*", requireCenterAccess)
  .get("/", contextCall(listCenters))
  .post("/order", contextCall(orderCenters, fromBody(orderCentersInput, "codes")))
  .get("/:regionCode", contextCall(getCenterToEdit, fromPath(centerPathInput, "regionCode")))
  .put(
    "/:regionCode/draft",
    contextCall(saveCenter, fromPath(centerPathInput, "regionCode"), fromBody(saveCenterInput)),
  )
  .delete(
    "/:regionCode/draft",
    contextCall(dropCenterDraft, fromPath(centerPathInput, "regionCode"), fromBody(contentVersionInput, "version")),
  )
  .post(
    "/:regionCode/publish",
    contextCall(publishCenter, fromPath(centerPathInput, "regionCode"), fromBody(publishContentInput)),
  )
  .post(
    "/:regionCode/withdraw",
    contextCall(withdrawCenter, fromPath(centerPathInput, "regionCode"), fromBody(contentVersionInput, "version")),
  )
  .get("/:regionCode/history", contextCall(listCenterHistory, fromPath(centerPathInput, "regionCode")))
  .post(
    "/:regionCode/restore",
    contextCall(restoreCenter, fromPath(centerPathInput, "regionCode"), fromBody(restoreContentInput)),
  );
