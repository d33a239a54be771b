import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { popups } from "#worker/domain/site/popup.server.ts";
import { quickLinks } from "#worker/domain/site/quick-link.server.ts";
import { apiRoutes } from "../kernel/call.ts";
import { rowRoutes } from "../kernel/row-routes.ts";

export const adminHomeApi = apiRoutes()
  .route("/popup", rowRoutes(popups, SIZE_LIMITS.postBytes))
  .route("/quick-link", rowRoutes(quickLinks));
