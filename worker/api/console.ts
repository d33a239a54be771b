import { Hono } from "hono";
import { adminReportApi } from "../board-item-report.ts";
import type { ApiEnv } from "../http.ts";
import { adminBoardApi } from "./board.ts";
import { adminPopupApi, adminQuickLinkApi } from "./home.ts";
import { adminAuditApi, adminDashboardApi, adminJobApi, adminMessageApi } from "./log.ts";
import { adminConsentApi, adminLetterApi } from "./letter.ts";
import { adminMemberApi } from "./member.ts";
import { adminPrivacyApi } from "./privacy.ts";
import { adminRoleApi } from "./role.ts";
import { adminSettingApi } from "./setting.ts";

/** Each verb asks for ADMIN_Access in its first line. */
export const adminApi = new Hono<ApiEnv>()
  .route("/setting", adminSettingApi)
  .route("/role", adminRoleApi)
  .route("/member", adminMemberApi)
  .route("/board", adminBoardApi)
  .route("/popup", adminPopupApi)
  .route("/quick-link", adminQuickLinkApi)
  .route("/report", adminReportApi)
  .route("/dashboard", adminDashboardApi)
  .route("/audit", adminAuditApi)
  .route("/message", adminMessageApi)
  .route("/letter", adminLetterApi)
  .route("/consent", adminConsentApi)
  .route("/job", adminJobApi)
  .route("/privacy", adminPrivacyApi);
