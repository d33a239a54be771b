import { eq } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import {
  caseReportSettings,
  type LocationCount,
  type StoredCounts,
  storedCounts,
  type SubjectCounts,
} from "#worker/contract/case-report/case-report.ts";
import type { ContentPage } from "#worker/contract/content/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { englishRegionName, provinceOf, PROVINCES } from "#worker/contract/kernel/provinces.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { requireCaseReport, requireLanguage } from "../kernel/site-identity.server.ts";
import { requireShownPage } from "../content/info-page.server.ts";
import { contentPageView, contentStatements, requireProduct } from "../content/page.server.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { audit } from "../kernel/audit-entry.server.ts";

const COUNTS_KEY = "case-report:counts";
export const FRESH_MS = 10 * 60_000;
const KEPT_SECONDS = 24 * 60 * 60;
/** For this long after a failure, stale figures are served and the host gets a shorter timeout. */
const lastFailure = { at: 0 };
const FAILED_MS = 60_000;

type CountsContext = Pick<AppContext, "caseReport" | "kv" | "now" | "defer">;

const maskSettingStatement = (db: RequestScope["db"]) =>
  db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "case-report"));
const maskBelowOf = (rows: { value: unknown }[]) => caseReportSettings.parse(rows[0]?.value ?? {}).maskBelow;

/** Public. @throws AppError UPSTREAM_UNAVAILABLE without stored figures */
export async function getSubjectCounts(scope: RequestScope): Promise<SubjectCounts> {
  const { ctx, rows } = await scope.read([maskSettingStatement(scope.db)]);
  requireCaseReport(ctx);
  return maskCounts(await currentCounts(ctx), maskBelowOf(rows[0]));
}

export async function getResidencePage(
  scope: RequestScope,
  { product, preview, language = "ko" }: { product: string; preview: boolean; language?: Language },
): Promise<{ page: ContentPage; counts: SubjectCounts | null; problem: string | null }> {
  const { ctx, rows } = await scope.read([
    ...contentStatements(scope.db, "residence", scope.now()),
    maskSettingStatement(scope.db),
  ]);
  requireProduct(ctx, product);
  requireLanguage(ctx, language);
  requireShownPage(ctx, "residence");
  if (preview) authorize(ctx, { action: "ADMIN_Access" });
  const stored = { row: rows[0][0], version: rows[1][0], files: rows[2], wantsPreview: preview };
  const page = contentPageView(ctx, "residence", stored, language);
  const { counts, problem } = await readCountsOrProblem(ctx, maskBelowOf(rows[3]));
  return { page, counts: counts && language === "en" ? inEnglish(counts) : counts, problem };
}

const inEnglish = (counts: SubjectCounts): SubjectCounts => ({
  ...counts,
  locations: counts.locations.map((row) => ({ ...row, regionName: englishRegionName(row.regionCode) })),
});

async function readCountsOrProblem(ctx: CountsContext, maskBelow: number) {
  try {
    return { counts: maskCounts(await currentCounts(ctx), maskBelow), problem: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "UPSTREAM_UNAVAILABLE") throw error;
    return { counts: null, problem: error.message };
  }
}

/** Stored figures only, up to a day old; never waits for the host. */
export async function readStoredTotal(kv: KVNamespace): Promise<{ total: number; asOfDate: string } | null> {
  const kept = await readStoredCounts(kv);
  return kept && { total: totalOf(kept.locations), asOfDate: kept.asOfDate };
}

/** Scheduled refresh, so that visitors never wait for the host. */
export async function refreshSubjectCounts(ctx: Omit<CountsContext, "defer">): Promise<void> {
  const writes: Promise<unknown>[] = [];
  await fetchCounts({ ...ctx, defer: (work) => void writes.push(work) }, false);
  await Promise.all(writes);
}

async function currentCounts(ctx: CountsContext): Promise<StoredCounts & { stale: boolean }> {
  const kept = await readStoredCounts(ctx.kv);
  const now = ctx.now().getTime();
  if (kept && now - Date.parse(kept.asOfDate) < FRESH_MS) return { ...kept, stale: false };
  try {
    const counts = await fetchCounts(ctx, kept !== null && now - lastFailure.at < FAILED_MS);
    lastFailure.at = 0;
    return { ...counts, stale: false };
  } catch (error) {
    lastFailure.at = now;
    if (kept) return { ...kept, stale: true };
    throw error;
  }
}

async function fetchCounts(ctx: CountsContext, impatient: boolean): Promise<StoredCounts> {
  const rows = await ctx.caseReport.counts(impatient);
  const counts = { locations: byProvince(rows), asOfDate: ctx.now().toISOString() };
  // KV allows one write a second for a key; a refused one means that another was just stored.
  ctx.defer(ctx.kv.put(COUNTS_KEY, JSON.stringify(counts), { expirationTtl: KEPT_SECONDS }).catch(() => undefined));
  return counts;
}

async function readStoredCounts(kv: KVNamespace): Promise<StoredCounts | null> {
  return storedCounts.safeParse(await kv.get(COUNTS_KEY, "json").catch(() => null)).data ?? null;
}

/** One row for each province in official order; all others are summed as '기타'. */
function byProvince(rows: readonly { location: string; count: number }[]): StoredCounts["locations"] {
  const sums = new Map<string, StoredCounts["locations"][number]>();
  for (const { location, count } of rows) {
    const { regionCode, regionName } = provinceOf(location);
    const sum = sums.get(regionCode);
    if (sum) sum.count += count;
    else sums.set(regionCode, { regionCode, regionName, count });
  }
  const order = new Map<string, number>(PROVINCES.map((province, at) => [province.regionCode, at]));
  return [...sums.values()].toSorted(
    (a, b) => (order.get(a.regionCode) ?? PROVINCES.length) - (order.get(b.regionCode) ?? PROVINCES.length),
  );
}

const totalOf = (locations: StoredCounts["locations"]) => locations.reduce((sum, { count }) => sum + count, 0);

/** Masks a second cell with a single masked one, which the total would otherwise reveal. */
export function maskCounts({ locations, asOfDate, stale }: StoredCounts & { stale: boolean }, below: number) {
  const hidden = new Set(locations.filter(({ count }) => count > 0 && count < below));
  if (hidden.size === 1) {
    const next = locations.filter((row) => !hidden.has(row) && row.count > 0).toSorted((a, b) => a.count - b.count)[0];
    if (next) hidden.add(next);
  }
  const shown: LocationCount[] = locations.map((row) => ({ ...row, count: hidden.has(row) ? null : row.count }));
  return { total: totalOf(locations), locations: shown, asOfDate, stale };
}

/** Hands a member over to the service. @throws AppError UPSTREAM_UNAVAILABLE, also without a URL */
export async function issueCaseReportUrl(ctx: AppContext): Promise<{ url: string }> {
  authorize(ctx, { action: "CaseReport_Access" });
  requireCaseReport(ctx);
  const me = requireSignedIn(ctx);
  if (ctx.config.CASE_REPORT_URL === "") throw new AppError("UPSTREAM_UNAVAILABLE", { message: UI_MESSAGES.preparing });
  const url = await ctx.caseReport.handOver({ userId: me.userId, userName: me.userName });
  await ctx.db.batch([
    audit(ctx, { action: "caseReport.handOver", targetType: "user", targetId: me.userId, subjectCount: 1 }),
  ]);
  return { url };
}
