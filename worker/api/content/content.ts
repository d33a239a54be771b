import { Hono } from "hono";
import { centerPathInput, orderCentersInput, saveCenterInput } from "#worker/contract/content/center-input.ts";
import {
  contentPath,
  historyPath,
  publishInput,
  restoreInput,
  rowVersionInput,
  saveContentInput,
} from "#worker/contract/content/input.ts";
import { SIZES } from "#worker/contract/kernel/limits.ts";
import {
  centerHistory,
  centerToEdit,
  dropCenterDraft,
  listCenters,
  orderCenters,
  publishCenter,
  restoreCenter,
  saveCenter,
  withdrawCenter,
} from "#worker/domain/content/center-edit.server.ts";
import {
  contentHistory,
  contentToEdit,
  contentVersionView,
  dropContentDraft,
  listContents,
  publishContent,
  restoreContent,
  saveContent,
  withdrawContent,
} from "#worker/domain/content/edit.server.ts";
import { type ApiEnv, body, ok, opened, path } from "../kernel/http.ts";

// A preview is the page itself with `?preview=1`, for administrators alone.
export const adminContentApi = new Hono<ApiEnv>()
  .get("/", async (c) => ok(c, await listContents(await opened(c))))
  .get("/:code", path(contentPath), async (c) => ok(c, await contentToEdit(await opened(c), c.req.valid("param").code)))
  .put("/:code/draft", path(contentPath), body(saveContentInput, SIZES.postBytes), async (c) =>
    ok(c, await saveContent(await opened(c), c.req.valid("param").code, c.req.valid("json"))),
  )
  .delete("/:code/draft", path(contentPath), body(rowVersionInput), async (c) =>
    ok(c, await dropContentDraft(await opened(c), c.req.valid("param").code, c.req.valid("json").version)),
  )
  .post("/:code/publish", path(contentPath), body(publishInput), async (c) =>
    ok(c, await publishContent(await opened(c), c.req.valid("param").code, c.req.valid("json"))),
  )
  .post("/:code/withdraw", path(contentPath), body(rowVersionInput), async (c) =>
    ok(c, await withdrawContent(await opened(c), c.req.valid("param").code, c.req.valid("json").version)),
  )
  .get("/:code/history", path(contentPath), async (c) =>
    ok(c, await contentHistory(await opened(c), c.req.valid("param").code)),
  )
  .get("/:code/history/:versionNo", path(historyPath), async (c) =>
    ok(c, await contentVersionView(await opened(c), c.req.valid("param"))),
  )
  .post("/:code/restore", path(contentPath), body(restoreInput), async (c) =>
    ok(c, await restoreContent(await opened(c), c.req.valid("param").code, c.req.valid("json"))),
  );

export const adminCenterApi = new Hono<ApiEnv>()
  .get("/", async (c) => ok(c, await listCenters(await opened(c))))
  .post("/order", body(orderCentersInput), async (c) =>
    ok(c, await orderCenters(await opened(c), c.req.valid("json").codes)),
  )
  .get("/:regionCode", path(centerPathInput), async (c) =>
    ok(c, await centerToEdit(await opened(c), c.req.valid("param").regionCode)),
  )
  .put("/:regionCode/draft", path(centerPathInput), body(saveCenterInput), async (c) =>
    ok(c, await saveCenter(await opened(c), c.req.valid("param").regionCode, c.req.valid("json"))),
  )
  .delete("/:regionCode/draft", path(centerPathInput), body(rowVersionInput), async (c) =>
    ok(c, await dropCenterDraft(await opened(c), c.req.valid("param").regionCode, c.req.valid("json").version)),
  )
  .post("/:regionCode/publish", path(centerPathInput), body(publishInput), async (c) =>
    ok(c, await publishCenter(await opened(c), c.req.valid("param").regionCode, c.req.valid("json"))),
  )
  .post("/:regionCode/withdraw", path(centerPathInput), body(rowVersionInput), async (c) =>
    ok(c, await withdrawCenter(await opened(c), c.req.valid("param").regionCode, c.req.valid("json").version)),
  )
  .get("/:regionCode/history", path(centerPathInput), async (c) =>
    ok(c, await centerHistory(await opened(c), c.req.valid("param").regionCode)),
  )
  .post("/:regionCode/restore", path(centerPathInput), body(restoreInput), async (c) =>
    ok(c, await restoreCenter(await opened(c), c.req.valid("param").regionCode, c.req.valid("json"))),
  );
