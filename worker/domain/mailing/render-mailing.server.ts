import type { AppContext } from "#worker/domain/kernel/context.ts";
import { payDigits } from "#worker/contract/alumni/dues/dues.ts";
import { ADVERTISING_MARK, advertisingAgreement } from "#worker/contract/mail/mail.ts";
import {
  type MailTemplateText,
  renderTemplate,
  SITE_LINK_FIELD,
  SITE_NAME_FIELD,
} from "#worker/contract/mail/templates.ts";
import type { SiteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import { signUnsubscribeToken } from "../mail/unsubscribe.server.ts";
import { ATTACHMENT_LIMITS, type MailingFile, REFUSAL_FIELD } from "#worker/contract/mailing/mailing.ts";
import { ANSWER_PATH } from "#worker/contract/mailing/question.ts";
import { koreanLongDay } from "#worker/contract/kernel/korea.ts";
import type { AskedQuestion } from "./question.server.ts";
import { SECRET_TOKEN_MARK } from "../mail/message.server.ts";
import { templateVariables } from "./channel.server.ts";
import { type Mailing, type MailingPerson, mailingText, usedPlaceholders } from "./people.server.ts";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { idsIn } from "#db/sql.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import { isOwnUpload } from "../alumni/own-field.server.ts";
import { can, itemResource } from "../kernel/authorize.server.ts";

/** Idempotency key; a unique index allows one message per person. */
export const mailingOnceKey = (mailingId: string, personId: string) => `mailing:${mailingId}:${personId}`;

export const MAILING_ONCE_KEY_SQL =
  "('mailing:' || mailing_recipient.mailing_id || ':' || mailing_recipient.person_id)";

export interface MailingFrame {
  site: SiteSettings;
  files: MailingFile[];
  asked: AskedQuestion | null;
}

/** A preview's links lead nowhere. */
export const NO_TOKEN = "…";

/** Without a name, as for the longest text, the column has the letters and four more. */
const payerOf = ({ name, duePayer, personId }: MailingPerson) =>
  `${name || (duePayer ?? "").slice(0, -4)}${payDigits(personId)}`;

const placeValues = (
  ctx: AppContext,
  mailing: Mailing,
  { site }: MailingFrame,
  person: MailingPerson,
  off: string,
) => ({
  ...Object.fromEntries(
    usedPlaceholders(ctx, mailing).map(({ label, column }) => [
      label,
      column === "duePayer" ? payerOf(person) : (person[column] ?? ""),
    ]),
  ),
  [SITE_NAME_FIELD]: site.siteName,
  [SITE_LINK_FIELD]: ctx.config.SITE_ORIGIN,
  ...(mailing.channel === "sms" ? { [REFUSAL_FIELD]: off } : {}),
});

const offAddress = (ctx: AppContext, token: string) => `${ctx.config.SITE_ORIGIN}/mail/off/${token}`;

/** @param token unsubscribe token; `NO_TOKEN` in a preview */
export function renderMailing(
  ctx: AppContext,
  mailing: Mailing,
  frame: MailingFrame,
  person: MailingPerson,
  token: string,
): MailTemplateText {
  const { site, files } = frame;
  const { kind, channel } = mailing;
  const off = offAddress(ctx, token);
  const filled = renderTemplate(mailingText(mailing), placeValues(ctx, mailing, frame, person, off));
  if (channel === "alimtalk") return filled;
  const link = `${ctx.config.SITE_ORIGIN}${ANSWER_PATH}${token === NO_TOKEN ? NO_TOKEN : SECRET_TOKEN_MARK}`;
  const more = `${describeQuestion(frame.asked, link)}${describeAttachedFiles(files, ctx.config.SITE_ORIGIN)}`;
  const text = { ...filled, text: `${filled.text}${more}` };
  if (channel === "sms")
    return kind === "advertising" ? { ...text, text: markTextAsAdvertising(text.text, site, off) } : text;
  return kind === "advertising" ? markAsAdvertising(text, site, off) : signAsOffice(text, site, off);
}

export const alimtalkOf = (ctx: AppContext, mailing: Mailing, frame: MailingFrame, person: MailingPerson) =>
  mailing.channel === "alimtalk"
    ? {
        templateCode: mailing.templateCode,
        variables: templateVariables(mailing, placeValues(ctx, mailing, frame, person, "")),
      }
    : null;

export const offTokenOf = (
  ctx: AppContext,
  { id, kind, channel }: Mailing,
  { personId, userId }: Pick<MailingPerson, "personId" | "userId">,
): string =>
  signUnsubscribeToken(
    ctx,
    kind === "advertising"
      ? { kind: "advertising", target: advertisingAgreement(channel), userId: userId ?? "" }
      : { kind: "office", target: id, userId: personId },
  );

export function mailingMessage(ctx: AppContext, mailing: Mailing, frame: MailingFrame, person: MailingPerson) {
  const offToken = offTokenOf(ctx, mailing, person);
  return {
    channel: mailing.channel,
    userId: person.userId,
    recipient: person.address,
    ...renderMailing(ctx, mailing, frame, person, offToken),
    onceKey: mailingOnceKey(mailing.id, person.personId),
    offToken,
    alimtalk: alimtalkOf(ctx, mailing, frame, person),
    fileId: mailing.attachmentId,
  };
}

export const attachmentStatement = (db: AppContext["db"], mailingId: string) =>
  db
    .select({ fileId: file.id, fileName: file.fileName, size: file.size })
    .from(file)
    .where(sql`${file.id} = (SELECT attachment_id FROM mailing WHERE mailing.id = ${mailingId})`);

/** For the batch that deletes these mailings or takes their attachment away. */
export const releaseAttachments = (db: AppContext["db"], which: SQL) =>
  db
    .update(file)
    .set({ status: "swept" })
    .where(sql`${file.id} IN (SELECT attachment_id FROM mailing WHERE ${which}) AND ${file.purpose} = 'mailing'`);

/** Statements and guard for another attachment. @throws AppError INVALID_INPUT for a file that is too large or not the caller's upload */
export async function changeAttachment(ctx: AppContext, row: Mailing, attachmentId: string | null) {
  if (attachmentId === row.attachmentId) return { guards: [], statements: [] };
  const statements = [releaseAttachments(ctx.db, sql`id = ${row.id}`)];
  if (attachmentId === null) return { guards: [], statements };
  const upload = sql`${isOwnUpload(ctx, [attachmentId])}`;
  const refusal = () => invalidInput({ attachmentId: "올린 파일을 찾을 수 없습니다. 다시 올려 주십시오." });
  const [found] = await ctx.db.select({ size: file.size }).from(file).where(upload);
  if (!found) throw refusal();
  if (found.size > ATTACHMENT_LIMITS.maxSize)
    throw invalidInput({
      attachmentId: `파일이 너무 큽니다. ${formatBytes(ATTACHMENT_LIMITS.maxSize)}까지 첨부할 수 있습니다.`,
    });
  statements.push(ctx.db.update(file).set({ purpose: "mailing", status: "attached" }).where(upload));
  return { guards: [{ holds: sql`EXISTS (SELECT 1 FROM file WHERE ${upload})`, error: refusal }], statements };
}

const isAttached = and(eq(file.status, "attached"), eq(file.purpose, "board"), isNull(boardItem.deletedDate));

const attachedFiles = (db: AppContext["db"], chosen: SQL) =>
  db
    .select({ id: file.id, fileName: file.fileName, size: file.size })
    .from(file)
    .innerJoin(boardItem, eq(boardItem.id, file.itemId))
    .where(and(chosen, isAttached));

/** Selects file columns only, since columns in a batch need unique names. */
export const mailingFilesStatement = (db: AppContext["db"], mailingId: string) =>
  attachedFiles(
    db,
    sql`${file.id} IN (SELECT value FROM mailing, json_each(mailing.file_ids) WHERE mailing.id = ${mailingId})`,
  );

/** @param ids in their given order */
export const mailingFiles = (rows: readonly MailingFile[], ids: readonly string[]): MailingFile[] =>
  rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));

