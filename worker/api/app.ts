import { Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { openRequestScope } from "#worker/context.server.ts";
import { readCredential } from "#worker/credential.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { adminMemberEntryApi, alumniApi, certificateApi } from "./alumni/alumni.ts";
import { adminCorrectionApi, adminRepresentativeApi, cohortApi } from "./alumni/cohort.ts";
import { adminDepositApi, adminDueApi } from "./alumni/due.ts";
import { adminAgreementApi, adminCenterApi, adminContentApi } from "./content/content.ts";
import { adminBoardApi, boardApi, notificationApi } from "./board/board.ts";
import {
  adminReportApi,
  boardItemApi,
  boardItemCommentApi,
  boardItemDraftApi,
  boardItemFileApi,
  boardItemReportApi,
} from "./board/item.ts";
import { caseReportApi } from "./case-report/case-report.ts";
import { authorize } from "#worker/domain/kernel/authorize.server.ts";
import { apiRoutes, responseCall } from "./kernel/call.ts";
import { type ApiEnv, dropBody, errorResponse, openContext } from "./kernel/http.ts";
import { adminInquiryApi, inquiryApi } from "./inquiry/inquiry.ts";
import { adminProposalApi, adminProposalCallApi, projectApi, proposalApi } from "./proposal/proposal.ts";
import { adminEventApi, eventApi, guestEventApi } from "./event/event.ts";
import { fileApi } from "./file/file.ts";
import { adminMailingApi, adminRoundApi, confirmationApi, invitationApi, mailingAnswerApi } from "./mailing/mailing.ts";
import { adminMailTemplateApi, unsubscribeApi } from "./mail/mail.ts";
import { adminHomeApi, adminSettingApi, adminSetupApi, siteSettingApi } from "./site/setting.ts";
import { adminPrivacyApi, ownPrivacyApi, suspensionApi } from "./privacy/privacy.ts";
import { adminSecondFactorApi, secondFactorApi } from "./account/second-factor.ts";
import { userApi, userKeyApi } from "./account/user.ts";
import { alumniFields } from "#worker/domain/alumni/own-field.server.ts";
import { certificateKinds } from "#worker/domain/alumni/certificate-kind.server.ts";
import { dueKinds } from "#worker/domain/alumni/dues/kind.server.ts";
import { profileFields } from "#worker/domain/account/profile-field.server.ts";
import { recentSecondFactor, requireAccess } from "./kernel/access.ts";
import { rowRoutes } from "./kernel/row-routes.ts";
import { adminAuditApi, adminDashboardApi, adminJobApi, adminMessageApi } from "./operation/operation.ts";
import { adminMovingApi } from "./moving/moving.ts";
import { adminConsentApi, adminMemberApi } from "./member/member.ts";
import { adminRoleApi } from "./access/role.ts";

const base = new Hono<ApiEnv>().basePath("/api").use(requestId({ headerName: "" }), async (c, next) => {
  c.set(
    "scope",
    openRequestScope({
      request: c.req.raw,
      env: c.env,
      requestId: c.var.requestId,
      credential: readCredential(c.req.raw),
      defer: (work) => c.executionCtx.waitUntil(work),
    }),
  );
  await next();
  if (c.res.status >= 400) await dropBody(c.req.raw);
  // Set by hand: hono/secure-headers sends nine more, which only pages need.
  if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "private, no-store");
  if (!c.res.headers.has("Content-Security-Policy"))
    c.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  c.header("X-Content-Type-Options", "nosniff");
});

/** Checks ADMIN_Access before a body is read; each function checks it again. */
const adminApi = apiRoutes()
  .use(requireAccess({ action: "ADMIN_Access" }))
  .route("/setting", adminSettingApi)
  .route("/setup", adminSetupApi)
  .route("/setting/alumni/field", rowRoutes(alumniFields, { guard: recentSecondFactor }))
  .route("/certificate-kind", rowRoutes(certificateKinds))
  .route("/due-kind", rowRoutes(dueKinds))
  .route("/due", adminDueApi)
  .route("/due/deposit", adminDepositApi)
  .route("/setting/profile-field", rowRoutes(profileFields))
  .route("/setting/agreement", adminAgreementApi)
  .route("/role", adminRoleApi)
  .route("/member", adminMemberApi)
  .route("/member", suspensionApi)
  .route("/member", adminMemberEntryApi)
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
  .route("/event", adminEventApi)
  .route("/proposal", adminProposalApi)
  .route("/proposal-call", adminProposalCallApi)
  .route("/representative", adminRepresentativeApi)
  .route("/correction", adminCorrectionApi)
  .route("/consent", adminConsentApi)
  .route("/job", adminJobApi)
  .route("/privacy", adminPrivacyApi)
  .route("/moving", adminMovingApi);

const routes = base
  .use(
    methodNotAllowed<ApiEnv>({
      app: base,
      onMethodNotAllowed: (c, methods) => {
        c.header("Allow", methods.join(", "));
        return errorResponse(c, new AppError("METHOD_NOT_ALLOWED"));
      },
    }),
  )
  .route("/site-setting", siteSettingApi)
  .route("/user", ownPrivacyApi)
  .route("/user", userApi)
  .route("/user", notificationApi)
  .route("/user-key", userKeyApi)
  .route("/second-factor", secondFactorApi)
  .route("/board", boardApi)
  .route("/board-item", boardItemApi)
  .route("/board-item-file", boardItemFileApi)
  .route("/board-item-draft", boardItemDraftApi)
  .route("/board-item-comment", boardItemCommentApi)
  .route("/board-item-report", boardItemReportApi)
  .route("/file", fileApi)
  .route("/inquiry", inquiryApi)
  .route("/event", eventApi)
  .route("/event-guest", guestEventApi)
  .route("/proposal", proposalApi)
  .route("/project", projectApi)
  .route("/mail", unsubscribeApi)
  .route("/confirmation", confirmationApi)
  .route("/mailing-answer", mailingAnswerApi)
  .route("/alumni", alumniApi)
  .route("/alumni", invitationApi)
  .route("/certificate", certificateApi)
  .route("/cohort", cohortApi)
  // Registered before the console, which requires ADMIN_Access: regional managers and inquiry staff do not have it.
  .route("/admin/center", adminCenterApi)
  .route("/admin/inquiry", adminInquiryApi)
  .route("/admin", adminApi)
  .route("/admin/content", adminContentApi)
  .route("/case-report", caseReportApi)
  .get(
    "/admin/openapi.json",
    responseCall(async (c) => {
      authorize(await openContext(c), { action: "ADMIN_Access" });
      const { openApiOf } = await import("./kernel/openapi.ts");
      document ??= openApiOf(base.routes);
      return c.json(document);
    }),
  );

/** The same for every request. */
let document: object | undefined;

export const api = routes
  .notFound((c) => errorResponse(c, new AppError("NOT_FOUND")))
  .onError((error, c) => errorResponse(c, error));

export type Api = typeof routes;
