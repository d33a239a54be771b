import { Hono } from "hono";
import {
  createPopupInput,
  createQuickLinkInput,
  popupPath,
  quickLinkPath,
  updatePopupInput,
  updateQuickLinkInput,
} from "#worker/contract/site/input.ts";
import { orderInput, versionQuery } from "#worker/contract/kernel/fields.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { createPopup, deletePopup, listPopups, orderPopups, updatePopup } from "#worker/domain/site/popup.server.ts";
import {
  createQuickLink,
  deleteQuickLink,
  listQuickLinks,
  orderQuickLinks,
  updateQuickLink,
} from "#worker/domain/site/quick-link.server.ts";
import { type ApiEnv, validateBody, sendData, openContext, validatePath, validateQuery } from "../kernel/http.ts";

export const adminPopupApi = new Hono<ApiEnv>()
  .get("/", async (c) => sendData(c, await listPopups(c.var.scope)))
  .put("/", validateBody(createPopupInput, SIZE_LIMITS.postBytes), async (c) =>
    sendData(c, await createPopup(await openContext(c), c.req.valid("json"))),
  )
  .post("/order", validateBody(orderInput), async (c) =>
    sendData(c, await orderPopups(await openContext(c), c.req.valid("json").codes)),
  )
  .patch("/:id", validatePath(popupPath), validateBody(updatePopupInput, SIZE_LIMITS.postBytes), async (c) =>
    sendData(c, await updatePopup(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", validatePath(popupPath), validateQuery(versionQuery), async (c) =>
    sendData(c, await deletePopup(await openContext(c), c.req.valid("param").id, c.req.valid("query").version)),
  );

export const adminQuickLinkApi = new Hono<ApiEnv>()
  .get("/", async (c) => sendData(c, await listQuickLinks(c.var.scope)))
  .put("/", validateBody(createQuickLinkInput), async (c) =>
    sendData(c, await createQuickLink(await openContext(c), c.req.valid("json"))),
  )
  .post("/order", validateBody(orderInput), async (c) =>
    sendData(c, await orderQuickLinks(await openContext(c), c.req.valid("json").codes)),
  )
  .patch("/:id", validatePath(quickLinkPath), validateBody(updateQuickLinkInput), async (c) =>
    sendData(c, await updateQuickLink(await openContext(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", validatePath(quickLinkPath), validateQuery(versionQuery), async (c) =>
    sendData(c, await deleteQuickLink(await openContext(c), c.req.valid("param").id, c.req.valid("query").version)),
  );
