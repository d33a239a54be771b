import {
  createPopupInput,
  createQuickLinkInput,
  popupPath,
  quickLinkPath,
  updatePopupInput,
  updateQuickLinkInput,
} from "#worker/contract/site/input.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import * as popups from "#worker/domain/site/popup.server.ts";
import * as quickLinks from "#worker/domain/site/quick-link.server.ts";
import {
  apiRoutes,
  bodyOrder,
  contextCall,
  creatingCall,
  fromBody,
  fromBodyWithin,
  fromPath,
  queryVersion,
  scopeCall,
} from "../kernel/call.ts";

export const adminPopupApi = apiRoutes()
  .get("/", scopeCall(popups.listPopups))
  .put("/", creatingCall(popups.createPopup, fromBodyWithin(SIZE_LIMITS.postBytes, createPopupInput)))
  .post("/order", contextCall(popups.orderPopups, bodyOrder))
  .patch(
    "/:id",
    contextCall(popups.updatePopup, fromPath(popupPath, "id"), fromBodyWithin(SIZE_LIMITS.postBytes, updatePopupInput)),
  )
  .delete("/:id", contextCall(popups.deletePopup, fromPath(popupPath, "id"), queryVersion));

export const adminQuickLinkApi = apiRoutes()
  .get("/", scopeCall(quickLinks.listQuickLinks))
  .put("/", creatingCall(quickLinks.createQuickLink, fromBody(createQuickLinkInput)))
  .post("/order", contextCall(quickLinks.orderQuickLinks, bodyOrder))
  .patch("/:id", contextCall(quickLinks.updateQuickLink, fromPath(quickLinkPath, "id"), fromBody(updateQuickLinkInput)))
  .delete("/:id", contextCall(quickLinks.deleteQuickLink, fromPath(quickLinkPath, "id"), queryVersion));
