import { api } from "#worker/api/app.ts";
import { describeCalls, type DescribedCall } from "#worker/api/kernel/describe.ts";
import { CONDITION_KEYS } from "#worker/contract/alumni/conditions.ts";
import { PRINT_KINDS } from "#worker/contract/alumni/paper.ts";

/** The kinds of dues and certificates that the acts use. */
export interface ActKinds {
  due: string;
  certificate: string;
}

export interface SegmentAct {
  name: string;
  /** Its row of the API. */
  call: string;
  /** @param segment the people, as the call takes them */
  body: (segment: object, kinds: ActKinds) => object;
  /** People whom the answer reaches. */
  reached: (data: never) => number;
  /** Acts with a kind, which may be closed. */
  kind?: keyof ActKinds;
}

const reason = "확인";
const count = 1;
/** The count that the act takes before it changes something. */
const DONE = new Set(["bulk change", "charge run"]);
export const commits = ({ name }: Pick<SegmentAct, "name">) => DONE.has(name);

const total = ({ total: people }: { total: number }) => people;
const counted = ({ count: people }: { count: number }) => people;

const filterOf = (segment: object) => ("filter" in segment ? (segment.filter as object) : segment);
const exported = (name: string, more: object): SegmentAct => ({
  name,
  call: "POST /api/alumni/export-data",
  body: (segment) => ({ filter: filterOf(segment), count, reason, ...more }),
  reached: ({ rows }: { rows: number }) => rows,
});

/** Acts on a segment of the address book. */
export const SEGMENT_ACTS: readonly SegmentAct[] = [
  {
    name: "bulk change",
    call: "POST /api/alumni/bulk",
    body: (segment) => ({ segment, set: { major: "경제학" } }),
    reached: counted,
  },
  {
    name: "charge run",
    call: "POST /api/admin/due/charge",
    body: (segment, { due }) => ({ segment, kindId: due, period: "2031" }),
    reached: counted,
    kind: "due",
  },
  {
    name: "selected people and their contacts",
    call: "POST /api/alumni/selected",
    body: (segment) => ({ ...segment, count }),
    reached: total,
  },
  exported("file for Excel", { format: "xlsx", columns: ["이름", "상태"] }),
  exported("file for a mail", { format: "csv", means: "email" }),
  {
    name: "print count",
    call: "POST /api/alumni/print-count",
    body: (segment) => ({ segment }),
    reached: total,
  },
  ...PRINT_KINDS.map((kind): SegmentAct => ({
    name: `printed ${kind}`,
    call: "POST /api/alumni/print-data",
    body: (segment) => ({ segment, kind, count, reason }),
    reached: ({ people }: { people: unknown[] }) => people.length,
  })),
  {
    name: "figures",
    call: "POST /api/alumni/figures",
    body: (segment) => ({ segment, count, reason }),
    reached: total,
  },
  {
    name: "preview of certificates",
    call: "POST /api/certificate/preview",
    body: (segment, { certificate }) => ({ segment, kindId: certificate }),
    reached: counted,
    kind: "certificate",
  },
  {
    name: "certificates",
    call: "PUT /api/certificate/issued",
    body: (segment, { certificate }) => ({ segment, kindId: certificate, count, reason }),
    reached: counted,
    kind: "certificate",
  },
];

/** Drafts keep the segment; the preview of the draft counts its people. */
export const DRAFT_ACTS = [
  {
    name: "mailing",
    call: "PUT /api/admin/mailing",
    body: (target: object) => ({ source: "alumni", target }),
  },
  { name: "mailing round", call: "PUT /api/admin/round", body: (target: object) => ({ target }) },
] as const;

/** Lists, which find nobody, and views, which keep conditions for a list. */
export const LISTING_CALLS = ["GET /api/alumni", "PUT /api/alumni/view", "PATCH /api/alumni/view/:id"];

const isSchema = (value: unknown): value is { def: object; shape?: object } =>
  typeof value === "object" && value !== null && "_zod" in value;

function* schemasIn(value: unknown, seen = new Set<unknown>()): Generator<{ shape?: object }> {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if (isSchema(value)) {
    yield value;
    yield* schemasIn(value.def, seen);
    if (value.shape) yield* schemasIn(value.shape, seen);
  } else for (const each of Object.values(value)) yield* schemasIn(each, seen);
}

const takesConditions = ({ query, json }: DescribedCall) =>
  [...schemasIn([query, json])].some(({ shape }) => shape && CONDITION_KEYS.every((key) => key in shape));

/** Calls of the API whose input has the conditions of the address book. */
export const callsWithConditions = () =>
  describeCalls(api.routes)
    .filter(takesConditions)
    .map(({ method, path }) => `${method} ${path}`)
    .toSorted();

/** Whether a call's input has an optional member of one of these names. */
export const hasOptional = ({ query, json }: DescribedCall, names: readonly string[]) =>
  [...schemasIn([query, json])].some(({ shape }) =>
    names.some((name) => shape && isOptional((shape as Record<string, unknown>)[name])),
  );

const isOptional = (schema: unknown) =>
  isSchema(schema) && ["optional", "default"].includes((schema.def as { type?: string }).type ?? "");
