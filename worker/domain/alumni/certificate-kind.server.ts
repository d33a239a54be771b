import { and, asc, eq, ne, sql } from "drizzle-orm";
import { alumniCertificate, certificateKind } from "#db/schema/alumni.ts";
import { file } from "#db/schema/file.ts";
import { usedFields } from "#worker/contract/alumni/alumni-settings.ts";
import {
  type AttendedEvent,
  CERTIFICATE_LIMITS,
  certificateSamples,
  ISSUED_FIELD,
  ISSUER_FIELD,
  isPaidText,
  type PaidYear,
  paidTexts,
  personFields,
  PURPOSE_FIELD,
  SERIAL_FIELD,
  YEAR_FIELD,
} from "#worker/contract/alumni/certificate.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { certificateKindInputs } from "#worker/contract/alumni/input.ts";
import { certificateKindRow } from "#worker/contract/alumni/rows.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { koreanLongDay } from "#worker/contract/kernel/korea.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import { fillPlaceholders, placeholderProblem, placeholdersOf } from "#worker/contract/kernel/placeholders.ts";
import { LETTER_CAUSE_NAMES, letterCause } from "#worker/contract/mail/letters.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import type { FileToServe } from "../file/read.server.ts";
import { authorizeSetting, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { abortBatchUnless, conflict } from "../kernel/guarded-batch.server.ts";
import { writeOrderedRow } from "../kernel/row-transfer.server.ts";
import { tellFields } from "../mail/field-change.server.ts";
import { namesOf } from "../kernel/choice-rename.server.ts";
import { rowsOf } from "../kernel/rows.server.ts";
import { settingStatement } from "../kernel/setting.server.ts";
import { lastPaidYears, seesDues } from "./dues/person.server.ts";
import { authorizeDues } from "./dues/work.server.ts";
import { isOwnUpload, readAttachedFile, releaseUnusedFiles } from "./own-field.server.ts";
import { type AlumniPerson, visibleTextsFor } from "./row.server.ts";
import { alumniSettings, authorizeOffice, ownFields } from "./setting.server.ts";

export type CertificateKind = typeof certificateKind.$inferSelect;

function patternProblem(pattern: string): string | null {
  const problem = placeholderProblem(pattern, [YEAR_FIELD, SERIAL_FIELD], "번호 형식");
  if (problem) return problem;
  return placeholdersOf(pattern).includes(SERIAL_FIELD) ? null : `{{${SERIAL_FIELD}}}를 넣어 주십시오.`;
}

/** A year and a number belong together. */
function startProblem({
  startYear,
  startNumber,
}: Pick<CertificateKind, "startYear" | "startNumber">): Record<string, string> {
  if (startYear === 0 && startNumber === 0) return {};
  if (startYear < 2000) return { startYear: "연도를 2026처럼 네 자리로 적어 주십시오." };
  return startNumber === 0 ? { startNumber: "그 해의 첫 번호를 적어 주십시오." } : {};
}

/** @throws AppError INVALID_INPUT unless it is a picture that the caller uploaded for this */
async function requireSeal(ctx: AppContext, sealId: string): Promise<void> {
  const [found] = await ctx.db
    .select({ size: file.size, pixelWidth: file.pixelWidth })
    .from(file)
    .where(isOwnUpload(ctx, [sealId]));
  if (!found?.pixelWidth) throw invalidInput({ sealId: "그림 파일을 다시 올려 주십시오." });
  if (found.size > CERTIFICATE_LIMITS.sealBytes)
    throw invalidInput({ sealId: `직인 그림은 ${formatBytes(CERTIFICATE_LIMITS.sealBytes)}까지 올릴 수 있습니다.` });
}

/** A change of a kind leaves issued certificates as they are. */
export const certificateKinds = rowsOf(certificateKindRow, certificateKind, {
  inputs: certificateKindInputs,
  section: "certificateKinds",
  tell: tellFields,
  uses: namesOf([
    sql`SELECT '마이페이지에서 회원이 직접 발급' AS name
      WHERE "certificate_kind"."self_issue" <> 'office' AND NOT "certificate_kind"."is_closed"`,
  ]),
  async check(ctx, value, change) {
    const known = Object.keys(certificateSamples(usedFields(alumniSettings(ctx)), ownFields(ctx), ""));
    const problems = {
      body: placeholderProblem(value.body, known, "증명서"),
      numberPattern: patternProblem(value.numberPattern),
      ...startProblem(value),
    };
    const found = Object.entries(problems).filter((each): each is [string, string] => Boolean(each[1]));
    if (found.length > 0) throw invalidInput(Object.fromEntries(found));
    if (value.sealId !== "" && value.sealId !== change?.before.sealId) await requireSeal(ctx, value.sealId);
    return value;
  },
  also: (ctx, _id, value) => [
    ...(value?.sealId
      ? [
          ctx.db
            .update(file)
            .set({ purpose: "alumni", status: "attached" })
            .where(isOwnUpload(ctx, [value.sealId])),
          abortBatchUnless(
            ctx,
            sql`EXISTS (SELECT 1 FROM file WHERE id = ${value.sealId} AND purpose = 'alumni' AND status = 'attached')`,
          ),
        ]
      : []),
    releaseUnusedFiles(ctx.db),
  ],
  transfer: {
    documentOf: ({ sortOrder: _sortOrder, version: _version, ...row }) => ({ ...row, sealId: "" }),
    write: (ctx, { sealId: _sealId, ...document }) => [
      writeOrderedRow(ctx, certificateKind, certificateKind.id, document),
    ],
    problemsOf: ({ body, numberPattern, startYear, startNumber }) => ({
      body: placeholderProblem(body, placeholdersOf(body), "증명서") ?? null,
      numberPattern: patternProblem(numberPattern),
      ...startProblem({ startYear, startNumber }),
    }),
  },
});

/** The page of kinds, with the placeholders of their text. */
export async function getCertificateKinds(scope: RequestScope) {
  const [rows, { ctx, rows: settings }] = await Promise.all([
    certificateKinds.list(scope),
    scope.readFor((caller) => authorizeSetting(caller, "certificateKinds"), [settingStatement(scope.db, "site")]),
  ]);
  const { organization } = issuerOf({ organization: "", chair: "" }, settings[0][0]?.value);
  return { rows, samples: certificateSamples(usedFields(alumniSettings(ctx)), ownFields(ctx), organization) };
}

const fieldsFor = (ctx: AppContext) => personFields(usedFields(alumniSettings(ctx)), ownFields(ctx));

/** The text names what was paid. */
const isOfDues = (ctx: AppContext, { body }: Pick<CertificateKind, "body">) =>
  placeholdersOf(body).some((label) => isPaidText(label) && !fieldsFor(ctx).has(label));

export const takesPurpose = ({ body, withPurpose }: Pick<CertificateKind, "body" | "withPurpose">): boolean =>
  withPurpose || placeholdersOf(body).includes(PURPOSE_FIELD);

/** Open kinds, for a member those that they may issue, and those of dues for their office alone. */
export async function listOpenKinds(ctx: AppContext, isOwn: boolean) {
  if (!isOwn) authorizeOffice(ctx);
  requireSignedIn(ctx);
  const isSeen = (kind: CertificateKind) => isOwn || seesDues(ctx) || !isOfDues(ctx, kind);
  const rows = await ctx.db
    .select()
    .from(certificateKind)
    .where(and(eq(certificateKind.isClosed, false), isOwn ? ne(certificateKind.selfIssue, "office") : undefined))
    .orderBy(asc(certificateKind.sortOrder), asc(certificateKind.id));
  return rows.filter(isSeen).map(({ id, name, body, withPurpose, months }) => ({
    id,
    name,
    months,
    takesPurpose: takesPurpose({ body, withPurpose }),
  }));
}

export type OpenKind = View<typeof listOpenKinds>[number];

/** @param id undefined for the first open kind @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT for a closed kind */
export async function requireOpenKind(ctx: AppContext, id: string | undefined, isOwn: boolean) {
  const [kind] = await ctx.db
    .select()
    .from(certificateKind)
    .where(
      and(
        id === undefined ? eq(certificateKind.isClosed, false) : eq(certificateKind.id, id),
        isOwn ? ne(certificateKind.selfIssue, "office") : undefined,
      ),
    )
    .orderBy(asc(certificateKind.sortOrder), asc(certificateKind.id))
    .limit(1);
  if (!kind) throw new AppError("NOT_FOUND", { message: "발급할 수 있는 증명서가 없습니다." });
  if (kind.isClosed) throw conflict("더 발급하지 않는 증명서입니다.");
  if (!isOwn && isOfDues(ctx, kind)) authorizeDues(ctx);
  return kind;
}

/** The society itself, not its office. @param site the stored setting, whose names apply where the kind has none */
function issuerOf({ organization, chair }: Pick<CertificateKind, "organization" | "chair">, site: unknown) {
  const { siteName, contact, chair: siteChair } = siteSettings.parse(site ?? {});
  return { organization: organization || siteName || contact.organization, chair: chair || siteChair };
}

export interface CertificateSubject {
  whose: { userId: string } | { alumniId: string };
  name: string;
  entry: AlumniPerson | null;
  attended?: AttendedEvent;
}

/** Stands for the placeholders of a year that the person did not pay. */
const PAID_DUES = "납부한 회비";

/** The certificate of a person, and the placeholders without a value. */
function certificateContent(
  ctx: AppContext,
  kind: CertificateKind,
  issuer: ReturnType<typeof issuerOf>,
  { name, entry, attended }: Pick<CertificateSubject, "name" | "entry" | "attended">,
  purpose: string,
  paid: PaidYear | undefined,
) {
  const fields = fieldsFor(ctx);
  const texts = entry ? visibleTextsFor(ctx, entry, [...fields.values()]) : [];
  const values: Record<string, string> = {
    ...paidTexts(paid),
    ...attended,
    ...Object.fromEntries([...fields.keys()].map((label, at) => [label, String(texts[at] ?? "")])),
    [ALUMNI_COLUMN_LABELS.name]: name,
    [PURPOSE_FIELD]: purpose,
    [ISSUED_FIELD]: koreanLongDay(ctx.now()),
    [ISSUER_FIELD]: issuer.organization,
  };
  const affiliation = ALUMNI_COLUMN_LABELS.affiliation;
  const needed = new Set([...placeholdersOf(kind.body), ...(kind.withAffiliation ? [affiliation] : [])]);
  return {
    missing: [
      ...new Set(
        [...needed]
          .filter((label) => !lookUp(values, label))
          .map((label) => (!paid && isPaidText(label) ? PAID_DUES : label)),
      ),
    ],
    content: {
      kindName: kind.name,
      name,
      affiliation: (kind.withAffiliation && values[affiliation]) || "",
      purpose: kind.withPurpose ? purpose : "",
      body: fillPlaceholders(kind.body, (label) => lookUp(values, label)),
      ...issuer,
      sealId: kind.sealId,
    },
  };
}

/** The certificates that are ready, and the people left out with the cause. */
export async function sortSubjects(
  ctx: AppContext,
  kind: CertificateKind,
  subjects: readonly CertificateSubject[],
  purpose: string,
) {
  const [site] = await settingStatement(ctx.db, "site");
  const issuer = issuerOf(kind, site?.value);
  const ids = isOfDues(ctx, kind) ? subjects.flatMap(({ entry }) => entry?.id ?? []) : [];
  const paid = ids.length > 0 ? await lastPaidYears(ctx, ids) : new Map<string, PaidYear>();
  const drafts = subjects.map((subject) => {
    const { missing, content } = certificateContent(
      ctx,
      kind,
      issuer,
      subject,
      purpose,
      paid.get(subject.entry?.id ?? ""),
    );
    // An account may own several entries, which a guard of the batch judges together.
    const gone = "alumniId" in subject.whose && subject.entry ? letterCause(subject.entry, "paper") : "";
    const causes = gone
      ? [LETTER_CAUSE_NAMES[gone]]
      : missing.map((label) => `${withParticle(label, "이/가")} ${label === PAID_DUES ? "없음" : "비어 있음"}`);
    return { ...subject, content, missing, causes, isGone: gone !== "" };
  });
  const named = [...new Set(drafts.flatMap(({ causes }) => causes))].map((cause) => {
    const those = drafts.filter(({ causes }) => causes.includes(cause));
    return { cause, count: those.length, shown: those.slice(0, CERTIFICATE_LIMITS.named) };
  });
  const leftOut = named.map(({ shown, ...rest }) => ({ ...rest, names: shown.map(({ name }) => name) }));
  const ready = drafts.filter(({ causes }) => causes.length === 0);
  return {
    ready,
    leftOut,
    /** The people whom `leftOut` names. */
    named: named.flatMap(({ shown }) => shown),
    first: drafts.find(({ isGone }) => !isGone),
  };
}

/** For the office, and for the member whose certificate has it. @throws AppError NOT_FOUND */
export async function getSeal(ctx: AppContext, sealId: string): Promise<FileToServe> {
  const { userId } = requireSignedIn(ctx);
  const office = can(ctx.actor, { action: "ADMIN_Access" }) && can(ctx.actor, { action: "Alumni_Write" });
  const [used] = await ctx.db
    .select({ sealId: alumniCertificate.sealId })
    .from(alumniCertificate)
    .where(and(eq(alumniCertificate.sealId, sealId), office ? undefined : eq(alumniCertificate.userId, userId)))
    .limit(1);
  const ofKind = office ? await ctx.db.$count(certificateKind, eq(certificateKind.sealId, sealId)) : 0;
  return readAttachedFile(ctx, used || ofKind > 0 ? sealId : "");
}
