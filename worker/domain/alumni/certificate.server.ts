import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { and, asc, desc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { alumni, alumniCertificate, certificateKind } from "#db/schema/alumni.ts";
import { columnsOf } from "#db/sql.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import {
  CERTIFICATE_LIMITS,
  CERTIFICATE_NOT_FOUND,
  CERTIFICATE_OF_GONE,
  certificateNumber,
  type CertificateState,
  FIRST_CERTIFICATE_KIND,
  OWN_CERTIFICATE_REFUSED,
  PURPOSE_FIELD,
  SERIAL_FIELD,
  showPaidAmount,
  YEAR_FIELD,
} from "#worker/contract/alumni/certificate.ts";
import type {
  checkCertificateInput,
  issueCertificateInput,
  issueForPeopleInput,
  listCertificatesQuery,
  ParsedAlumniSelection,
  previewCertificatesInput,
} from "#worker/contract/alumni/input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import type { Page } from "#worker/contract/kernel/page.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { monthsLater } from "#worker/contract/kernel/day-ends.ts";
import { formatCount, withParticle } from "#worker/contract/kernel/wording.ts";
import { fillPlaceholders } from "#worker/contract/kernel/placeholders.ts";
import { auditLook, auditPeople } from "../kernel/audit-entry.server.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { inSiteWords } from "../kernel/site-identity.server.ts";
import { type BatchGuard, type BatchPart, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { unchangedRow } from "../kernel/ordered-rows.server.ts";
import {
  type CertificateKind,
  type CertificateSubject,
  requireOpenKind,
  sortSubjects,
  takesPurpose,
} from "./certificate-kind.server.ts";
import { seesDues } from "./dues/person.server.ts";
import { ownEntryStatement } from "./own-entry.server.ts";
import { ALUMNI_PERSON_COLUMNS } from "./row.server.ts";
import { describeSegment, mayBeSent, requireSeenCount, requireSegment } from "./segment.server.ts";
import { accountLetterCause } from "../mail/message.server.ts";
import { authorizeOffice } from "./setting.server.ts";

const PURPOSE = "certificate";

/** The owner's name now, empty once they are gone. */
const OWNER_NAME = sql<string>`coalesce((SELECT user_name FROM user WHERE user.id = alumni_certificate.user_id AND status = 'active'),
  (SELECT name FROM alumni WHERE alumni.id = alumni_certificate.alumni_id AND deleted_date IS NULL), '')`;

const NAME = sql<string>`CASE WHEN ${OWNER_NAME} = '' THEN '' ELSE coalesce(nullif(alumni_certificate.name, ''), ${OWNER_NAME}) END`;

/** A certificate is invalid after its owner left, was blocked or was deleted. */
const stateAt = (
  now: Date,
): SQL<CertificateState> => sql`CASE WHEN withdrawn_date IS NOT NULL OR ${OWNER_NAME} = '' THEN 'withdrawn'
  WHEN expires_date < ${now.getTime()} THEN 'expired' ELSE 'valid' END`;

const certificateColumns = (at: Pick<RequestScope, "now">) => ({
  ...columnsOf(alumniCertificate, "id", "number", "series", "serial", "kindName"),
  name: NAME,
  ...columnsOf(alumniCertificate, "affiliation", "purpose", "body", "organization", "chair", "sealId"),
  state: stateAt(at.now()),
  createdDate: alumniCertificate.createdDate,
  expiresDate: alumniCertificate.expiresDate,
  subjectId: sql<string | null>`coalesce(${alumniCertificate.userId}, ${alumniCertificate.alumniId})`.as("subject_id"),
});

type CertificateRow = Omit<Awaited<ReturnType<typeof certificateStatement>>[number], "ownerUserId">;

/** Certificates from before the kinds have neither a text nor a number of their own. */
const certificateView = (
  ctx: AppContext,
  { series, serial, createdDate, expiresDate, subjectId: _subjectId, ...row }: CertificateRow,
  isOwn = false,
) => ({
  ...row,
  kindName: row.kindName || FIRST_CERTIFICATE_KIND.name,
  body: showPaidAmount(row.body || FIRST_CERTIFICATE_KIND.body, isOwn || seesDues(ctx)),
  documentNumber:
    serial === null
      ? `제 ${row.number} 호`
      : fillPlaceholders(series, (name) => (name === SERIAL_FIELD ? String(serial).padStart(4, "0") : undefined)),
  createdDate: createdDate.toISOString(),
  expiresDate: expiresDate?.toISOString() ?? null,
  path: `/Certificate/${ctx.tokens.sign(PURPOSE, row.id)}`,
});

export type CertificateView = View<typeof certificateView>;

const entriesHold = (ids: readonly string[], condition: SQL, error: () => AppError): BatchGuard => ({
  holds: sql`(SELECT count(*) FROM alumni WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${condition}) = ${ids.length}`,
  error,
});

const alumniNotFound = (ctx: AppContext) =>
  new AppError("NOT_FOUND", { message: inSiteWords(ctx, "{동문:을/를} 찾을 수 없습니다.") });

const areMembers = (userIds: readonly string[]): BatchGuard => ({
  holds: sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(userIds)}) AS one
    WHERE ${accountLetterCause(sql`one.value`, "paper")} <> '')`,
  error: () => conflict(OWN_CERTIFICATE_REFUSED),
});

/** Continues the numbers of a year that began on paper. */
const firstNumber = ({ startYear, startNumber }: CertificateKind, year: string) =>
  String(startYear) === year ? startNumber : 1;

const purposeMissing = () => invalidInput({ purpose: "제출 용도를 입력해 주십시오." });

/** The one way to issue, to one person or to many. @throws AppError INVALID_INPUT naming empty placeholders */
export async function issueCertificates(
  ctx: AppContext,
  kind: CertificateKind,
  subjects: readonly CertificateSubject[],
  {
    purpose,
    check,
    also,
    ...logged
  }: {
    purpose: string;
    check?: (count: number) => void;
    /** More of the batch, by the certificate of each account. */
    also?: (issued: { id: string; userId: string }[]) => { guards: BatchGuard[]; parts: BatchPart[] };
    reason?: string;
    detail?: Record<string, unknown>;
  },
) {
  const { ready, leftOut, first } = await sortSubjects(ctx, kind, subjects, purpose);
  if (ready.length === 0) {
    if (!first) throw conflict(CERTIFICATE_OF_GONE);
    const { missing } = first;
    if (missing.includes(PURPOSE_FIELD)) throw purposeMissing();
    throw invalidInput({
      kindId: `${first.name}님은 ${withParticle(missing.join(", "), "이/가")} 없어 ${withParticle(kind.name, "을/를")} 발급할 수 없습니다.`,
    });
  }
  check?.(ready.length);
  const createdDate = ctx.now();
  const year = koreanDay(createdDate).slice(0, 4);
  const series = fillPlaceholders(kind.numberPattern, (name) => (name === YEAR_FIELD ? year : undefined));
  const issueId = ready.length > 1 ? crypto.randomUUID() : null;
  const common = {
    issueId,
    series,
    // In the statement, so that two issues at once do not share a number.
    serial: sql<number>`(SELECT max(coalesce(max(serial), 0) + 1, ${firstNumber(kind, year)}) FROM alumni_certificate WHERE series = ${series})`,
    createdUserId: requireSignedIn(ctx).userId,
    createdDate,
    expiresDate: kind.months > 0 ? monthsLater(createdDate, kind.months) : null,
  };
  const rows = ready.map(({ whose, content }) => ({
    id: crypto.randomUUID(),
    number: certificateNumber(year, crypto.getRandomValues(new Uint8Array(10))),
    ...whose,
    ...content,
    ...common,
  }));
  const answer = { id: issueId ?? rows[0]?.id ?? "", count: rows.length, leftOut };
  const people = ready.map(({ whose }) => ("userId" in whose ? whose.userId : whose.alumniId));
  const entryIds = ready.flatMap(({ entry }) => entry?.id ?? []);
  const issued = rows.flatMap((row) => ("userId" in row ? { id: row.id, userId: row.userId } : []));
  const more = also?.(issued);
  const guards = [
    unchangedRow(certificateKind, kind.id, kind.version),
    entriesHold(entryIds, sql`deleted_date IS NULL`, () => alumniNotFound(ctx)),
    ...(issued.length === 0
      ? [entriesHold(entryIds, mayBeSent("paper"), () => conflict(CERTIFICATE_OF_GONE))]
      : [areMembers(issued.map(({ userId }) => userId))]),
    ...(more?.guards ?? []),
  ];
  await runGuardedBatch(ctx, guards, [
    ...rows.map((row) => ctx.db.insert(alumniCertificate).values(row)),
    ...auditPeople(ctx, { action: "certificate.issue", targetId: answer.id, ...logged }, people),
    ...(more?.parts ?? []),
    ...storeIdempotentAnswer(ctx, answer),
  ]);
  return answer;
}

/** @throws AppError NOT_FOUND, CONFLICT for a closed kind or a member without an entry, INVALID_INPUT */
export async function issueOwnCertificate(ctx: AppContext, { kindId, purpose }: Parsed<typeof issueCertificateInput>) {
  const { userId, userName: name } = requireSignedIn(ctx);
  authorize(ctx, { action: "User.Self", userId });
  const kind = await requireOpenKind(ctx, kindId, true);
  if (takesPurpose(kind) && purpose === "") throw purposeMissing();
  await countLimits(ctx, ["certificateDay", userId]);
  const [entry = null] = await ownEntryStatement(ctx);
  if (kind.selfIssue === "entry" && !entry)
    throw conflict("주소록에 등록된 회원만 발급할 수 있습니다. 사무국에 문의해 주십시오.");
  return issueCertificates(ctx, kind, [{ whose: { userId }, name, entry }], { purpose });
}

async function readSubjects(ctx: AppContext, segment: ParsedAlumniSelection): Promise<CertificateSubject[]> {
  const people = await ctx.db
    .select(ALUMNI_PERSON_COLUMNS)
    .from(alumni)
    .where(requireSegment(ctx, segment).where)
    .orderBy(asc(alumni.name), asc(alumni.id))
    .limit(CERTIFICATE_LIMITS.people + 1);
  if (people.length === 0) throw alumniNotFound(ctx);
  if (people.length > CERTIFICATE_LIMITS.people)
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message: `한 번에 ${formatCount(CERTIFICATE_LIMITS.people)}명까지 발급할 수 있습니다. 조건을 좁혀 주십시오.`,
    });
  return people.map((entry) => ({ whose: { alumniId: entry.id }, name: entry.name, entry }));
}

/** @throws AppError NOT_FOUND, CONFLICT for a closed kind, INVALID_INPUT if nobody has all values */
export async function issueForPeople(
  ctx: AppContext,
  { kindId, segment, purpose, count, reason }: Parsed<typeof issueForPeopleInput>,
) {
  authorizeOffice(ctx);
  const kind = await requireOpenKind(ctx, kindId, false);
  const detail = { kind: kind.name, ...describeSegment(ctx, segment) };
  const check = (found: number) => requireSeenCount(segment, count, found);
  return issueCertificates(ctx, kind, await readSubjects(ctx, segment), { purpose, check, reason, detail });
}

/** Counts the certificates, names who is left out, and shows the first. */
export async function previewCertificates(
  ctx: AppContext,
  { kindId, segment, purpose }: Parsed<typeof previewCertificatesInput>,
) {
  authorizeOffice(ctx);
  const kind = await requireOpenKind(ctx, kindId, false);
  const { ready, leftOut, named } = await sortSubjects(ctx, kind, await readSubjects(ctx, segment), purpose);
  const sample = ready[0];
  const quoted = [...(sample ? [sample] : []), ...named].flatMap(({ entry }) => entry?.id ?? []);
  auditLook(ctx, { action: "certificate.list" }, [...new Set(quoted)]);
  const content = sample && { ...sample.content, body: showPaidAmount(sample.content.body, true) };
  return { count: ready.length, leftOut, sample: content ?? null };
}

export type CertificatePreview = View<typeof previewCertificates>;

export async function listOwnCertificates(ctx: AppContext): Promise<CertificateView[]> {
  const { userId } = requireSignedIn(ctx);
  authorize(ctx, { action: "User.Self", userId });
  const rows = await ctx.db
    .select(certificateColumns(ctx))
    .from(alumniCertificate)
    .where(eq(alumniCertificate.userId, userId))
    .orderBy(desc(alumniCertificate.createdDate))
    .limit(50);
  return rows.map((row) => certificateView(ctx, row, true));
}

export async function listCertificates(
  scope: RequestScope,
  query: Parsed<typeof listCertificatesQuery>,
): Promise<Page<CertificateView>> {
  const { ctx, rows } = await scope.readFor(authorizeOffice, [
    rowsOfPage(
      scope.db
        .select(certificateColumns(scope))
        .from(alumniCertificate)
        .orderBy(desc(alumniCertificate.createdDate), desc(alumniCertificate.id)),
      query,
    ),
    countRows(scope.db, alumniCertificate),
  ]);
  const [certificates, counts] = rows;
  auditLook(
    ctx,
    { action: "certificate.list" },
    certificates.map(({ subjectId }) => subjectId),
  );
  return makeCountedPage(
    query,
    certificates.map((row) => certificateView(ctx, row)),
    counts,
  );
}

/** A certificate, or all of an issue: the owner's or, for the office, any. @throws AppError NOT_FOUND */
export async function getCertificates(scope: RequestScope, id: string): Promise<CertificateView[]> {
  const { ctx, rows } = await scope.readFor(requireSignedIn, [certificateStatement(scope, id)]);
  const found = rows[0].length > 0 ? rows[0] : [undefined];
  const own = found.map((row) => requireOwnRow(ctx, row));
  const { userId } = requireSignedIn(ctx);
  auditLook(
    ctx,
    { action: "certificate.list", targetId: id },
    own.filter(({ ownerUserId }) => ownerUserId !== userId).map(({ subjectId }) => subjectId),
  );
  return own.map(({ ownerUserId, ...row }) => certificateView(ctx, row, ownerUserId === userId));
}

const certificateStatement = (at: Pick<RequestScope, "db" | "now">, id: string) =>
  at.db
    .select({ ...certificateColumns(at), ownerUserId: alumniCertificate.userId })
    .from(alumniCertificate)
    .where(or(eq(alumniCertificate.id, id), eq(alumniCertificate.issueId, id)))
    .orderBy(asc(alumniCertificate.serial));

/** @throws AppError NOT_FOUND for a missing certificate or another person's */
async function requireOwnCertificate(ctx: AppContext, id: string) {
  requireSignedIn(ctx);
  const rows = await certificateStatement(ctx, id);
  return requireOwnRow(
    ctx,
    rows.find((row) => row.id === id),
  );
}

function requireOwnRow<R extends { ownerUserId: string | null }>(ctx: AppContext, row: R | undefined): R {
  if (!row) throw new AppError("NOT_FOUND", { message: "증명서를 찾을 수 없습니다." });
  if (row.ownerUserId !== requireSignedIn(ctx).userId) {
    authorize(ctx, { action: "ADMIN_Access" }, "hidden");
    authorize(ctx, { action: "Alumni_Write" }, "hidden");
  }
  return row;
}

export async function withdrawCertificate(ctx: AppContext, id: string, reason: string): Promise<Record<string, never>> {
  const { subjectId } = await requireOwnCertificate(ctx, id);
  const guard = {
    holds: sql`EXISTS (SELECT 1 FROM alumni_certificate WHERE id = ${id} AND withdrawn_date IS NULL)`,
    error: () => new AppError("CONFLICT", { message: "이미 효력을 없앤 증명서입니다." }),
  };
  await runGuardedBatch(ctx, guard, [
    ctx.db
      .update(alumniCertificate)
      .set({ withdrawnDate: ctx.now(), withdrawReason: reason })
      .where(and(eq(alumniCertificate.id, id), isNull(alumniCertificate.withdrawnDate))),
    ...auditPeople(ctx, { action: "certificate.withdraw", targetId: id, reason }, [subjectId]),
  ]);
  return {};
}

/** Ends the certificates of destroyed people and erases their text; a check still reports them as invalid. */
export const endCertificates = (db: AppContext["db"], whose: SQL) =>
  db
    .update(alumniCertificate)
    .set({
      name: "",
      affiliation: "",
      purpose: "",
      body: "",
      withdrawReason: "",
      withdrawnDate: sql`coalesce(withdrawn_date, created_date)`,
    })
    .where(whose);

const certificateNotFound = () => new AppError("NOT_FOUND", { message: CERTIFICATE_NOT_FOUND });

/** For the paper's reader to compare; without the purpose once its owner is gone. */
async function checkedCertificate(ctx: AppContext, where: SQL) {
  const [row] = await ctx.db.select(certificateColumns(ctx)).from(alumniCertificate).where(where);
  if (!row) return undefined;
  const { name, state, kindName, documentNumber, purpose, createdDate, expiresDate } = certificateView(ctx, row);
  return { name, state, kindName, documentNumber, purpose: name && purpose, createdDate, expiresDate };
}

/** Public; a wrong number and a wrong name get the same answer. */
export async function checkCertificate(ctx: AppContext, { number, name }: Parsed<typeof checkCertificateInput>) {
  await countLimits(ctx, ["certificateAddress", ctx.client.address]);
  const found = await checkedCertificate(ctx, eq(alumniCertificate.number, number));
  const fold = (text: string) => normaliseUnicode(text, "NFC").replace(/\s/g, "").toLowerCase();
  if (!found || fold(found.name) !== fold(name)) throw certificateNotFound();
  return found;
}

export type CertificateCheck = View<typeof checkCertificate>;

/** Checks the QR code, whose signature prevents forgery. @returns null for a damaged or forged code */
export async function checkSignedCertificate(ctx: AppContext, token: string): Promise<CertificateCheck | null> {
  const id = ctx.tokens.unsign(PURPOSE, token);
  return (id && (await checkedCertificate(ctx, eq(alumniCertificate.id, id)))) || null;
}
