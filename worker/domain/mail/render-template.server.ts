import { eq } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import { mailTemplate } from "#db/schema/mail.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import {
  fillIn,
  type LetterKind,
  letterProblems,
  LETTERS,
  type LetterText,
  type LetterValues,
  SITE_FIELD,
} from "#worker/contract/mail/templates.ts";
import { siteSettings } from "#worker/contract/kernel/site-setting.ts";

export type Wording = <K extends LetterKind>(kind: K, values: LetterValues<K>) => LetterText;

/** How letters are worded now: by the office where it did so, else as they come. */
export async function wording(ctx: Pick<AppContext, "db">): Promise<Wording> {
  const [own, settings] = await ctx.db.batch([
    ctx.db.select().from(mailTemplate),
    ctx.db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "site")),
  ]);
  const { siteName } = siteSettings.parse(settings[0]?.value ?? {});
  return (kind, values) => {
    // Empty where the office went back to the text in the code.
    const row = own.find((each) => each.kind === kind && each.subject !== "");
    const text = row && { subject: row.subject, text: row.body };
    // One that no longer fits its kind would go out with holes in it.
    const usable = text && Object.keys(letterProblems(LETTERS[kind].fields, text)).length === 0;
    return fillIn(usable ? text : LETTERS[kind], { [SITE_FIELD]: siteName, ...values });
  };
}
