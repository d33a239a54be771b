import {
  createPopupInput,
  createQuickLinkInput,
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
  pathRowId,
  queryVersion,
  scopeCall,
} from "../kernel/call.ts";

const popupApi = apiRoutes()
  .get("/", scopeCall(popups.listPopups))
  .put("/", creatingCall(popups.createPopup, fromBodyWithin(SIZE_LIMITS.postBytes, createPopupInput)))
  .post("/order", contextCall(popups.orderPopups, bodyOrder))
  .patch("/:id", contextCall(popups.updatePopup, pathRowId, fromBodyWithin(SIZE_LIMITS.postBytes, updatePopupInput)))
  .delete("/:id", contextCall(popups.deletePopup, pathRowId, queryVersion));

const quickLinkApi = apiRoutes()
  .get("/", scopeCall(quickLinks.listQuickLinks))
  .put("/", creatingCall(quickLinks.createQuickLink, fromBody(createQuickLinkInput)))
  .post("/order", contextCall(quickLinks.orderQuickLinks, bodyOrder))
  .patch("/:id", contextCall(quickLinks.updateQuickLink, pathRowId, fromBody(updateQuickLinkInput)))
  .delete("/:id", contextCall(quickLinks.deleteQuickLink, pathRowId, queryVersion));

/** The rows that the office sets, each under the name that it has in the console. */
export const adminHomeApi = apiRoutes().route("/popup", popupApi).route("/quick-link", quickLinkApi);
