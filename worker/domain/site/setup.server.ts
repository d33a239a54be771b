import { and, eq, inArray, sql } from "drizzle-orm";
import { profileField, user } from "#db/schema/account.ts";
import { agreement, content } from "#db/schema/content.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { authenticationSettings } from "#worker/contract/account/setting-input.ts";
import { SIGNIN_KEY } from "#worker/contract/account/rules.ts";
import { signupClosedMessage } from "#worker/contract/account/view.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { usedFields } from "#worker/contract/alumni/alumni-settings.ts";
import { RETENTION_RULE_CODES, RETENTION_RULES } from "#worker/contract/audit/retention-rules.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { siteSettings } from "#worker/contract/kernel/site-setting.ts";
import { setupSettings } from "#worker/contract/site/input.ts";
import {
  type ConfirmedStep,
  type LegalDraftCode,
  SETUP_STEPS,
  type SetupStep,
  UNNAMED_SITE,
} from "#worker/contract/site/setup-rules.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { isAdministrator } from "../access/account-authority.server.ts";
import { missingSignupTexts, signupTextsStatement } from "../account/signup.server.ts";
import { alumniSettings, ownFields } from "../alumni/setting.server.ts";
import { readPrivacySettings } from "../audit/retention-setting.server.ts";
import { saveContent } from "../content/content-edit.server.ts";
import { authorizeConsole, conflict } from "../kernel/guarded-batch.server.ts";
import { identityOf } from "../kernel/identity.server.ts";
import { settingStatement, storeSetting } from "../kernel/setting.server.ts";
import { type LegalDraft, writeLegalDraft } from "./legal-draft.ts";

const ADMINISTRATORS_NEEDED = 2;

const setupStatements = (db: RequestScope["db"], now: Date) =>
  [
    db
      .select({ key: siteSetting.key, value: siteSetting.value, version: siteSetting.version })
      .from(siteSetting)
      .where(inArray(siteSetting.key, ["site", "authentication", "setup", "identity", "pages", "menu"])),
    signupTextsStatement(db, now),
    db
      .select({ code: agreement.code })
      .from(agreement)
      .where(and(eq(agreement.isCurrent, true), eq(agreement.required, true), sql`${agreement.code} <> 'terms'`)),
    db
      .select({ code: content.code })
      .from(content)
      .where(inArray(content.code, ["terms", "privacy"])),
    db
      .select({ id: user.id })
      .from(user)
      .where(and(eq(user.status, "active"), isAdministrator))
      .limit(ADMINISTRATORS_NEEDED),
  ] as const;

export async function getSetup(scope: RequestScope) {
  const { rows } = await scope.readFor(authorizeConsole, [...setupStatements(scope.db, scope.now())]);
  const [settings, texts, consents, written, administrators] = rows;
  const rowOf = (key: string) => settings.find((row) => row.key === key);
  const site = siteSettings.parse(rowOf("site")?.value ?? {});
  const { confirmed } = setupSettings.parse(rowOf("setup")?.value ?? {});
  const missing = missingSignupTexts(texts);
  const { organization, phone, email } = site.contact;
  const done: Record<SetupStep, boolean> = {
    name: site.siteName !== UNNAMED_SITE,
    contact: [organization, phone, email].every((value) => value !== ""),
    // A stored row proves a review; these settings have none by default.
    look: confirmed.includes("look") || rowOf("identity") !== undefined,
    pages: confirmed.includes("pages") || (rowOf("pages") ?? rowOf("menu")) !== undefined,
    authentication: confirmed.includes("authentication") || (rowOf("authentication")?.version ?? 1) > 1,
    terms: !missing.includes("terms"),
    privacy: !missing.includes("privacy"),
    consent: consents.length > 0,
    mail: confirmed.includes("mail"),
    boards: confirmed.includes("boards"),
    administrators: administrators.length >= ADMINISTRATORS_NEEDED,
  };
  return {
    steps: (Object.keys(SETUP_STEPS) as SetupStep[]).map((step) => ({ step, isDone: done[step] })),
    signupClosed: signupClosedMessage(missing),
    withoutText: (["terms", "privacy"] as const).filter((code) => !written.some((row) => row.code === code)),
  };
}

export type SetupView = View<typeof getSetup>;

/** @throws AppError CONFLICT */
export async function confirmSetupStep(ctx: AppContext, step: ConfirmedStep): Promise<{ step: ConfirmedStep }> {
  authorizeConsole(ctx);
  const [row] = await settingStatement(ctx.db, "setup");
  const { confirmed } = setupSettings.parse(row?.value ?? {});
  if (!confirmed.includes(step))
    await storeSetting(ctx, "setup", row?.version ?? 0, { confirmed: [...confirmed, step] }, { confirmed: [] });
  return { step };
}

export async function draftLegalText(ctx: AppContext, code: LegalDraftCode): Promise<LegalDraft> {
  authorizeConsole(ctx);
  const [settings, fields] = await ctx.db.batch([
    ctx.db
      .select()
      .from(siteSetting)
      .where(inArray(siteSetting.key, ["site", "authentication"])),
    ctx.db
      .select({ name: profileField.name, required: profileField.required })
      .from(profileField)
      .where(eq(profileField.isClosed, false))
      .orderBy(profileField.sortOrder),
  ]);
  const valueOf = (key: string) => settings.find((row) => row.key === key)?.value ?? {};
  const { siteName, contact } = siteSettings.parse(valueOf("site"));
  const { authType, signupApproval } = authenticationSettings.parse(valueOf("authentication"));
  const { rules, requestDays } = await readPrivacySettings(ctx);
  return writeLegalDraft(code, {
    siteName,
    ...contact,
    day: legalDay(ctx.now()),
    signinKey: SIGNIN_KEY[authType],
    signupApproval,
    profileFields: fields,
    alumniFields: [
      ...usedFields(alumniSettings(ctx)).map((field) => ALUMNI_COLUMN_LABELS[field]),
      ...ownFields(ctx).map(({ name }) => name),
    ],
    retention: RETENTION_RULE_CODES.flatMap((rule) => {
      const { label, since } = RETENTION_RULES[rule];
      return rules[rule].on ? [{ label, since, days: rules[rule].days }] : [];
    }),
    requestDays,
    sendsMail: ctx.config.RESEND_API_KEY !== undefined,
    sendsSms: ctx.config.SMS_API_KEY !== undefined,
    hasCaseReport: ctx.config.CASE_REPORT_URL !== "" && identityOf(ctx).hasCaseReport,
  });
}

/** Stores the text as the draft of an unwritten page, for review. @throws AppError CONFLICT */
export async function createPageDraft(ctx: AppContext, code: "terms" | "privacy"): Promise<{ code: string }> {
  authorizeConsole(ctx);
  const [row] = await ctx.db.select({ code: content.code }).from(content).where(eq(content.code, code));
  if (row) throw conflict("이미 적어 둔 글이 있습니다. 그 글을 고쳐 주십시오.");
  const draft = await draftLegalText(ctx, code);
  await saveContent(ctx, code, { ...draft, englishTitle: "", englishContent: "", fileIds: [], version: 0 });
  return { code };
}

const legalDay = (date: Date) =>
  koreanDay(date)
    .split("-")
    .map((part) => `${Number(part)}.`)
    .join(" ");
