import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { alumniCertificate } from "#db/schema/alumni.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import {
  CERTIFICATE_MS,
  CERTIFICATE_NOT_FOUND,
  certificateNumber,
  type CertificateState,
  type CertificateView,
} from "#worker/contract/alumni/certificate.ts";
import type {
  CheckCertificateInput,
  IssueCertificateInput,
  IssueForPersonInput,
  ListCertificatesQuery,
} from "#worker/contract/alumni/input.ts";
import type { Page } from "#worker/contract/kernel/envelope.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { inOwnWords } from "../kernel/identity.server.ts";
import { auditLook, auditPeople } from "../kernel/audit-entry.server.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { type BatchGuard, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { authorizeOffice } from "./setting.server.ts";

const PURPOSE = "certificate";

const NAME = sql<string>`coalesce((SELECT user_name FROM user WHERE user.id = alumni_certificate.user_id AND status = 'active'),
  (SELECT name FROM alumni WHERE alumni.id = alumni_certificate.alumni_id AND deleted_date IS NULL), '')`;

/** A certificate is invalid after its owner left, was blocked or was deleted. */
const stateAt = (
  now: Date,
): SQL<CertificateState> => sql`CASE WHEN withdrawn_date IS NOT NULL OR ${NAME} = '' THEN 'withdrawn'
  WHEN expires_date <= ${now.getTime()} THEN 'expired' ELSE 'valid' END`;

const certificateColumns = (at: Pick<RequestScope, "now">) => ({
  id: alumniCertificate.id,
  number: alumniCertificate.number,
  name: NAME,
  purpose: alumniCertificate.purpose,
  state: stateAt(at.now()),
  createdDate: alumniCertificate.createdDate,
  expiresDate: alumniCertificate.expiresDate,
  subjectId: sql<string | null>`coalesce(${alumniCertificate.userId}, ${alumniCertificate.alumniId})`.as("subject_id"),
});

interface CertificateRow extends Omit<CertificateView, "createdDate" | "expiresDate" | "path"> {
  createdDate: Date;
  expiresDate: Date;
}

const certificateView = (ctx: AppContext, row: CertificateRow): CertificateView => ({
  id: row.id,
  number: row.number,
  name: row.name,
  purpose: row.purpose,
  state: row.state,
  createdDate: row.createdDate.toISOString(),
  expiresDate: row.expiresDate.toISOString(),
  path: `/Certificate/${ctx.tokens.sign(PURPOSE, row.id)}`,
});

const newCertificate = (ctx: AppContext, whose: { userId: string; purpose: string } | { alumniId: string }) => ({
  id: crypto.randomUUID(),
  number: certificateNumber(koreanDay(ctx.now()).slice(0, 4), crypto.getRandomValues(new Uint8Array(10))),
  createdUserId: requireSignedIn(ctx).userId,
  createdDate: ctx.now(),
  expiresDate: new Date(ctx.now().getTime() + CERTIFICATE_MS),
  ...whose,
});

export async function issueOwnCertificate(
  ctx: AppContext,
  { purpose }: IssueCertificateInput,
): Promise<{ id: string }> {
  const { userId } = requireSignedIn(ctx);
  authorize(ctx, { action: "User.Self", userId });
  await countLimits(ctx, ["certificateDay", userId]);
  const row = newCertificate(ctx, { userId, purpose });
  await ctx.db.batch([
    ctx.db.insert(alumniCertificate).values(row),
    ...auditPeople(ctx, { action: "certificate.issue", targetType: "certificate", targetId: row.id }, [userId]),
    ...storeIdempotentAnswer(ctx, { id: row.id }),
  ]);
  return { id: row.id };
}

export async function issueCertificateForPerson(
  ctx: AppContext,
  { alumniId, reason }: IssueForPersonInput,
): Promise<{ id: string }> {
  authorizeOffice(ctx);
  const row = newCertificate(ctx, { alumniId });
  const isThere: BatchGuard = {
    holds: sql`EXISTS (SELECT 1 FROM alumni WHERE id = ${alumniId} AND deleted_date IS NULL)`,
    error: () => new AppError("NOT_FOUND", { message: inOwnWords(ctx, "{동문:을/를} 찾을 수 없습니다.") }),
  };
  await runGuardedBatch(
    ctx,
    [isThere],
    [
      ctx.db.insert(alumniCertificate).values(row),
      ...auditPeople(ctx, { action: "certificate.issue", targetType: "certificate", targetId: row.id, reason }, [
        alumniId,
      ]),
      ...storeIdempotentAnswer(ctx, { id: row.id }),
    ],
  );
  return { id: row.id };
}

