import { and, eq, inArray, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { agreement, content } from "#db/schema/content.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { signupClosedMessage } from "#worker/contract/account/view.ts";
import { siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import { setupSettings } from "#worker/contract/site/input.ts";
import { type ConfirmedStep, SETUP_STEPS, type SetupStep, UNNAMED_SITE } from "#worker/contract/site/setup-rules.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { isAdministrator } from "../access/account-authority.server.ts";
import { missingSignupTexts, signupTextsStatement } from "../account/signup.server.ts";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";
import { settingStatement, storeSetting } from "../kernel/setting.server.ts";

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
