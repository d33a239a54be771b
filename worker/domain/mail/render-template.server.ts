import { inArray } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import { mailTemplate } from "#db/schema/mail.ts";
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
} from "#worker/contract/mail/templates.ts";
import { ENGLISH_ROOT, type Language } from "#worker/contract/kernel/language.ts";
import { identitySettings, siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import type { SiteWords } from "#worker/contract/kernel/wording.ts";

export type TemplateRenderer = <K extends MailTemplateKind>(kind: K, values: MailTemplateValues<K>) => MailTemplateText;

export async function loadTemplateRenderer(ctx: Pick<AppContext, "db" | "origin">, language: Language = "ko") {
  const rows = await ctx.db.batch(templateStatements(ctx.db));
  const korean = rendererOf(rows, ctx.origin);
  return language === "en" ? englishRenderer(identityIn(rows).english.siteName, ctx.origin, korean) : korean;
}

/** For requests from an English page; Korean if the site has no English name. */
function englishRenderer(siteName: string, origin: string, korean: TemplateRenderer): TemplateRenderer {
  if (siteName === "") return korean;
  return (kind, values) => {
    const text = ENGLISH_MAIL_TEXTS[kind];
    const site = { [SITE_NAME_FIELD]: siteName, [SITE_LINK_FIELD]: origin + ENGLISH_ROOT };
    return text ? renderTemplate(text, { ...site, ...values }) : korean(kind, values);
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
      ...values,
    });
  };
}
