import { daysLater } from "#worker/contract/kernel/day-ends.ts";
import { and, eq, isNull, sql } from "drizzle-orm";
import { user, userKey, verification } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { randomPincode, sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import { ownFieldValueText } from "#worker/contract/account/own-field.ts";
import { isForeignNumber, isMobile } from "#worker/contract/account/rules.ts";
import { sharedColumn } from "#worker/contract/account/shared-columns.ts";
import { authenticationSettings } from "#worker/contract/account/setting-input.ts";
import { signupClosedMessage } from "#worker/contract/account/view.ts";
import { isFieldUsed, missingRequiredFields, requiredFieldMessage } from "#worker/contract/alumni/alumni-settings.ts";
import { cleanCell } from "#worker/contract/alumni/cell-rules.ts";
import {
  ALUMNI_COLUMN_LABELS,
  ALUMNI_FIELDS,
  type AlumniField,
  type AlumniValues,
  cellText,
  EMPTY_ALUMNI_VALUES,
  isOfficeField,
} from "#worker/contract/alumni/columns.ts";
import { headerMeaning } from "#worker/contract/alumni/import/header-words.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import { isGone, LETTER_CAUSE_NAMES, letterCause } from "#worker/contract/mail/letters.ts";
import { maskRecipient } from "#worker/contract/mail/mail.ts";
import { openProfileFields } from "../account/profile.server.ts";
import { missingSignupTexts, signupTextsStatement } from "../account/signup.server.ts";
import {
  issueVerificationCode,
  readVerificationToken,
  sealVerificationToken,
  verificationCodeLimits,
} from "../account/verification.server.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { queueMessage, sendCodeMessageNow } from "../mail/message.server.ts";
import { loadLetterRenderer, loadTemplateRenderer } from "../mail/render-template.server.ts";
import { memberNotFound } from "../member/member.server.ts";
import { authorizeMemberTargets } from "../member/member-target.server.ts";
import {
  ALUMNI_PERSON_COLUMNS,
  type AlumniPerson,
  bumpAlumniRevision,
  derivedColumns,
  trustedAddress,
} from "./row.server.ts";
import { alumniSettings, authorizeOffice } from "./setting.server.ts";
import { alumniNotFound, insertAlumniStatements, usedValues } from "./write.server.ts";

const CANDIDATES_MAX = 10;
const squeezedName = (name: unknown) => sql`lower(replace(${name}, ' ', ''))`;
const ENTRY_COLUMNS = { ...ALUMNI_PERSON_COLUMNS, emailHold: alumni.emailHold };

const entriesWhere = (ctx: AppContext, where: ReturnType<typeof sql>) =>
  ctx.db
    .select(ENTRY_COLUMNS)
    .from(alumni)
    .where(and(isNull(alumni.deletedDate), where));

type Account = Awaited<ReturnType<typeof readAccount>>;

type Entry = AlumniPerson & { emailHold: string | null };

/** Column that a sign-up field fills, by its code or its name. */
function columnOf({ code, name }: { code: string; name: string }): AlumniField | undefined {
  const column = ALUMNI_FIELDS.find((field) => field === code) ?? headerMeaning(name)?.column;
  return column && column !== "id" && column !== "name" && !isOfficeField(column) ? column : undefined;
}

/** The account with the values that it has for the address book. */
async function readAccount(ctx: AppContext, userId: string) {
  const [[person], keys, fields] = await ctx.db.batch([
    ctx.db.select().from(user).where(eq(user.id, userId)),
    ctx.db.select().from(userKey).where(eq(userKey.userId, userId)),
    openProfileFields(ctx.db),
  ]);
  if (!person || person.status === "retired") throw memberNotFound();
  const verified = (type: "Email" | "Mobile") =>
    keys.find((key) => key.userKeyType === type && key.verifiedDate)?.userKeyCode ?? "";
  const values: Partial<AlumniValues> = { name: person.userName };
  const take = (field: AlumniField, text: string) => {
    const cell = cleanCell(field, text);
    if (text !== "" && values[field] === undefined && !("error" in cell))
      Object.assign(values, { [field]: cell.value });
  };
  const email = verified("Email");
  take("email", email);
  take("mobile", verified("Mobile"));
  for (const field of fields) {
    const column = columnOf(field);
    const text = ownFieldValueText(lookUp(person.profile, field.code)).trim();
    if (column && column !== "email")
      take(column === "mobile" && !isMobile(text) && !isForeignNumber(text) ? "phone" : column, text);
  }
  return { person, fields, email, values: { ...EMPTY_ALUMNI_VALUES, ...usedValues(ctx, values) } };
}

/** Sign-up fields that the entry has a value for: that value counts, and the account keeps the one of the sign-up. */
const joinedFields = (ctx: AppContext, { person, fields }: Account, entry: Entry) =>
  fields.flatMap((field) => {
    const column = sharedColumn(field);
    const book = column && isFieldUsed(alumniSettings(ctx), column) ? cellText(entry[column]) : "";
    const account = ownFieldValueText(lookUp(person.profile, field.code)).trim();
    return column && book !== "" && field.inputType === "text"
      ? [{ code: field.code, name: field.name, column, book, account }]
      : [];
  });

const entryOfAddress = (ctx: AppContext, email: string) =>
  entriesWhere(ctx, sql`${alumni.email} <> '' AND ${alumni.email} = ${email}`).limit(1);

/** The caller's sign-up fields that they edit in their entry; null without an entry. */
export async function getOwnJoinedFields(ctx: AppContext) {
  const { userId } = requireSignedIn(ctx);
  const account = await readAccount(ctx, userId);
  const [entry] = await entryOfAddress(ctx, account.email);
  if (entry?.ownerUserId !== userId) return null;
  return { personId: entry.id, version: entry.version, fields: joinedFields(ctx, account, entry) };
}

export type OwnJoinedFields = View<typeof getOwnJoinedFields>;

const entryView = ({ id, name, cohort, affiliation, department }: Entry) => ({
  id,
  name,
  cohort,
  affiliation,
  department,
});

/** The member's entry, or those with the name; an entry of another account is none. @throws AppError NOT_FOUND */
export async function getMemberEntry(ctx: AppContext, userId: string) {
  authorizeOffice(ctx);
  const account = await readAccount(ctx, userId);
  const { person, email, values } = account;
  const [named, [joined], [open]] = await Promise.all([
    entriesWhere(ctx, sql`${squeezedName(alumni.name)} = ${squeezedName(person.userName)}`).limit(100),
    entryOfAddress(ctx, email),
    ctx.db
      .select({ expiresDate: verification.expiresDate })
      .from(verification)
      .where(sql`${isOpenJoin(ctx)} AND ${verification.usedByUserId} = ${userId}`),
  ]);
  const fitsOf = (entry: Entry) =>
    ALUMNI_FIELDS.filter((field) => cellText(values[field]) !== "" && values[field] === entry[field]);
  const candidates = named
    .filter((entry) => entry.ownerUserId === null && !isGone(entry))
    .map((entry) => ({
      ...entryView(entry),
      fits: fitsOf(entry).map((field) => ALUMNI_COLUMN_LABELS[field]),
      /** Who is asked to confirm the join. */
      asks: maskRecipient(trustedAddress(entry) || email),
    }))
    .toSorted((a, b) => b.fits.length - a.fits.length)
    .slice(0, CANDIDATES_MAX);
  const isJoined = joined?.ownerUserId === userId;
  return {
    entry: isJoined && joined ? entryView(joined) : null,
    candidates: isJoined ? [] : candidates,
    fields: isJoined && joined ? joinedFields(ctx, account, joined) : [],
    waitsUntil: open?.expiresDate.toISOString() ?? null,
    hasEmail: email !== "",
  };
}

export type MemberEntry = View<typeof getMemberEntry>;

const isAddressFree = (email: string) =>
  sql`NOT EXISTS (SELECT 1 FROM alumni WHERE alumni.email <> '' AND alumni.email = ${email} AND alumni.deleted_date IS NULL)`;

function requireEmail(email: string): void {
  if (email === "")
    throw conflict("인증된 이메일이 없어 주소록과 연결할 수 없습니다. 먼저 회원의 이메일을 정정해 주십시오.");
}

/**
 * Creates the entry of an approved member from the values of the account; its verified address joins them. @throws
 * AppError NOT_FOUND, CONFLICT, INVALID_INPUT for a required column that the account lacks
 */
export async function putMemberInBook(ctx: AppContext, userId: string): Promise<{ id: string }> {
  authorizeOffice(ctx);
  const { person, email, values } = await readAccount(ctx, userId);
  if (person.status !== "active") throw conflict("승인된 회원만 주소록에 등록합니다.");
  requireEmail(email);
  const missed = missingRequiredFields(alumniSettings(ctx).required, values);
  if (missed.length > 0)
    throw invalidInput(Object.fromEntries(missed.map((field) => [field, requiredFieldMessage(field)])));
  const id = crypto.randomUUID();
  const guards = [
    sql`EXISTS (SELECT 1 FROM user_key JOIN user ON user.id = user_id WHERE user_id = ${userId} AND user_key_code = ${email} AND verified_date IS NOT NULL AND status = 'active')`,
    {
      holds: isAddressFree(email),
      error: () => conflict("이미 주소록에 있는 이메일입니다. 화면을 새로 고쳐 주십시오."),
    },
  ];
  await runGuardedBatch(ctx, guards, insertAlumniStatements(ctx, id, values, { reason: "회원 계정에서 등록" }));
  return { id };
}

const UNDECIDED_ADDRESS =
  "본인이 아직 확인하지 않은 이메일입니다. 관리 → 기수 대표의 ‘확인할 이메일’에서 먼저 정해 주십시오.";

const joinEnd = ({ now }: Pick<AppContext, "now">) => daysLater(now(), TOKEN_LIMITS.joinDays);

const isOpenJoin = (ctx: Pick<AppContext, "now">) =>
  sql`${verification.purpose} = 'join' AND ${verification.usedDate} IS NULL AND ${verification.expiresDate} >= ${ctx.now().getTime()}`;

const namesake = (entry: Pick<Entry, "cohort" | "affiliation">) =>
  [entry.cohort === null ? "" : `${entry.cohort}기`, entry.affiliation].filter(Boolean).join(", ");

/**
 * Asks the entry's trusted address, or the account's where the entry has none, to confirm that both are one person.
 * Nothing is joined before. @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT, TOO_MANY_REQUESTS
 */
export async function joinMember(ctx: AppContext, userId: string, { alumniId }: { alumniId: string }) {
  authorizeOffice(ctx);
  if (requireSignedIn(ctx).userId === userId)
    throw conflict("자기 계정은 스스로 연결할 수 없습니다. 다른 관리자에게 요청해 주십시오.");
  const {
    stillTheirs,
    targets: [target],
  } = await authorizeMemberTargets(ctx, [userId], ["active", "waiting"]);
  if (!target) throw conflict("가입한 회원이나 승인을 기다리는 회원만 연결합니다.");
  const [{ email }, [entry]] = await Promise.all([
    readAccount(ctx, userId),
    entriesWhere(ctx, sql`${alumni.id} = ${alumniId}`),
  ]);
  if (!entry) throw alumniNotFound();
  requireEmail(email);
  if (entry.ownerUserId !== null) throw conflict("이미 회원과 연결된 사람입니다. 화면을 새로 고쳐 주십시오.");
  if (isGone(entry)) throw conflict(`주소록에 ‘${entry.state}’ 상태로 적힌 사람입니다. 먼저 상태를 고쳐 주십시오.`);
  if (entry.emailHold === "") throw conflict(UNDECIDED_ADDRESS);
  const recipient = trustedAddress(entry) || email;
  const key = { userKeyType: "Email" as const, userKeyCode: recipient };
  const [first, ...others] = verificationCodeLimits(ctx, key, "entry").filter(([name]) => name !== "codeAddressDay");
  if (first) await countLimits(ctx, first, ...others);
  const sealed = { ...key, purpose: "join" as const, userId, personId: entry.id, codeHash: null };
  const { token, expiresDate, statements } = await sealVerificationToken(ctx, sealed, joinEnd(ctx));
  const write = await loadLetterRenderer(ctx, userId);
  const guards = [stillTheirs, isJoinable({ email, alumniId, recipient })];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .update(verification)
      .set({ usedDate: ctx.now() })
      .where(sql`${isOpenJoin(ctx)} AND ${verification.usedByUserId} = ${userId}`),
    ...statements,
    audit(ctx, { action: "alumni.join-ask", targetType: "alumni", targetId: entry.id, subjectCount: 1 }),
    queueMessage(ctx, {
      channel: "email",
      recipient,
      userId: recipient === email ? userId : null,
      about: [{ id: userId, userName: target.userName }],
      ...write("joinEntry", {
        이름: target.userName,
        정보: namesake(entry) || entry.name,
        주소: `${ctx.config.SITE_ORIGIN}/mail/join/${token}`,
      }),
    }),
  ]);
  return { asked: maskRecipient(recipient), expiresDate: expiresDate.toISOString() };
}

