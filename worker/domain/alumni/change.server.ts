import { and, isNotNull, sql } from "drizzle-orm";
import { runBatch } from "#db/batch.ts";
import { alumni } from "#db/schema/alumni.ts";
import { alumniImport } from "#db/schema/alumni-import.ts";
import { idsIn } from "#db/sql.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import { missingRequiredFields, requiredFieldMessage } from "#worker/contract/alumni/alumni-settings.ts";
import {
  ALUMNI_COLUMN_LABELS,
  ALUMNI_FIELDS,
  type AlumniField,
  type AlumniValues,
  isOfficeField,
} from "#worker/contract/alumni/columns.ts";
import type { changeAlumniInput } from "#worker/contract/alumni/input.ts";
import type { OwnValuesInput } from "#worker/contract/alumni/own-field-input.ts";
import { isSameOwnValue } from "#worker/contract/alumni/own-fields.ts";
import { ALUMNI_CHANGE_MAX, ENDED_MAX } from "#worker/contract/alumni/list.ts";
import type { EndedState } from "#worker/contract/alumni/view.ts";
import { endedFields, withStateDay } from "#worker/contract/mail/letters.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";
import { fieldsOf } from "../kernel/fields-of.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import { auditLook, auditPeople } from "../kernel/audit-entry.server.ts";
import { abortBatchUnless, conflict, isBatchAborted } from "../kernel/guarded-batch.server.ts";
import { storePeopleAfter } from "./deed/undo-people.server.ts";
import { stagedRowOf } from "./import/staging.server.ts";
import { CHANGE_PREFIX } from "./import/undo.server.ts";
import { changeOwnValues, ROW_BEFORE_JSON, STAGED_ROW_COLUMNS } from "./own-value.server.ts";
import { ALUMNI_PERSON_COLUMNS, type AlumniPerson, bumpAlumniRevision } from "./row.server.ts";
import { requireSegment } from "./segment.server.ts";
import { alumniSettings, ownFields } from "./setting.server.ts";
import { usedValues } from "./write.server.ts";

/** Rows of one statement, whose values are one parameter of at most 2 MB. */
const CHUNK = 250;
const SAMPLES = 5;

/**
 * Sets the same values for all people of a segment, recorded and undone like an import. Without a count it changes
 * nothing. Needs Alumni_Write. @throws AppError CONFLICT if the people changed since they were counted
 */
export async function changeAlumni(
  ctx: AppContext,
  { segment, set, own, ended, count }: Parsed<typeof changeAlumniInput>,
) {
  authorize(ctx, { action: "Alumni_Write" });
  const { where } = requireSegment(ctx, segment);
  const wanted = usedValues(ctx, set);
  const fields = ALUMNI_FIELDS.filter((field) => wanted[field as keyof typeof wanted] !== undefined);
  if (fields.length + Object.keys(own).length === 0) throw invalidInput({ set: "바꿀 항목을 골라 주십시오." });
  const missed = missingRequiredFields(alumniSettings(ctx).required, wanted);
  if (missed.length > 0)
    throw invalidInput(Object.fromEntries(missed.map((field) => [field, requiredFieldMessage(field)])));
  const people = await ctx.db
    .select(ALUMNI_PERSON_COLUMNS)
    .from(alumni)
    .where(where)
    .limit(ALUMNI_CHANGE_MAX + 1);
  if (people.length > ALUMNI_CHANGE_MAX)
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message: `한 번에 ${formatCount(ALUMNI_CHANGE_MAX)}명까지 바꿀 수 있습니다. 조건을 좁혀 주십시오.`,
    });
  const today = koreanDay(ctx.now());
  const endedStates = people.flatMap((person): EndedState[] =>
    endedFields(person, wanted).map((field) => ({
      ...fieldsOf(person, "id", "name"),
      field,
      before: person[field],
      after: wanted[field] ?? "",
      isTaken: ended.includes(person.id),
    })),
  );
  const kept = new Set(endedStates.flatMap(({ id, isTaken }) => (isTaken ? [] : [id])));
  const changed = people.flatMap((person) => {
    if (kept.has(person.id)) return [];
    return changedPerson(ctx, person, withStateDay(person, { ...person, ...wanted }, today), own);
  });
  const names = changed.slice(0, SAMPLES).map(({ person }) => person.name);
  const unchanged = people.length - changed.length - kept.size;
  const { undoDays } = alumniSettings(ctx);
  const keepers = people.flatMap(({ id }) => (kept.has(id) ? [] : [id]));
  const empties = [...Object.values(wanted), ...Object.values(own)].some(isEmpty);
  const absorbed = await absorbedChanges(ctx, keepers, wanted, own);
  const plan = {
    count: changed.length,
    unchanged,
    names,
    importId: null,
    undoDays,
    empties,
    absorbed: absorbed.length,
  };
  if (count === undefined) {
    const quoted = [...changed.slice(0, SAMPLES).map(({ person }) => person), ...endedStates.slice(0, ENDED_MAX)];
    auditLook(ctx, { action: "alumni.preview" }, [...new Set(quoted.map(({ id }) => id))]);
    return { ...plan, ended: endedStates.slice(0, ENDED_MAX), importId: null as string | null };
  }
  if (changed.length !== count || count === 0)
    throw conflict(`그사이 바꿀 사람이 ${formatCount(changed.length)}명이 되었습니다. 다시 확인해 주십시오.`);
  const labels = [
    ...fields.map((field) => ALUMNI_COLUMN_LABELS[field]),
    ...ownFields(ctx).flatMap(({ code, name }) => (code in own ? [name] : [])),
  ];
  const taken = endedStates.flatMap(({ id, isTaken }) => (isTaken ? [id] : []));
  const importId = await writeChanges(ctx, [...changed, ...absorbed], {
    labels,
    fields,
    ended: [...new Set(taken)],
    updated: changed.length,
  });
  return { ...plan, ended: endedStates.slice(0, ENDED_MAX), importId: importId as string | null };
}

