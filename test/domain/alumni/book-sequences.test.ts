import { expect, test } from "vitest";
import { ALUMNI_FIELDS } from "#worker/contract/alumni/columns.ts";
import { changeAlumni } from "#worker/domain/alumni/change.server.ts";
import { mergeAlumni } from "#worker/domain/alumni/merge.server.ts";
import { deleteAlumni, restoreAlumni } from "#worker/domain/alumni/write.server.ts";
import { BookModel, type Entry, MODEL_FIELDS, type ModelField } from "../../support/book-model.ts";
import { beginStep, type Book, contextOf, DEEDS, editPerson, importRows } from "../../support/deeds.ts";
import { type Random, randomFrom } from "../../support/random.ts";
import { runSequences, SEQUENCES, SEQUENCES_TIMEOUT_MS, STEPS } from "../../support/sequences.ts";
import { readRows, runSql } from "../../support/test-database.ts";

const WORDS = ["", "가", "나", "다"];

/** Steps of a sequence begin after those of the setup. */
const FIRST_STEP = 1;

type Stored = Record<ModelField | "id", string> &
  Record<"deleted" | "modified", number | null> & { mergedInto: string };

async function readBook({ start }: Book): Promise<Map<string, Entry>> {
  const rows =
    await readRows<Stored>(`SELECT id, affiliation, department, position, coalesce(own ->> 'own1', '') AS own1,
    deleted_date AS deleted, merged_into AS mergedInto, modified_date AS modified FROM alumni ORDER BY id`);
  const stepOf = (moment: number) => (moment - start) / 60_000;
  return new Map(
    rows.map(({ id, deleted, modified, ...row }) => [
      id,
      { ...row, deleted: deleted === null ? null : stepOf(deleted), modified: stepOf(modified ?? 0) },
    ]),
  );
}

interface Walk {
  book: Book;
  model: BookModel;
  random: Random;
  step: number;
  /** People who were there at the start. */
  known: readonly string[];
}

type Act = (at: Walk) => Promise<string>;

const kinds = {
  async change({ book, model, random, step }: Walk) {
    const field = random.pick(MODEL_FIELDS);
    const value = random.pick(WORDS);
    const people = random.some(model.live());
    const changed = people.filter((id) => model.entry(id)[field] !== value);
    if (changed.length === 0) return "";
    const given = field === "own1" ? { set: {}, own: { own1: value } } : { set: { [field]: value }, own: {} };
    const input = { segment: { ids: people }, ...given, ended: [], count: changed.length };
    const { importId } = await changeAlumni(await contextOf(book), input);
    // An emptied value is emptied in what was merged into the people, too.
    const absorbed = value === "" ? model.absorbed(people).filter((id) => model.entry(id)[field] !== "") : [];
    const changes = [...changed, ...absorbed].map((id) => [id, { [field]: value, modified: step }] as const);
    model.act(importId ?? "", new Map(changes), new Map());
    return `change ${field} to '${value}' of ${changed.join()}`;
  },
  async import({ book, model, random, step }: Walk) {
    const { a } = book;
    const affiliation = random.pick(WORDS.slice(1));
    const isChanged = model.entry(a).deleted === null && model.entry(a).affiliation !== affiliation;
    const isAdding = random.below(2) === 0;
    if (!isChanged && !isAdding) return "";
    const added = isAdding ? [[`새봄${step}`, "", affiliation]] : [];
    const rows = [...(isChanged ? [["김하늘", "010-1111-0001", affiliation]] : []), ...added];
    const importId = await importRows(book, "upsert", rows);
    const ids = (await readRows<{ id: string }>("SELECT id FROM alumni WHERE import_id = ?", importId)).map(
      ({ id }) => id,
    );
    const entry = {
      affiliation,
      department: "",
      position: "",
      own1: "",
      deleted: null,
      mergedInto: null,
      modified: step,
    };
    model.act(
      importId,
      new Map(isChanged ? [[a, { affiliation, modified: step }]] : []),
      new Map(ids.map((id) => [id, entry])),
    );
    return `import ${JSON.stringify(rows)}`;
  },
  async merge({ book, model, random, step }: Walk) {
    const live = model.live();
    if (live.length === 0) return "";
    const keepId = random.pick(live);
    const lost = random.pick(live);
    if (keepId === lost) return "";
    const chosen = Object.fromEntries(MODEL_FIELDS.map((field) => [field, random.pick([keepId, lost])]));
    const source = { ...Object.fromEntries(ALUMNI_FIELDS.map((field) => [field, keepId])), ...chosen };
    const rows = await readRows<{ id: string; version: number }>(
      "SELECT id, version FROM alumni WHERE id IN (?, ?)",
      keepId,
      lost,
    );
    const { mergeId } = await mergeAlumni(await contextOf(book), { keepId, people: rows, source });
    const values = Object.fromEntries(MODEL_FIELDS.map((field) => [field, model.entry(chosen[field] ?? "")[field]]));
    const changes = new Map<string, Partial<Entry>>([
      [keepId, { ...values, modified: step }],
      [lost, { deleted: step, mergedInto: keepId }],
    ]);
    model.act(mergeId, changes, new Map());
    model.merges.add(mergeId);
    return `merge ${lost} into ${keepId} with ${JSON.stringify(chosen)}`;
  },
} satisfies Record<string, Act>;