/** The account's address belongs to no other entry, and the entry is still asked at that address and has no owner. */
const isJoinable = (asked: { email: string; alumniId: string; recipient: string }) => sql`
  EXISTS (SELECT 1 FROM alumni WHERE alumni.id = ${asked.alumniId} AND alumni.deleted_date IS NULL
    AND coalesce(nullif(coalesce(alumni.email_hold, alumni.email), ''), ${asked.email}) = ${asked.recipient} AND ${ALUMNI_PERSON_COLUMNS.ownerUserId} IS NULL)
  AND NOT EXISTS (SELECT 1 FROM alumni WHERE alumni.email = ${asked.email} AND alumni.email <> '' AND alumni.id <> ${asked.alumniId}
    AND alumni.deleted_date IS NULL)`;

const linkNotFound = () =>
  new AppError("NOT_FOUND", {
    message: "쓸 수 없는 주소입니다. 이미 쓰였거나 7일이 지났습니다. 사이트 아래의 연락처로 알려 주십시오.",
  });

async function readJoinLink(ctx: AppContext, token: string) {
  const sealed = await readVerificationToken(ctx, token, "join");
  if (!sealed?.userId || !sealed.personId) throw linkNotFound();
  const [[link], [entry]] = await Promise.all([
    ctx.db
      .select()
      .from(verification)
      .where(eq(verification.tokenHash, sha256Base64Url(token))),
    entriesWhere(ctx, sql`${alumni.id} = ${sealed.personId}`),
  ]);
  if (!link || !entry || link.expiresDate < ctx.now()) throw linkNotFound();
  const { person, email } = await readAccount(ctx, sealed.userId).catch(() => {
    throw linkNotFound();
  });
  const isDone = link.usedDate !== null;
  if (isDone ? entry.ownerUserId !== sealed.userId : isGone(entry)) throw linkNotFound();
  return { sealed: { ...sealed, userId: sealed.userId }, link, entry, person, email, isDone };
}

