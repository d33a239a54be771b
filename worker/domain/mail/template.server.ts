import { and, eq, sql } from "drizzle-orm";
import { userKey } from "#db/schema/account.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { mailTemplate } from "#db/schema/mail.ts";
import type { AppContext, Door } from "#worker/domain/kernel/context.ts";
import type { LetterRow, LetterView } from "#worker/contract/mail/view.ts";
import type { UpdateLetterInput } from "#worker/contract/mail/input.ts";
import { AppError, invalid } from "#worker/contract/kernel/errors.ts";
import {
  fillIn,
  LETTER_KINDS,
  type LetterKind,
  letterProblems,
  LETTERS,
  type LetterText,
  sampleValues,
  SITE_FIELD,
} from "#worker/contract/mail/templates.ts";
import { siteSettings } from "#worker/contract/kernel/site-setting.ts";
import { signedIn } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { deliverSoon, queueLetter } from "./message.server.ts";
import { administrating, change, conflict, difference } from "../kernel/change.server.ts";

type Row = typeof mailTemplate.$inferSelect;
const rowStatement = (db: Door["db"], kind: string) =>
  db.select().from(mailTemplate).where(eq(mailTemplate.kind, kind));
const siteStatement = (db: Door["db"]) =>
  db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "site"));

/** Every letter that goes out by itself. */
export async function listLetters(door: Door): Promise<LetterRow[]> {
  const { ctx, rows } = await door.read([door.db.select().from(mailTemplate)]);
  administrating(ctx);
  return LETTER_KINDS.map((kind) => {
    const row = rows[0].find((each) => each.kind === kind && each.subject !== "");
    return { kind, isChanged: row !== undefined, modifiedDate: row?.modifiedDate.toISOString() ?? null };
  });
}

/** @throws AppError NOT_FOUND */
export async function getLetter(door: Door, given: string): Promise<LetterView> {
  const { ctx, rows } = await door.read([rowStatement(door.db, given), siteStatement(door.db)]);
  administrating(ctx);
  const kind = kindOf(given);
  const { siteName } = siteSettings.parse(rows[1][0]?.value ?? {});
  const ownAddress = await ownAddressOf(ctx);
  const [row] = rows[0];
  return {
    kind,
    ...textOf(kind, row),
    isChanged: isChanged(row),
    version: row?.version ?? 0,
    siteName,
    origin: ctx.config.SITE_ORIGIN,
    ownAddress,
  };
}

function kindOf(given: string): LetterKind {
  const kind = LETTER_KINDS.find((each) => each === given);
  if (!kind) throw new AppError("NOT_FOUND", { message: "그런 메일이 없습니다." });
  return kind;
}

const isChanged = (row: Row | undefined) => row !== undefined && row.subject !== "";

function textOf(kind: LetterKind, row: Row | undefined): LetterText {
  if (row && isChanged(row)) return { subject: row.subject, text: row.body };
  const { subject, text } = LETTERS[kind];
  return { subject, text };
}

/** @throws AppError INVALID_INPUT naming the place that does not fit, CONFLICT when somebody saved meanwhile */
export async function updateLetter(
  ctx: AppContext,
  given: string,
  input: UpdateLetterInput,
): Promise<{ version: number }> {
  administrating(ctx);
  const kind = kindOf(given);
  const { version, ...text } = input;
  const problems = letterProblems(LETTERS[kind].fields, text);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return store(ctx, kind, version, text, "letter.change");
}

/** Back to the text in the code. @throws AppError CONFLICT */
export async function restoreLetter(ctx: AppContext, given: string, version: number): Promise<{ version: number }> {
  administrating(ctx);
  return store(ctx, kindOf(given), version, null, "letter.restore");
}

/** The row stays when the text goes, so that a version is never used twice. */
async function store(
  ctx: AppContext,
  kind: LetterKind,
  version: number,
  text: LetterText | null,
  action: string,
): Promise<{ version: number }> {
  const [before] = await rowStatement(ctx.db, kind);
  const row = { subject: text?.subject ?? "", body: text?.text ?? "", version: version + 1, modifiedDate: ctx.now() };
  const after = text ?? LETTERS[kind];
  await change(
    ctx,
    [
      {
        holds: sql`coalesce((SELECT version FROM mail_template WHERE kind = ${kind}), 0) = ${version}`,
        error: () => conflict(),
      },
    ],
    [
      ctx.db
        .insert(mailTemplate)
        .values({ kind, ...row })
        .onConflictDoUpdate({ target: mailTemplate.kind, set: row }),
      audit(ctx, {
        action,
        targetType: "letter",
        targetId: kind,
        detail: difference({ ...textOf(kind, before) }, { subject: after.subject, text: after.text }),
      }),
    ],
  );
  return { version: version + 1 };
}

async function ownAddressOf(ctx: AppContext): Promise<string | null> {
  const [row] = await ctx.db
    .select({ address: userKey.userKeyCode })
    .from(userKey)
    .where(and(eq(userKey.userId, signedIn(ctx).userId), eq(userKey.userKeyType, "Email")));
  return row?.address ?? null;
}

/** The wording as it stands in the form, with examples in its places, to the caller alone. */
export async function testLetter(ctx: AppContext, given: string, text: LetterText): Promise<{ recipient: string }> {
  administrating(ctx);
  const kind = kindOf(given);
  const problems = letterProblems(LETTERS[kind].fields, text);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  const recipient = await ownAddressOf(ctx);
  if (!recipient) throw invalid({ recipient: "회원정보에 이메일이 없어 시험 메일을 보낼 수 없습니다." });
  const { userId } = signedIn(ctx);
  await countLimits(ctx, ["testMailHour", userId]);
  const [site] = await siteStatement(ctx.db);
  const { siteName } = siteSettings.parse(site?.value ?? {});
  const filled = fillIn(text, { ...sampleValues(kind, ctx.config.SITE_ORIGIN), [SITE_FIELD]: siteName });
  const letter = queueLetter(ctx, {
    channel: "email",
    recipient,
    userId,
    subject: `[시험] ${filled.subject}`,
    text: filled.text,
  });
  await ctx.db.batch([letter.statement, audit(ctx, { action: "letter.test", targetType: "letter", targetId: kind })]);
  deliverSoon(ctx, letter.id);
  return { recipient };
}
