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
import {
  apiRoutes,
  scopeCall,
  contextCall,
  creatingCall,
  fromPath,
  fromQuery,
  fromBody,
  fromBodyWithin,
} from "../kernel/call.ts";

export const adminPopupApi = apiRoutes()
  .get("/", scopeCall(listPopups))
  .put("/", creatingCall(createPopup, fromBodyWithin(SIZE_LIMITS.postBytes, createPopupInput)))
  .post("/order", contextCall(orderPopups, fromBody(orderInput, "codes")))
  .patch(
    "/:id",
    contextCall(updatePopup, fromPath(popupPath, "id"), fromBodyWithin(SIZE_LIMITS.postBytes, updatePopupInput)),
  )
  .delete("/:id", contextCall(deletePopup, fromPath(popupPath, "id"), fromQuery(versionQuery, "version")));

export const adminQuickLinkApi = apiRoutes()
  .get("/", scopeCall(listQuickLinks))
  .put("/", creatingCall(createQuickLink, fromBody(createQuickLinkInput)))
  .post("/order", contextCall(orderQuickLinks, fromBody(orderInput, "codes")))
  .patch("/:id", contextCall(updateQuickLink, fromPath(quickLinkPath, "id"), fromBody(updateQuickLinkInput)))
  .delete("/:id", contextCall(deleteQuickLink, fromPath(quickLinkPath, "id"), fromQuery(versionQuery, "version")));
