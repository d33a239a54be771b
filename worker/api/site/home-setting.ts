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
import { SIZES } from "#worker/contract/kernel/limits.ts";
import { createPopup, deletePopup, listPopups, orderPopups, updatePopup } from "#worker/domain/site/popup.server.ts";
import {
  createQuickLink,
  deleteQuickLink,
  listQuickLinks,
  orderQuickLinks,
  updateQuickLink,
} from "#worker/domain/site/quick-link.server.ts";
import { type ApiEnv, body, ok, opened, path, query } from "../kernel/http.ts";

export const adminPopupApi = new Hono<ApiEnv>()
  .get("/", async (c) => ok(c, await listPopups(c.var.door)))
  .put("/", body(createPopupInput, SIZES.postBytes), async (c) =>
    ok(c, await createPopup(await opened(c), c.req.valid("json"))),
  )
  .post("/order", body(orderInput), async (c) => ok(c, await orderPopups(await opened(c), c.req.valid("json").codes)))
  .patch("/:id", path(popupPath), body(updatePopupInput, SIZES.postBytes), async (c) =>
    ok(c, await updatePopup(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", path(popupPath), query(versionQuery), async (c) =>
    ok(c, await deletePopup(await opened(c), c.req.valid("param").id, c.req.valid("query").version)),
  );

export const adminQuickLinkApi = new Hono<ApiEnv>()
  .get("/", async (c) => ok(c, await listQuickLinks(c.var.door)))
  .put("/", body(createQuickLinkInput), async (c) => ok(c, await createQuickLink(await opened(c), c.req.valid("json"))))
  .post("/order", body(orderInput), async (c) =>
    ok(c, await orderQuickLinks(await opened(c), c.req.valid("json").codes)),
  )
  .patch("/:id", path(quickLinkPath), body(updateQuickLinkInput), async (c) =>
    ok(c, await updateQuickLink(await opened(c), c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", path(quickLinkPath), query(versionQuery), async (c) =>
    ok(c, await deleteQuickLink(await opened(c), c.req.valid("param").id, c.req.valid("query").version)),
  );