export type AlumniChange = View<typeof changeAlumni>;

const isSameOwnObject = (a: AlumniPerson["own"], b: AlumniPerson["own"]) =>
  Object.keys({ ...a, ...b }).every((key) => isSameOwnValue(a[key as keyof typeof a], b[key as keyof typeof b]));

interface ChangedPerson {
  person: AlumniPerson;
  row: unknown[];
}

/** @returns nobody if nothing changes */
function changedPerson(
  ctx: AppContext,
  person: AlumniPerson,
  values: AlumniValues,
  own: OwnValuesInput,
): ChangedPerson[] {
  const { values: ownAfter } = changeOwnValues(ownFields(ctx), person.own, own, new Map());
  const isSame =
    ALUMNI_FIELDS.every((field) => person[field] === values[field]) && isSameOwnObject(person.own, ownAfter);
  return isSame ? [] : [{ person, row: stagedRowOf(person.id, { ...values, own: ownAfter }, person.openFields) }];
}

const isEmpty = (value: unknown) => value === "" || value === null || (Array.isArray(value) && value.length === 0);

/**
 * Rows merged into people of a change, without the values that the change empties, so that no undo of a merge brings these
 * back. States and refusals stay.
 */
async function absorbedChanges(
  ctx: AppContext,
  keptIds: readonly string[],
  wanted: Partial<AlumniValues>,
  own: OwnValuesInput,
): Promise<ChangedPerson[]> {
  const emptied = Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => isEmpty(value) && (field === "memo" || !isOfficeField(field))),
  );
  const emptiedOwn = Object.fromEntries(Object.entries(own).filter(([, value]) => isEmpty(value)));
  if (Object.keys({ ...emptied, ...emptiedOwn }).length === 0) return [];
  const found: AlumniPerson[] = [];
  for (let keepers = keptIds; keepers.length > 0;) {
    const rows = await ctx.db
      .select(ALUMNI_PERSON_COLUMNS)
      .from(alumni)
      .where(and(isNotNull(alumni.deletedDate), idsIn(alumni.mergedInto, keepers)));
    found.push(...rows);
    keepers = rows.map(({ id }) => id);
  }
  return found.flatMap((person) => changedPerson(ctx, person, { ...person, ...emptied }, emptiedOwn));
}

interface Written {
  labels: readonly string[];
  fields: readonly AlumniField[];
  ended: readonly string[];
  /** People that the office saw. */
  updated: number;
}

async function writeChanges(
  ctx: AppContext,
  changed: readonly ChangedPerson[],
  { labels, fields, ended, updated }: Written,
): Promise<string> {
  const importId = `${CHANGE_PREFIX}${crypto.randomUUID().slice(CHANGE_PREFIX.length)}`;
  const now = ctx.now();
  const columns = STAGED_ROW_COLUMNS.slice(1);
  const chunks = Array.from({ length: Math.ceil(changed.length / CHUNK) }, (_, at) =>
    changed.slice(at * CHUNK, (at + 1) * CHUNK),
  );
  const versions = (chunk: readonly ChangedPerson[]) =>
    sql`json_each(${JSON.stringify(chunk.map(({ person }) => [person.id, person.version]))}) g
      CROSS JOIN alumni a ON a.id = g.value ->> 0 AND a.version = g.value ->> 1
        AND (a.deleted_date IS NULL OR a.merged_into IS NOT NULL)`;
  const set = columns.map((name, at) => `${name} = r.value ->> ${at + 1}`).join(", ");
  try {
    await runBatch(ctx.db, [
      ...chunks.map((chunk) => abortBatchUnless(ctx, sql`(SELECT count(*) FROM ${versions(chunk)}) = ${chunk.length}`)),
      ctx.db.insert(alumniImport).values({
        id: importId,
        fileId: "",
        fileName: `${labels.join(", ")} 바꾸기`,
        userId: requireSignedIn(ctx).userId,
        mode: "change",
        inserted: 0,
        updated,
        createdDate: now,
        isCurrent: 1,
      }),
      ...chunks.flatMap((chunk) => [
        ctx.db.run(sql`INSERT INTO alumni_before (import_id, alumni_id, "values", version_after)
          SELECT ${importId}, a.id, ${sql.raw(ROW_BEFORE_JSON)}, a.version + 1 FROM ${versions(chunk)}`),
        ctx.db.run(sql`UPDATE alumni SET ${sql.raw(set)}, modified_date = ${now.getTime()}, version = version + 1
          FROM json_each(${JSON.stringify(chunk.map(({ row }) => row))}) r WHERE alumni.id = r.value ->> 0`),
      ]),
      storePeopleAfter(ctx, importId),
      bumpAlumniRevision(ctx.db),
      ...auditPeople(
        ctx,
        {
          action: "alumni.update",
          targetType: "alumniImport",
          targetId: importId,
          detail: {
            fields: [...fields, ...labels.slice(fields.length)],
            updated,
            ...(ended.length > 0 && { ended }),
          },
        },
        changed.map(({ person }) => person),
      ),
    ]);
  } catch (error) {
    throw isBatchAborted(error) ? new AppError("CONFLICT", { cause: error }) : error;
  }
  return importId;
}
