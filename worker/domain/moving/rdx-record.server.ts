import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { ADVERTISING_AGREEMENT, TEXT_ADVERTISING_AGREEMENT } from "#worker/contract/mail/mail.ts";
import { parseOldBody } from "./old-body.server.ts";
import { noFindings, oldDate, oldHtml, oldLine, oldPlainText, type TextFindings } from "./old-text.server.ts";

// Records of RDX 1.0, coerced to the expected types.

export interface RecordContext {
  timeZone: string;
  now: Date;
  source: string;
}

/** `hidden` was unreadable on the old site, or is an unknown state. */
type OldState = "public" | "secret" | "hidden";

/** Exporters that write SECRET for anything unpublished: drafts, private items, the bin. */
const HIDDEN_BY_SECRET = { item: /^(?:WordPress|XE3)$/, comment: /^(?:WordPress|XE3|XE1|Rhymix)$/ } as const;

/** A password belongs to the guest who wrote the item, except where WordPress asks readers for it. */
const PASSWORD_FIELDS = ["password", "post_password"];
const FLAGS = ["is_secret", "is_private", "is_hidden", "is_protected", "private", "protected", "secret"];
const SHOWN_TO = ["visibility", "post_visibility", "access"];

/** True for a record whose program restricts its readers besides its state. */
function isRestricted(record: Fields, source: string): boolean {
  const has = (name: string) => !isNothing(record[name]);
  return (
    (source === "WordPress" && PASSWORD_FIELDS.some(has)) ||
    FLAGS.some((name) => has(name) && !/^(?:no|false|off)$/i.test(String(record[name]))) ||
    SHOWN_TO.some((name) => has(name) && !/^(?:public|all|everyone)$/i.test(String(record[name])))
  );
}

function stateOf(record: Fields, kind: keyof typeof HIDDEN_BY_SECRET, source: string): OldState {
  const { status } = record;
  if (status === "PUBLIC") return isRestricted(record, source) ? "hidden" : "public";
  return status === "SECRET" && !HIDDEN_BY_SECRET[kind].test(source) ? "secret" : "hidden";
}

const readBody = (value: unknown, { source }: RecordContext, findings: TextFindings) =>
  parseOldBody(oldHtml(value, findings), source === "WordPress");

type Fields = Record<string, unknown>;
export type OldKind = "member" | "item" | "comment" | "file" | "note";
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isNothing = (value: unknown): boolean =>
  typeof value === "object"
    ? Object.values(value ?? {}).every(isNothing)
    : !value || (typeof value === "string" && /^(?:N|[\s0:.-]*)$/.test(value));

interface RecordFindings extends TextFindings {
  watched: { kind: OldKind; record: Fields; taken: Set<string> }[];
}
const newFindings = (): RecordFindings => ({ ...noFindings(), watched: [] });

/** Counted, measured or read from another field here. */
const DERIVED = ["comment_count", "file_count", "mime_type", "original_type", "width", "height", "is_valid", "url"];

/** Notes each field that a reader takes; `leftFields` names the others. */
function watch(kind: OldKind, record: Fields, findings: RecordFindings): Fields {
  const taken = new Set(DERIVED);
  findings.watched.push({ kind, record, taken });
  return new Proxy(record, { get: (_all, name) => taken.add(String(name)) && record[String(name)] });
}

/** Fields with a value that no reader took, as `kind name`, once for each record. A name equal to the shown one is no loss. */
export const leftFields = ({ watched }: RecordFindings): string[] =>
  watched.flatMap(({ kind, record, taken }) =>
    Object.entries(record)
      .filter(([name]) => !taken.has(name))
      .flatMap(([name, value]) => (name === "extra_vars" && isFields(value) ? Object.entries(value) : [[name, value]]))
      .filter(([, value]) => !isNothing(value) && value !== record.user_name)
      .map(([name]) => `${kind} ${String(name).slice(0, FIELD_NAME_LENGTH)}`),
  );
const wholeNumber = (value: unknown): number => {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : 0;
};
const NAME_LENGTH = 50;
const ID_LENGTH = 100;
const FIELD_NAME_LENGTH = 100;
const FIELDS_MAX = 100;