/** @throws AppError INVALID_INPUT unless each is a file of an item that the caller may download */
export async function requireAttachable(ctx: AppContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await ctx.db
    .select({ item: boardItem, board })
    .from(file)
    .innerJoin(boardItem, eq(boardItem.id, file.itemId))
    .innerJoin(board, eq(board.boardCode, boardItem.boardCode))
    .where(and(idsIn(file.id, ids), isAttached));
  const readable = rows.filter((row) =>
    can(ctx.actor, { action: "Item.Download", item: itemResource(row.board, row.item), now: ctx.now() }),
  );
  if (readable.length < new Set(ids).size)
    throw invalidInput({ fileIds: "게시판 글에 붙은 파일 가운데 내려받으실 수 있는 것만 붙일 수 있습니다." });
}

export async function readAttachedFiles(ctx: Pick<AppContext, "db">, ids: readonly string[]): Promise<MailingFile[]> {
  return ids.length === 0 ? [] : mailingFiles(await attachedFiles(ctx.db, idsIn(file.id, ids)), ids);
}

/** A link for each answer: it opens a page, and only a press there answers. */
function describeQuestion(asked: AskedQuestion | null, link: string): string {
  if (!asked) return "";
  const { question, answerUntil } = asked;
  const lines = question.answers.map((name, at) => `${name}\n${link}/${at + 1}`);
  const until = answerUntil
    ? `${koreanLongDay(answerUntil)}까지 답하실 수 있고, 그때까지 바꾸실 수 있습니다.`
    : "답은 나중에 바꾸실 수 있습니다.";
  return `\n\n${question.text}\n\n${lines.join("\n\n")}\n\n주소를 여신 뒤 버튼을 한 번 누르셔야 답이 됩니다. 로그인하지 않으셔도 됩니다. ${until}`;
}

