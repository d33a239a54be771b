import * as input from "#worker/contract/site/input.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import * as popups from "#worker/domain/site/popup.server.ts";
import * as quickLinks from "#worker/domain/site/quick-link.server.ts";
import { apiRoutes, contextCall, creatingCall, scopeCall, sent } from "../kernel/call.ts";

const popupApi = apiRoutes()
  .get("/", scopeCall(popups.listPopups))
  .put("/", creatingCall(popups.createPopup, sent.bodyWithin(SIZE_LIMITS.postBytes, input.createPopupInput)))
  .post("/order", contextCall(popups.orderPopups, sent.order))
  .patch(
    "/:id",
    contextCall(popups.updatePopup, sent.rowId, sent.bodyWithin(SIZE_LIMITS.postBytes, input.updatePopupInput)),
  )
  .delete("/:id", contextCall(popups.deletePopup, sent.rowId, sent.version));

const quickLinkApi = apiRoutes()
  .get("/", scopeCall(quickLinks.listQuickLinks))
  .put("/", creatingCall(quickLinks.createQuickLink, sent.body(input.createQuickLinkInput)))
  .post("/order", contextCall(quickLinks.orderQuickLinks, sent.order))
  .patch("/:id", contextCall(quickLinks.updateQuickLink, sent.rowId, sent.body(input.updateQuickLinkInput)))
  .delete("/:id", contextCall(quickLinks.deleteQuickLink, sent.rowId, sent.version));

export const adminHomeApi = apiRoutes().route("/popup", popupApi).route("/quick-link", quickLinkApi);