/** The link shows who would be joined to the asked address alone. */
export async function getJoin(ctx: AppContext, token: string) {
  const { person, entry, isDone } = await readJoinLink(ctx, token);
  return { userName: person.userName, entry: namesake(entry), isDone };
}

/** Gives the entry the account's verified address. The link is the authorization; idempotent. @throws AppError NOT_FOUND */
export async function confirmJoin(ctx: AppContext, token: string): Promise<Record<string, never>> {
  const { sealed, link, entry, email, isDone } = await readJoinLink(ctx, token);
  if (isDone) return {};
  const values = { ...entry, email };
  const asked = { email, alumniId: entry.id, recipient: sealed.userKeyCode };
  const isOpen = sql`EXISTS (SELECT 1 FROM verification WHERE token_hash = ${link.tokenHash} AND ${isOpenJoin(ctx)})
    AND EXISTS (SELECT 1 FROM user_key JOIN user ON user.id = user_id WHERE user_id = ${sealed.userId} AND user_key_type = 'Email'
      AND user_key_code = ${email} AND verified_date IS NOT NULL AND status IN ('active', 'waiting'))
    AND EXISTS (SELECT 1 FROM alumni WHERE alumni.id = ${entry.id} AND alumni.version = ${entry.version})`;
  const guards = [
    { holds: isOpen, error: linkNotFound },
    { holds: isJoinable(asked), error: linkNotFound },
  ];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .update(alumni)
      .set({
        email,
        emailHold: null,
        ...derivedColumns(values, entry.openFields),
        modifiedDate: ctx.now(),
        version: entry.version + 1,
      })
      .where(eq(alumni.id, entry.id)),
    bumpAlumniRevision(ctx.db),
    ctx.db.update(verification).set({ usedDate: ctx.now() }).where(eq(verification.tokenHash, link.tokenHash)),
    audit(ctx, { action: "alumni.join", targetId: entry.id, subjectCount: 1 }),
  ]);
  return {};
}

