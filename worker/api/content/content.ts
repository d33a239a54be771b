import { Hono } from "hono";
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
import { type ApiEnv, validateBody, sendData, openContext, validatePath } from "../kernel/http.ts";

const requireCenterAccess = requireAccess((c) => ({
  action: "Center.Manage",
  regionCode: c.req.param("regionCode") ?? "",
}));

// A preview is the page itself with `?preview=1`, for administrators alone.
export const adminContentApi = new Hono<ApiEnv>()
  .get("/", async (c) => sendData(c, await listContents(await openContext(c))))
  .get("/:code", validatePath(contentPath), async (c) =>
    sendData(c, await getContentToEdit(await openContext(c), c.req.valid("param").code)),
  )
  .put("/:code/draft", validatePath(contentPath), validateBody(saveContentInput, SIZE_LIMITS.postBytes), async (c) =>
    sendData(c, await saveContent(await openContext(c), c.req.valid("param").code, c.req.valid("json"))),
  )
  .delete("/:code/draft", validatePath(contentPath), validateBody(contentVersionInput), async (c) =>
    sendData(c, await dropContentDraft(await openContext(c), c.req.valid("param").code, c.req.valid("json").version)),
  )
  .post("/:code/publish", validatePath(contentPath), validateBody(publishContentInput), async (c) =>
    sendData(c, await publishContent(await openContext(c), c.req.valid("param").code, c.req.valid("json"))),
  )
  .post("/:code/withdraw", validatePath(contentPath), validateBody(contentVersionInput), async (c) =>
    sendData(c, await withdrawContent(await openContext(c), c.req.valid("param").code, c.req.valid("json").version)),
  )
  .get("/:code/history", validatePath(contentPath), async (c) =>
    sendData(c, await listContentHistory(await openContext(c), c.req.valid("param").code)),
  )
  .get("/:code/history/:versionNo", validatePath(contentHistoryPath), async (c) =>
    sendData(c, await getContentVersion(await openContext(c), c.req.valid("param"))),
  )
  .post("/:code/restore", validatePath(contentPath), validateBody(restoreContentInput), async (c) =>
    sendData(c, await restoreContent(await openContext(c), c.req.valid("param").code, c.req.valid("json"))),
  );

export const adminCenterApi = new Hono<ApiEnv>()
  .use("/:regionCode/*", requireCenterAccess)
  .get("/", async (c) => sendData(c, await listCenters(await openContext(c))))
  .post("/order", validateBody(orderCentersInput), async (c) =>
    sendData(c, await orderCenters(await openContext(c), c.req.valid("json").codes)),
  )
  .get("/:regionCode", validatePath(centerPathInput), async (c) =>
    sendData(c, await getCenterToEdit(await openContext(c), c.req.valid("param").regionCode)),
  )
  .put("/:regionCode/draft", validatePath(centerPathInput), validateBody(saveCenterInput), async (c) =>
    sendData(c, await saveCenter(await openContext(c), c.req.valid("param").regionCode, c.req.valid("json"))),
  )
  .delete("/:regionCode/draft", validatePath(centerPathInput), validateBody(contentVersionInput), async (c) =>
    sendData(
      c,
      await dropCenterDraft(await openContext(c), c.req.valid("param").regionCode, c.req.valid("json").version),
    ),
  )
  .post("/:regionCode/publish", validatePath(centerPathInput), validateBody(publishContentInput), async (c) =>
    sendData(c, await publishCenter(await openContext(c), c.req.valid("param").regionCode, c.req.valid("json"))),
  )
  .post("/:regionCode/withdraw", validatePath(centerPathInput), validateBody(contentVersionInput), async (c) =>
    sendData(
      c,
      await withdrawCenter(await openContext(c), c.req.valid("param").regionCode, c.req.valid("json").version),
    ),
  )
  .get("/:regionCode/history", validatePath(centerPathInput), async (c) =>
    sendData(c, await listCenterHistory(await openContext(c), c.req.valid("param").regionCode)),
  )
  .post("/:regionCode/restore", validatePath(centerPathInput), validateBody(restoreContentInput), async (c) =>
    sendData(c, await restoreCenter(await openContext(c), c.req.valid("param").regionCode, c.req.valid("json"))),
  );
