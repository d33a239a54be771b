import { and, asc, isNull, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import {
  type AlumniSettingsView,
  alumniSettingsView,
  isBookFieldUsed,
  isFieldUsed,
} from "#worker/contract/alumni/alumni-settings.ts";
import { type AlumniFieldCode, columnLabel, isOwnFieldCode, ownFieldsFor } from "#worker/contract/alumni/own-fields.ts";
import {
  LEFT_OUT_NAMES,
  needsAddress,
  printMeans,
  PRINT_PEOPLE_MAX,
  type PrintedPerson,
  type PrintOrder,
} from "#worker/contract/alumni/paper.ts";
import type { countPrintInput, printAlumniInput } from "#worker/contract/alumni/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { authorize, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { actWithinLimit } from "../kernel/limit.server.ts";
import { alumniSettings, ownFields } from "./setting.server.ts";
import { ALUMNI_PERSON_COLUMNS, visibleTextsFor } from "./row.server.ts";
import { countLeftOut, describeSegment, mayBeSent, requireSeenCount, requireSegment } from "./segment.server.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";

/** Printing people needs the same permission as exporting a file. */
export function getPrintPage(ctx: AppContext): AlumniSettingsView {
  authorize(ctx, { action: "Alumni_Export" });
  return alumniSettingsView(alumniSettings(ctx), ownFields(ctx), can(ctx.actor, { action: "Alumni_Write" }));
}

export async function countPrint(ctx: AppContext, { segment }: Parsed<typeof countPrintInput>) {
  authorize(ctx, { action: "Alumni_Export" });
  const office = can(ctx.actor, { action: "Alumni_Write" });
  const settings = alumniSettings(ctx);
  const isOpen = settings.openable.includes("address") ? sql`instr(${alumni.openFields}, '"address"') > 0` : sql`0`;
  const isSeen = office ? sql`1` : isOpen;
  const { where } = requireSegment(ctx, segment);
  const [row] = await ctx.db
    .select({
      total: sql<number>`count(*) FILTER (WHERE ${mayBeSent("paper")})`,
      withAddress: isFieldUsed(settings, "address")
        ? sql<number>`count(*) FILTER (WHERE ${alumni.address} <> '' AND ${isSeen} AND ${mayBeSent("post")})`
        : sql<number>`0`,
    })
    .from(alumni)
    .where(where);
  const excluded = { paper: await countLeftOut(ctx, where, "paper"), post: await countLeftOut(ctx, where, "post") };
  return { total: row?.total ?? 0, withAddress: row?.withAddress ?? 0, excluded };
}

export type PrintCounts = View<typeof countPrint>;

const ORDERS: Record<PrintOrder, ReturnType<typeof asc>[]> = {
  name: [asc(alumni.name), asc(alumni.id)],
  cohort: [asc(isNull(alumni.cohort)), asc(alumni.cohort), asc(alumni.name), asc(alumni.id)],
  zipCode: [asc(sql`${alumni.zipCode} = ''`), asc(alumni.zipCode), asc(alumni.name), asc(alumni.id)],
};

const POSTAL: readonly AlumniFieldCode[] = ["zipCode", "address"];

/** Needs Alumni_Export and a reason, like a file; the audit row lists the people's IDs. */
export async function printAlumni(ctx: AppContext, input: Parsed<typeof printAlumniInput>) {
  authorize(ctx, { action: "Alumni_Export" });
  const me = requireSignedIn(ctx);
  return actWithinLimit(ctx, ["exportDay", me.userId], () => readForPrint(ctx, input));
}

export type PrintedPeople = View<typeof printAlumni>;

/** @param found one more than the most. @throws AppError PAYLOAD_TOO_LARGE */
export function requirePrintable(found: readonly unknown[]): void {
  if (found.length > PRINT_PEOPLE_MAX)
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message: `한 번에 ${formatCount(PRINT_PEOPLE_MAX)}명까지 인쇄할 수 있습니다. 조건을 좁혀 주십시오.`,
    });
}

async function readForPrint(
  ctx: AppContext,
  { segment, kind, columns, order, count, reason }: Parsed<typeof printAlumniInput>,
) {
  const settings = alumniSettings(ctx);
  const office = can(ctx.actor, { action: "Alumni_Write" });
  const own = ownFieldsFor(ownFields(ctx), office);
  const wanted = [
    ...new Set<AlumniFieldCode>(["name", "cohort", ...(needsAddress(kind) ? POSTAL : []), ...columns]),
  ].filter((field) => isBookFieldUsed(settings, own, field));
  // A sort position would reveal a hidden postcode.
  const isBySeen = order === "zipCode" && !office;
  const { where } = requireSegment(ctx, segment);
  const means = printMeans(kind);
  const found = await ctx.db
    .select(ALUMNI_PERSON_COLUMNS)
    .from(alumni)
    .where(and(where, mayBeSent(means)))
    .orderBy(...ORDERS[isBySeen ? "name" : order])
    .limit(PRINT_PEOPLE_MAX + 1);
  requirePrintable(found);
  const all = found.map((person): PrintedPerson => {
    const texts = visibleTextsFor(ctx, person, wanted);
    return {
      id: person.id,
      ...Object.fromEntries(wanted.map((field, at) => [field, String(texts[at] ?? "")])),
    };
  });
  if (isBySeen)
    all.sort((a, b) => Number(!a.zipCode) - Number(!b.zipCode) || (a.zipCode ?? "").localeCompare(b.zipCode ?? ""));
  const people = needsAddress(kind) ? all.filter(({ address = "" }) => address !== "") : all;
  requireSeenCount(segment, count, people.length);
  const printed = new Set(people.map(({ id }) => id));
  const leftOut = all.filter(({ id }) => !printed.has(id));
  const excluded = await countLeftOut(ctx, where, means);
  const detail = {
    kind,
    columns: wanted.map((field) => (isOwnFieldCode(field) ? columnLabel(field, own) : field)),
    leftOut: leftOut.length,
    excluded: excluded.reduce((sum, each) => sum + each.count, 0) || undefined,
    ...describeSegment(ctx, segment),
  };
  await ctx.db.batch(auditPeople(ctx, { action: "alumni.print", reason, detail }, people));
  return {
    people,
    leftOut: { count: leftOut.length, names: leftOut.slice(0, LEFT_OUT_NAMES).map(({ name = "" }) => name) },
    excluded,
  };
}