/**
 * Mails the entry's address a sign-up link that proves the address, which joins the new account. @throws AppError
 * NOT_FOUND, CONFLICT, TOO_MANY_REQUESTS, UPSTREAM_UNAVAILABLE
 */
export async function inviteAlumni(ctx: AppContext, id: string): Promise<{ asked: string }> {
  authorize(ctx, { action: "Alumni_Write" });
  const [[entry], [setting], texts] = await Promise.all([
    entriesWhere(ctx, sql`${alumni.id} = ${id}`),
    ctx.db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "authentication")),
    signupTextsStatement(ctx.db, ctx.now()),
  ]);
  if (!entry) throw alumniNotFound();
  const closed = signupClosedMessage(missingSignupTexts(texts));
  if (closed) throw conflict(closed);
  if (authenticationSettings.parse(setting?.value ?? {}).authType === "MobileAndPassword")
    throw conflict("휴대전화로 가입하는 사이트에서는 메일로 초대할 수 없습니다.");
  if (entry.email === "") throw conflict("이메일이 없습니다. 먼저 이메일을 적어 주십시오.");
  if (entry.emailHold !== null)
    throw conflict(
      entry.emailHold === ""
        ? UNDECIDED_ADDRESS
        : "본인이 아직 확인하지 않은 이메일입니다. 그전에 쓰던 주소로 먼저 확인을 요청합니다.",
    );
  const cause = letterCause(entry, "email");
  if (cause) throw conflict(`주소록에 ‘${LETTER_CAUSE_NAMES[cause]}’ 상태로 적혀 메일을 보내지 않는 사람입니다.`);
  const key = { userKeyType: "Email" as const, userKeyCode: entry.email };
  const [taken] = await ctx.db
    .select({ userId: userKey.userId })
    .from(userKey)
    .where(and(eq(userKey.userKeyType, "Email"), eq(userKey.userKeyCode, entry.email)));
  if (taken) throw conflict("이미 이 이메일로 가입한 회원이 있습니다.");
  const [first, ...others] = verificationCodeLimits(ctx, key, "entry").filter(([name]) => name !== "codeAddressDay");
  if (first) await countLimits(ctx, first, ...others);
  await audit(ctx, { action: "alumni.invite", targetId: id, subjectCount: 1 });
  const pincode = randomPincode();
  const sealed = { ...key, purpose: "code" as const, userId: null };
  const { token } = await issueVerificationCode(ctx, sealed, pincode, joinEnd(ctx));
  const write = await loadTemplateRenderer(ctx);
  // After the #, so that no server or log receives the token.
  const link = `${ctx.config.SITE_ORIGIN}/Account/Signup#${token}.${pincode}.${encodeURIComponent(entry.email)}`;
  const outgoing = {
    channel: "email" as const,
    recipient: entry.email,
    ...write("invitation", { 이름: entry.name, 주소: link }),
  };
  await sendCodeMessageNow(ctx, outgoing, pincode, "메일을 보내지 못했습니다. 잠시 후 다시 시도해 주십시오.");
  return { asked: maskRecipient(entry.email) };
}