const CODES = { quote: 0x22, comma: 0x2c, open: [0x5b, 0x7b], close: [0x5d, 0x7d], escape: 0x5c };

/** Dense JSON needs ten times its size in memory, so values are counted before parsing. */
export function isTooDense(text: string): boolean {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === CODES.quote) at = endOfString(text, at);
    else if (code === CODES.comma) values += 1;
    else if (CODES.open.includes(code)) {
      values += 1;
      depth += 1;
    } else if (CODES.close.includes(code)) depth -= 1;
    if (values > MOVING_LIMITS.recordValues || depth > MOVING_LIMITS.recordDepth) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === CODES.escape) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/** @returns null for an invalid line */
export function parseRecord(text: string): Fields | null {
  if (isTooDense(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/** JSON parsers drop `__proto__`. */
export const mappableName = (name: string): string => (name === "__proto__" ? "_proto_" : name);

function readFields(kind: OldKind, value: unknown, findings: RecordFindings): Record<string, string> {
  if (!isFields(value)) return {};
  const fields = new Map<string, string>();
  for (const [given, content] of Object.entries(value)) {
    const parts = (Array.isArray(content) ? content : [content]).filter((each) =>
      /^(string|number|boolean)$/.test(typeof each),
    );
    const texts = parts.map((each) => oldPlainText(String(each), findings)).filter(Boolean);
    const name = mappableName(oldLine(given, findings, FIELD_NAME_LENGTH));
    const text = texts.join(" ").slice(0, MOVING_LIMITS.profileText);
    if (name !== "" && text !== "" && fields.size < FIELDS_MAX) fields.set(name, text);
    else watch(kind, { [given]: content }, findings);
  }
  return Object.fromEntries(fields);
}

const LEFT_STATUS = /^(?:DELETED|LEFT|LEAVE|WITHDRAWN|WITHDRAWAL|RETIRED|SPAM|TRASH)$/i;
const LEAVE_FIELD = /^(?:mb_)?(?:leave|left|withdraw|withdrawal|retire)_?date$|^(?:deleted|withdrawn)_at$/i;
const LEFT_FLAG = /^(?:deleted|spam|user_status)$/i;
const LEAVE_MARK = /^\d{8} *(?:탈퇴|삭제)함/;
const LEAVE_WORD = /탈퇴|(?:^|[^가-힣])삭제 ?(?:함|됨|처리|회원|계정)/;
const CAME_BACK = /재가입|복귀|취소|철회|반려|만류|문의/;

const memoLines = (record: Fields, findings: TextFindings): string[] =>
  oldPlainText(record.admin_description, findings)
    .split("\n")
    .map((line) => line.trim());

/** Words about members who may be no longer active; only the office knows. */
const DOUBT_WORD =
  /제명|제적|강퇴|강제 ?퇴|퇴출|퇴회|탈회|추방|작고|사망|별세|고인|소천|영면|타계|서거|부고|故|†|자격 ?(?:정지|상실|박탈|취소)|징계|차단|정지|휴면|스팸|도용|중복 ?(?:가입|계정|회원)/;
const MARKED_NAME = /故|†|[([](?:작고|사망|별세|제명|탈퇴|고인)[)\]]/;

/** The text that leaves open whether the member is active; otherwise empty. */
function doubtOf(record: Fields, findings: TextFindings): string {
  const named = [record.user_name, record.nick_name].map((name) => oldLine(name, findings, NAME_LENGTH));
  const lines = memoLines(record, findings);
  return (
    lines.find((line) => DOUBT_WORD.test(line) || LEAVE_WORD.test(line)) ??
    named.find((name) => MARKED_NAME.test(name)) ??
    ""
  ).slice(0, DOUBT_LENGTH);
}
const DOUBT_LENGTH = 100;

function leftBy(record: Fields, findings: TextFindings): string {
  if (typeof record.status === "string" && LEFT_STATUS.test(record.status)) return record.status;
  const more = isFields(record.extra_vars) ? Object.entries(record.extra_vars) : [];
  for (const [name, value] of [...Object.entries(record), ...more]) {
    if (!LEAVE_FIELD.test(name) && !LEFT_FLAG.test(name)) continue;
    const text = oldLine(typeof value === "string" ? value : JSON.stringify(value), findings, 50);
    if (/[1-9Y]|true/.test(text)) return `${name} ${text}`;
  }
  return (
    memoLines(record, findings).find(
      (line) => LEAVE_MARK.test(line) || (LEAVE_WORD.test(line) && !CAME_BACK.test(line)),
    ) ?? ""
  );
}

/** A date without a time lasts until its end. */
function oldDay(value: unknown, timeZone: string, now: Date): Date | null {
  const digits = typeof value === "string" ? value.replaceAll(/\D/g, "") : "";
  return oldDate(digits.length === 8 ? `${digits}235959` : digits, timeZone, now);
}

/** Gnuboard5 exports applicants, who have level 1, as DENIED. */
function memberStateOf(record: Fields, { source, timeZone, now }: RecordContext): "active" | "waiting" | "blocked" {
  const until = oldDay(record.denied_until_date, timeZone, new Date(8.64e15));
  if (until !== null && until > now) return "blocked";
  if (record.status === "APPROVED") return "active";
  const isApplicant = record.status === "DENIED" ? source === "Gnuboard5" : record.status === "UNAUTHED";
  return isApplicant ? "waiting" : "blocked";
}

/** Consents to advertising; WordPress and XE3 ask for none, and their exporters write Y for each member. */
function consentsOf(record: Fields, { source, timeZone, now }: RecordContext): { code: string; date: Date | null }[] {
  if (/^(?:WordPress|XE3)$/.test(source)) return [];
  const asked = { [ADVERTISING_AGREEMENT]: "allow_mailing", [TEXT_ADVERTISING_AGREEMENT]: "allow_sms" };
  return Object.entries(asked).flatMap(([code, name]) => {
    const date = oldDay(record[`${name}_date`], timeZone, now);
    return /^(?:Y|1|true)$/.test(String(record[name])) ? [{ code, date }] : [];
  });
}

/** @returns null for a record without an ID */
export function readMember(given: Fields, context: RecordContext) {
  const { timeZone, now } = context;
  const findings = newFindings();
  const record = watch("member", given, findings);
  const userId = oldLine(record.user_id, findings, ID_LENGTH);
  if (userId === "") return null;
  const name = oldLine(record.user_name, findings, NAME_LENGTH) || oldLine(record.nick_name, findings, NAME_LENGTH);
  const fields = readFields("member", record.extra_vars, findings);
  for (const [key, value] of [
    ["homepage", record.homepage],
    ["blog", record.blog],
    ["birthday", record.birthday],
    ["phone_number", record.phone_number],
  ] as const) {
    const text = oldLine(value, findings, 200);
    if (text !== "" && !/^0+$/.test(text)) fields[key] ??= text;
  }
  return {
    userId,
    password: typeof record.password === "string" ? record.password.trim() : "",
    name: name || userId,
    email: oldLine(record.email_address, findings, 200),
    signupDate: oldDate(record.signup_date, timeZone, now),
    isAdmin: record.is_admin === "Y",
    status: memberStateOf(record, context),
    consents: consentsOf(record, context),
    /** Mark of a departed or deleted member; otherwise empty. */
    leftBy: leftBy(given, findings),
    doubt: doubtOf(given, findings),
    groups: listOf(record.groups)
      .slice(0, FIELDS_MAX)
      .map((group) => mappableName(oldLine(group, findings, FIELD_NAME_LENGTH)))
      .filter(Boolean),
    hasPicture: [record.profile_image, record.signature].some((value) => typeof value === "string" && value !== ""),
    fields,
    findings,
  };
}

export type OldMember = NonNullable<ReturnType<typeof readMember>>;

const readAuthor = (record: Fields, findings: TextFindings) => ({
  userId: oldLine(record.user_id, findings, ID_LENGTH),
  name: oldLine(record.nick_name, findings, NAME_LENGTH) || oldLine(record.user_name, findings, NAME_LENGTH) || "손님",
});

export type OldAuthor = ReturnType<typeof readAuthor>;

function readFile(given: unknown, context: RecordContext, findings: RecordFindings) {
  if (!isFields(given)) return null;
  const value = watch("file", given, findings);
  const place = /^(?:rdx|url):(.+)$/.exec(typeof value.path === "string" ? value.path : "")?.[1];
  const path = place ?? (typeof value.url === "string" ? value.url : "");
  return {
    id: wholeNumber(value.id),
    fileName: oldLine(value.filename, findings, 400) || path.split("/").at(-1) || "파일",
    path: normaliseUnicode(path, "NFC").replace(/^(?:\.{0,2}\/)+/, ""),
    size: wholeNumber(value.file_size),
    date: oldDate(value.regdate, context.timeZone, context.now),
  };
}

export type OldFile = NonNullable<ReturnType<typeof readFile>>;

const readFiles = (value: unknown, context: RecordContext, findings: RecordFindings) =>
  listOf(value).flatMap((each) => {
    const read = readFile(each, context, findings);
    return read && read.path !== "" ? [read] : [];
  });

function readComment(given: Fields, context: RecordContext, findings: RecordFindings) {
  const record = watch("comment", given, findings);
  return {
    id: wholeNumber(record.id),
    parentId: wholeNumber(record.parent_id) || null,
    body: readBody(record.content, context, findings),
    author: readAuthor(record, findings),
    date: oldDate(record.regdate, context.timeZone, context.now),
    state: stateOf(record, "comment", context.source),
    files: readFiles(record.files, context, findings),
  };
}

export type OldComment = ReturnType<typeof readComment>;

/** @returns null for a record without a number */
export function readDocument(given: Fields, context: RecordContext) {
  const findings = newFindings();
  const record = watch("item", given, findings);
  const id = wholeNumber(record.id);
  if (id === 0) return null;
  return {
    id,
    parentId: wholeNumber(record.parent_id) || null,
    category: oldLine(record.category, findings, 200),
    title: oldLine(record.title, findings, SIZE_LIMITS.titleLength) || "(제목 없음)",
    body: readBody(record.content, context, findings),
    viewCount: wholeNumber(record.read_count),
    date: oldDate(record.regdate, context.timeZone, context.now),
    modifiedDate: oldDate(record.last_update, context.timeZone, context.now),
    author: readAuthor(record, findings),
    isNotice: record.is_notice === "Y" || record.is_notice === "A",
    state: stateOf(record, "item", context.source),
    isCommentClosed: record.allow_comment === "N",
    links: listOf(record.links)
      .map((link) => oldLine(link, findings, 2000))
      .filter(Boolean),
    tags: listOf(record.tags)
      .map((tag) => oldLine(tag, findings, 100))
      .filter(Boolean),
    fields: readFields("item", record.extra_vars, findings),
    files: readFiles(record.files, context, findings),
    comments: listOf(record.comments)
      .filter(isFields)
      .map((each) => readComment(each, context, findings)),
    findings,
  };
}

export type OldDocument = NonNullable<ReturnType<typeof readDocument>>;

export function readNote(given: Fields, context: RecordContext) {
  const findings = newFindings();
  const record = watch("note", given, findings);
  const id = wholeNumber(record.id);
  if (id === 0) return null;
  return {
    id,
    title: oldLine(record.title, findings, 200),
    body: readBody(record.content, context, findings),
    senderId: oldLine(record.sender_user_id, findings, ID_LENGTH),
    recipientId: oldLine(record.recipient_user_id, findings, ID_LENGTH),
    sentDate: oldDate(record.sent_date, context.timeZone, context.now),
    readDate: oldDate(record.read_date, context.timeZone, context.now),
    folder: record.folder === "Sent" ? ("sent" as const) : ("inbox" as const),
    hasFiles: listOf(record.files).length > 0,
    findings,
  };
}

export type OldNote = NonNullable<ReturnType<typeof readNote>>;
