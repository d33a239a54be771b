import { adminCorrectionApi, adminRepresentativeApi } from "./alumni/cohort.ts";
import { apiRoutes } from "./kernel/call.ts";
import { adminReportApi } from "./board/item.ts";
import { alumniFields } from "#worker/domain/alumni/own-field.server.ts";
import { profileFields } from "#worker/domain/account/profile-field.server.ts";
import { recentSecondFactor, requireAccess } from "./kernel/access.ts";
import { rowRoutes } from "./kernel/row-routes.ts";
import { adminSecondFactorApi } from "./account/second-factor.ts";
import { adminAgreementApi } from "./content/content.ts";
import { adminBoardApi } from "./board/board.ts";
import { adminHomeApi, adminSettingApi, adminSetupApi } from "./site/setting.ts";
import { adminAuditApi, adminDashboardApi, adminJobApi, adminMessageApi } from "./operation/operation.ts";
import { adminMovingApi } from "./moving/moving.ts";
import { adminMailTemplateApi } from "./mail/mail.ts";
import { adminMailingApi, adminRoundApi } from "./mailing/mailing.ts";
import { adminConsentApi, adminMemberApi } from "./member/member.ts";
import { adminPrivacyApi, suspensionApi } from "./privacy/privacy.ts";
import { adminRoleApi } from "./access/role.ts";

/** Checks ADMIN_Access before a body is read; each function checks it again. */
export const adminApi = apiRoutes()
  .use(requireAccess({ action: "ADMIN_Access" }))
  .route("/setting", adminSettingApi)
  .route("/setup", adminSetupApi)
  .route("/setting/alumni/field", rowRoutes(alumniFields, { guard: recentSecondFactor }))
  .route("/setting/profile-field", rowRoutes(profileFields))
  .route("/setting/agreement", adminAgreementApi)
  .route("/role", adminRoleApi)
  .route("/member", adminMemberApi)
  .route("/member", suspensionApi)
  .route("/second-factor", adminSecondFactorApi)
  .route("/board", adminBoardApi)
  .route("/", adminHomeApi)
  .route("/report", adminReportApi)
  .route("/dashboard", adminDashboardApi)
  .route("/audit", adminAuditApi)
  .route("/message", adminMessageApi)
  .route("/mail-template", adminMailTemplateApi)
  .route("/mailing", adminMailingApi)
  .route("/round", adminRoundApi)
  .route("/representative", adminRepresentativeApi)
  .route("/correction", adminCorrectionApi)
  .route("/consent", adminConsentApi)
  .route("/job", adminJobApi)
  .route("/privacy", adminPrivacyApi)
  .route("/moving", adminMovingApi);