const hands = {
  async edit({ book, model, random, step }: Walk) {
    const live = model.live();
    if (live.length === 0) return "";
    const id = random.pick(live);
    const field = random.pick(MODEL_FIELDS);
    const value = random.pick(WORDS);
    await editPerson(book, id, field === "own1" ? { own: { own1: value } } : { [field]: value });
    model.edit(id, { [field]: value, modified: step });
    return `edit ${field} to '${value}' of ${id}`;
  },
  async bin({ book, model, random, step, known }: Walk) {
    const id = random.pick(known);
    const isThere = model.entry(id).deleted === null;
    const ctx = await contextOf(book);
    await (isThere ? deleteAlumni(ctx, id) : restoreAlumni(ctx, id));
    model.edit(id, { deleted: isThere ? step : null, mergedInto: null });
    return `${isThere ? "bin" : "restore"} ${id}`;
  },
  async undo({ book, model, random, step }: Walk) {
    if (model.deeds.size === 0) return "";
    const [deedId, kept] = await undoDeed(book, model, random.pick([...model.deeds.keys()]), step);
    return deedId && `undo ${deedId}, left ${kept.join()}`;
  },
} satisfies Record<string, Act>;

async function undoDeed(
  book: Book,
  model: BookModel,
  id: string | undefined,
  step: number,
): Promise<[string, string[]]> {
  if (id === undefined) return ["", []];
  const kept = await DEEDS[model.merges.has(id) ? "merge" : "change"].undo(book, id);
  const named = kept.map((each) => each.id).toSorted();
  expect(named).toEqual(model.undo(id, step).toSorted());
  return [id, named];
}

/** Every second sequence has deeds alone, undone last first. */
async function runSequence(book: Book, seed: number, log: string[]): Promise<number> {
  const random = randomFrom(seed);
  const model = new BookModel();
  const start = await readBook(book);
  for (const [id, entry] of start) model.add(id, entry);
  const isPure = seed % 2 === 0;
  const acts: Act[] = isPure
    ? Object.values(kinds)
    : [...Object.values(kinds), ...Object.values(kinds), ...Object.values(hands), hands.undo];
  let step = FIRST_STEP;
  const compare = async () => expect(await readBook(book)).toEqual(new Map([...model.people].toSorted()));
  for (; step <= STEPS; step += 1) {
    beginStep(book, step);
    const act = random.pick(acts);
    log.push(`${step} ${act.name}`);
    log.push(await act({ book, model, random, step, known: [...start.keys()] }));
    await compare();
  }
  for (const id of [...model.deeds.keys()].toReversed()) {
    if (!model.deeds.has(id)) continue;
    beginStep(book, (step += 1));
    log.push(`${step} undo ${id} at the end`);
    const [, kept] = await undoDeed(book, model, id, step);
    if (isPure) expect(kept).toEqual([]);
    await compare();
  }
  if (isPure) expect(await readBook(book)).toEqual(start);
  return step;
}

test(
  `the address book equals a model after random deeds: ${SEQUENCES} sequences`,
  { tags: "sampled", timeout: SEQUENCES_TIMEOUT_MS },
  () =>
    // Dues have a model of their own.
    runSequences(runSequence, async () => {
      for (const table of ["due_allocation", "deposit", "due"]) await runSql(`DELETE FROM ${table}`);
    }),
);