export async function listOwnCertificates(ctx: AppContext): Promise<CertificateView[]> {
  const { userId } = requireSignedIn(ctx);
  authorize(ctx, { action: "User.Self", userId });
  const rows = await ctx.db
    .select(certificateColumns(ctx))
    .from(alumniCertificate)
    .where(eq(alumniCertificate.userId, userId))
    .orderBy(desc(alumniCertificate.createdDate))
    .limit(50);
  return rows.map((row) => certificateView(ctx, row));
}

export async function listCertificates(
  scope: RequestScope,
  query: ListCertificatesQuery,
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
    { action: "certificate.list", targetType: "certificate" },
    certificates.map(({ subjectId }) => subjectId),
  );
  return makeCountedPage(
    query,
    certificates.map((row) => certificateView(ctx, row)),
    counts,
  );
}

/** The owner's certificate or, for the office, any. @throws AppError NOT_FOUND */
export async function getCertificate(scope: RequestScope, id: string): Promise<CertificateView> {
  const { ctx, rows } = await scope.readFor(requireSignedIn, [certificateStatement(scope, id)]);
  const { ownerUserId, ...row } = requireOwnRow(ctx, rows[0][0]);
  if (ownerUserId !== requireSignedIn(ctx).userId)
    auditLook(ctx, { action: "certificate.list", targetType: "certificate", targetId: id }, [row.subjectId]);
  return certificateView(ctx, row);
}

const certificateStatement = (at: Pick<RequestScope, "db" | "now">, id: string) =>
  at.db
    .select({ ...certificateColumns(at), ownerUserId: alumniCertificate.userId })
    .from(alumniCertificate)
    .where(eq(alumniCertificate.id, id));

/** @throws AppError NOT_FOUND for a missing certificate or another person's */
async function requireOwnCertificate(ctx: AppContext, id: string) {
  requireSignedIn(ctx);
  const [row] = await certificateStatement(ctx, id);
  return requireOwnRow(ctx, row);
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
  await runGuardedBatch(
    ctx,
    [
      {
        holds: sql`EXISTS (SELECT 1 FROM alumni_certificate WHERE id = ${id} AND withdrawn_date IS NULL)`,
        error: () => new AppError("CONFLICT", { message: "이미 효력을 없앤 증명서입니다." }),
      },
    ],
    [
      ctx.db
        .update(alumniCertificate)
        .set({ withdrawnDate: ctx.now(), withdrawReason: reason })
        .where(and(eq(alumniCertificate.id, id), isNull(alumniCertificate.withdrawnDate))),
      ...auditPeople(ctx, { action: "certificate.withdraw", targetType: "certificate", targetId: id, reason }, [
        subjectId,
      ]),
    ],
  );
  return {};
}

/** Ends the certificates of destroyed people and erases their text; a check still reports them as invalid. */
export const endCertificates = (db: AppContext["db"], whose: SQL) =>
  db
    .update(alumniCertificate)
    .set({
      purpose: "",
      withdrawReason: "",
      withdrawnDate: sql`coalesce(withdrawn_date, created_date)`,
    })
    .where(whose);

const certificateNotFound = () => new AppError("NOT_FOUND", { message: CERTIFICATE_NOT_FOUND });

/** Public; a wrong number and a wrong name get the same answer. */
export async function checkCertificate(ctx: AppContext, { number, name }: CheckCertificateInput) {
  await countLimits(ctx, ["certificateAddress", ctx.client.address]);
  const [row] = await ctx.db
    .select({ name: NAME, state: stateAt(ctx.now()) })
    .from(alumniCertificate)
    .where(eq(alumniCertificate.number, number));
  const fold = (text: string) => normaliseUnicode(text, "NFC").replace(/\s/g, "").toLowerCase();
  if (!row || fold(row.name) !== fold(name)) throw certificateNotFound();
  return { name: row.name, state: row.state };
}

export type CertificateCheck = View<typeof checkCertificate>;

/** Checks the QR code, whose signature prevents forgery. @throws AppError NOT_FOUND */
export async function checkSignedCertificate(ctx: AppContext, token: string): Promise<CertificateCheck> {
  const id = ctx.tokens.unsign(PURPOSE, token);
  if (!id) throw certificateNotFound();
  const [row] = await ctx.db
    .select({ name: NAME, state: stateAt(ctx.now()) })
    .from(alumniCertificate)
    .where(eq(alumniCertificate.id, id));
  if (!row) throw certificateNotFound();
  return { name: row.name, state: row.state };
}
