import { eq } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext, Door } from "#worker/domain/kernel/context.ts";
import { caseReportSettings, type KeptCounts, keptCounts } from "#worker/contract/case-report/input.ts";
import type { LocationCount, SubjectCounts } from "#worker/contract/case-report/view.ts";
import type { ContentPage } from "#worker/contract/content/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { PROVINCES, provinceOf } from "#worker/contract/content/region.ts";
import { permit } from "../kernel/authorize.server.ts";
import { checkProduct, contentStatements, contentView } from "../content/page.server.ts";

const KEY = "case-report:counts";
const FRESH_MS = 10 * 60_000;
const KEPT_SECONDS = 24 * 60 * 60;
/** After a failure the older figures are given at once for a while, and the host is asked with little patience. */
const failed = { at: 0 };
const FAILED_MS = 60_000;

type Reader = Pick<AppContext, "caseReport" | "kv" | "now" | "defer">;

export const maskStatement = (db: Door["db"]) =>
  db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "case-report"));
const maskOf = (rows: { value: unknown }[]) => caseReportSettings.parse(rows[0]?.value ?? {}).maskBelow;

/** GET case-report/subject-location-count; public. @throws AppError UPSTREAM_UNAVAILABLE with nothing to fall back on */
export async function subjectCounts(door: Door): Promise<SubjectCounts> {
  const { ctx, rows } = await door.read([maskStatement(door.db)]);
  return masked(await currentCounts(ctx), maskOf(rows[0]));
}

/** The residence page: its text, and the counts or why there are none. */
export async function residencePage(
  door: Door,
  { product, preview }: { product: string; preview: boolean },
): Promise<{ page: ContentPage; counts: SubjectCounts | null; problem: string | null }> {
  const { ctx, rows } = await door.read([
    ...contentStatements(door.db, "residence", door.now()),
    maskStatement(door.db),
  ]);
  checkProduct(ctx, product);
  if (preview) permit(ctx, { action: "ADMIN_Access" });
  const page = contentView(ctx, "residence", rows[0][0], rows[1][0], rows[2], preview);
  const { counts, problem } = await countsOrProblem(ctx, maskOf(rows[3]));
  return { page, counts, problem };
}

/** For pages, which are shown whether or not the host answers. */
export async function countsOrProblem(
  ctx: Reader,
  maskBelow: number,
): Promise<{ counts: SubjectCounts | null; problem: string | null }> {
  try {
    return { counts: masked(await currentCounts(ctx), maskBelow), problem: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "UPSTREAM_UNAVAILABLE") throw error;
    return { counts: null, problem: error.message };
  }
}

/** The kept figures alone, whatever their age within a day: never waits for the host. */
export async function keptTotal(kv: KVNamespace): Promise<{ total: number; asOfDate: string } | null> {
  const kept = await readKept(kv);
  return kept && { total: totalOf(kept.locations), asOfDate: kept.asOfDate };
}

/** The scheduled job asks anew, so that visitors find figures that are there already. */
export async function refreshCounts(ctx: Omit<Reader, "defer">): Promise<void> {
  const writes: Promise<unknown>[] = [];
  await fetchCounts({ ...ctx, defer: (work) => void writes.push(work) }, false);
  await Promise.all(writes);
}

async function currentCounts(ctx: Reader): Promise<KeptCounts & { stale: boolean }> {
  const kept = await readKept(ctx.kv);
  const now = ctx.now().getTime();
  if (kept && now - Date.parse(kept.asOfDate) < FRESH_MS) return { ...kept, stale: false };
  try {
    const counts = await fetchCounts(ctx, kept !== null && now - failed.at < FAILED_MS);
    failed.at = 0;
    return { ...counts, stale: false };
  } catch (error) {
    failed.at = now;
    if (kept) return { ...kept, stale: true };
    throw error;
  }
}

async function fetchCounts(ctx: Reader, impatient: boolean): Promise<KeptCounts> {
  const rows = await ctx.caseReport.counts(impatient);
  const counts = { locations: byProvince(rows), asOfDate: ctx.now().toISOString() };
  ctx.defer(ctx.kv.put(KEY, JSON.stringify(counts), { expirationTtl: KEPT_SECONDS }));
  return counts;
}

async function readKept(kv: KVNamespace): Promise<KeptCounts | null> {
  return keptCounts.safeParse(await kv.get(KEY, "json").catch(() => null)).data ?? null;
}

/** One row a province, in the official order; what is counted elsewhere comes last as '기타'. */
function byProvince(rows: readonly { location: string; count: number }[]): KeptCounts["locations"] {
  const sums = new Map<string, KeptCounts["locations"][number]>();
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

const totalOf = (locations: KeptCounts["locations"]) => locations.reduce((sum, { count }) => sum + count, 0);

/** A single masked cell could be reckoned back from the total, so that the smallest of the others goes with it. */
export function masked({ locations, asOfDate, stale }: KeptCounts & { stale: boolean }, below: number): SubjectCounts {
  const hidden = new Set(locations.filter(({ count }) => count > 0 && count < below));
  if (hidden.size === 1) {
    const next = locations.filter((row) => !hidden.has(row) && row.count > 0).toSorted((a, b) => a.count - b.count)[0];
    if (next) hidden.add(next);
  }
  const shown: LocationCount[] = locations.map((row) => ({ ...row, count: hidden.has(row) ? null : row.count }));
  return { total: totalOf(locations), locations: shown, asOfDate, stale };
}