/** Links to files; each link requires access to the file's item. */
function describeAttachedFiles(files: readonly MailingFile[], origin: string): string {
  if (files.length === 0) return "";
  const lines = files.map(({ id, fileName, size }) => `${fileName} (${formatBytes(size)})\n${origin}/api/file/${id}`);
  return `\n\n첨부파일\n${lines.join("\n")}`;
}

/** Adds the label, the sender and a free opt-out (망법 제50조 제4항). */
function markAsAdvertising(text: MailTemplateText, site: SiteSettings, off: string): MailTemplateText {
  const { organization, address, phone, email } = site.contact;
  const sender = [organization || site.siteName, address, phone, email].filter(Boolean).join(" · ");
  const subject = text.subject.startsWith(ADVERTISING_MARK) ? text.subject : `${ADVERTISING_MARK} ${text.subject}`;
  return {
    subject,
    text: `${text.text}\n\n보낸 곳: ${sender}\n\n이 메일은 수신에 동의하신 분께 보내 드립니다. 받지 않으시려면 아래 주소에서 언제든지 무료로 수신을 거부하실 수 있습니다. 로그인하지 않으셔도 됩니다.\n${off}`,
  };
}

/** Puts the label and the sender first and the opt-out last (망법 시행령 별표 6). */
function markTextAsAdvertising(text: string, site: SiteSettings, off: string): string {
  const { organization, phone } = site.contact;
  const sender = [organization || site.siteName, phone].filter(Boolean).join(" ");
  const body = text.startsWith(ADVERTISING_MARK) ? text.slice(ADVERTISING_MARK.length).trimStart() : text;
  return `${ADVERTISING_MARK} ${sender}\n${body}\n\n무료수신거부 ${off}`;
}

/** Appends the sender and an opt-out to bulk mail. */
function signAsOffice(text: MailTemplateText, site: SiteSettings, off: string): MailTemplateText {
  return {
    subject: text.subject,
    text: `${text.text}\n\n${site.contact.organization || site.siteName}에서 보내 드렸습니다. 이 주소로 단체 메일을 받지 않으시려면 아래 주소에서 끄실 수 있습니다. 로그인하지 않으셔도 됩니다.\n${off}`,
  };
}
