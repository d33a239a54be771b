import { inArray } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import { mailTemplate } from "#db/schema/mail.ts";
import type { AppContext, BatchRows } from "#worker/domain/kernel/context.ts";
import {
  defaultTemplateText,
  renderTemplate,
  type MailTemplateKind,
  mailTemplateProblems,
  MAIL_TEMPLATES,
  type MailTemplateText,
  type MailTemplateValues,
  SITE_LINK_FIELD,
  SITE_NAME_FIELD,
} from "#worker/contract/mail/templates.ts";
import { identitySettings } from "#worker/contract/kernel/identity-setting.ts";
import type { OwnWords } from "#worker/contract/kernel/product-words.ts";
import { siteSettings } from "#worker/contract/kernel/site-setting.ts";

export type TemplateRenderer = <K extends MailTemplateKind>(kind: K, values: MailTemplateValues<K>) => MailTemplateText;

/** How messages are worded now: by the office where it did so, else as they come. */
export async function loadTemplateRenderer(ctx: Pick<AppContext, "db" | "origin">): Promise<TemplateRenderer> {
  return rendererOf(await ctx.db.batch(templateStatements(ctx.db)), ctx.origin);
}

/** What the wording of messages is read by, to be read with something else. */
export const templateStatements = (db: AppContext["db"]) =>
  [
    db.select().from(mailTemplate),
    db
      .select({ key: siteSetting.key, value: siteSetting.value })
      .from(siteSetting)
      .where(inArray(siteSetting.key, ["site", "identity"])),
  ] as const;

type TemplateRows = BatchRows<ReturnType<typeof templateStatements>>;

/** The settings of the site, as they were read for the wording. */
export const siteOf = ([, settings]: TemplateRows): unknown => settings.find(({ key }) => key === "site")?.value ?? {};

export function rendererOf(rows: TemplateRows, origin: string): TemplateRenderer {
  const [own, settings] = rows;
  const identity = settings.find(({ key }) => key === "identity")?.value ?? {};
  return templateRenderer(own, siteOf(rows), origin, identitySettings.parse(identity).words);
}

/** The same from rows that were read elsewhere. @param settings the stored settings of the site @param words its own */
export function templateRenderer(
  own: readonly { kind: string; subject: string; body: string }[],
  settings: unknown,
  origin: string,
  words: OwnWords = {},
): TemplateRenderer {
  const { siteName } = siteSettings.parse(settings);
  return (kind, values) => {
    // Empty where the office went back to the text in the code.
    const row = own.find((each) => each.kind === kind && each.subject !== "");
    const text = row && { subject: row.subject, text: row.body };
    // One that no longer fits its kind would go out with holes in it.
    const usable = text && Object.keys(mailTemplateProblems(MAIL_TEMPLATES[kind].fields, text)).length === 0;
    return renderTemplate(usable ? text : defaultTemplateText(kind, words), {
      [SITE_NAME_FIELD]: siteName,
      [SITE_LINK_FIELD]: origin,
      ...values,
    });
  };
}
