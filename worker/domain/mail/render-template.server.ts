import { inArray, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { mailTemplate } from "#db/schema/mail.ts";
import { idsIn } from "#db/sql.ts";
import type { AppContext, BatchRows } from "#worker/domain/kernel/context.ts";
import {
  defaultTemplateText,
  ENGLISH_MAIL_TEXTS,
  type MailTemplateKind,
  type MailTemplateText,
  type MailTemplateValues,
  ownTemplateProblems,
  renderTemplate,
  SITE_LINK_FIELD,
  SITE_NAME_FIELD,
  valuesIn,
} from "#worker/contract/mail/templates.ts";
import { ENGLISH_ROOT, type Language } from "#worker/contract/kernel/language.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { identitySettings, siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import type { SiteWords } from "#worker/contract/kernel/wording.ts";

export type TemplateRenderer = <K extends MailTemplateKind>(kind: K, values: MailTemplateValues<K>) => MailTemplateText;

/** For the office, for people without an account, and for requests that name the language of their page. */
export async function loadTemplateRenderer(ctx: Pick<AppContext, "db" | "origin">, language: Language = "ko") {
  return rendererIn(await ctx.db.batch(templateStatements(ctx.db)), ctx.origin, language);
}

/** For letters to accounts, each in its language. */
export async function loadLetterRenderers(ctx: Pick<AppContext, "db" | "origin">, userIds: readonly string[]) {
  const [english, ...rows] = await ctx.db.batch([
    ctx.db
      .select({ id: user.id })
      .from(user)
      .where(sql`${user.language} = 'en' AND ${idsIn(user.id, userIds)}`),
    ...templateStatements(ctx.db),
  ]);
  const inEnglish = new Set(english.map(({ id }) => id));
  const renderers = { ko: rendererIn(rows, ctx.origin, "ko"), en: rendererIn(rows, ctx.origin, "en") };
  return (userId: string) => renderers[inEnglish.has(userId) ? "en" : "ko"];
}

export const loadLetterRenderer = async (ctx: Pick<AppContext, "db" | "origin">, userId: string) =>
  (await loadLetterRenderers(ctx, [userId]))(userId);

/** Korean if the site has no English name. */
function rendererIn(rows: TemplateRows, origin: string, language: Language): TemplateRenderer {
  const korean = rendererOf(rows, origin);
  const { siteName } = identityIn(rows).english;
  if (language === "ko" || siteName === "") return korean;
  const site = { [SITE_NAME_FIELD]: siteName, [SITE_LINK_FIELD]: origin + ENGLISH_ROOT };
  return (kind, values) => {
    const text = lookUp(ENGLISH_MAIL_TEXTS, kind);
    return text ? renderTemplate(text, { ...site, ...valuesIn("en", values) }) : korean(kind, values);
  };
}

export const templateStatements = (db: AppContext["db"]) =>
  [
    db.select().from(mailTemplate),
    db
      .select({ key: siteSetting.key, value: siteSetting.value })
      .from(siteSetting)
      .where(inArray(siteSetting.key, ["site", "identity"])),
  ] as const;

type TemplateRows = BatchRows<ReturnType<typeof templateStatements>>;

export const siteOf = ([, settings]: TemplateRows): unknown => settings.find(({ key }) => key === "site")?.value ?? {};

const identityIn = ([, settings]: TemplateRows) =>
  identitySettings.parse(settings.find(({ key }) => key === "identity")?.value ?? {});

export function rendererOf(rows: TemplateRows, origin: string): TemplateRenderer {
  return templateRenderer(rows[0], siteOf(rows), origin, identityIn(rows).words);
}

export function templateRenderer(
  own: readonly { kind: string; subject: string; body: string }[],
  settings: unknown,
  origin: string,
  words: SiteWords = {},
): TemplateRenderer {
  const { siteName } = siteSettings.parse(settings);
  return (kind, values) => {
    // The subject is empty after the office restored the default.
    const row = own.find((each) => each.kind === kind && each.subject !== "");
    const text = row && { subject: row.subject, text: row.body };
    // An outdated template would leave placeholders unfilled.
    const usable = text && Object.keys(ownTemplateProblems(kind, text, origin)).length === 0;
    return renderTemplate(usable ? text : defaultTemplateText(kind, words), {
      [SITE_NAME_FIELD]: siteName,
      [SITE_LINK_FIELD]: origin,
      ...valuesIn("ko", values),
    });
  };
}
