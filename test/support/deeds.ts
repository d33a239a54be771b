import { vi } from "vitest";
import type { z } from "zod";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { DueWorkKind } from "#worker/contract/alumni/dues/dues.ts";
import { openImportInput, previewImportInput } from "#worker/contract/alumni/import/input.ts";
import { createAlumniInput } from "#worker/contract/alumni/input.ts";
import type { alumniImport } from "#db/schema/alumni-import.ts";
import { issueForPeople } from "#worker/domain/alumni/certificate.server.ts";
import { changeAlumni } from "#worker/domain/alumni/change.server.ts";
import { destroySeveralAlumni } from "#worker/domain/alumni/deleted.server.ts";
import { closeAlikeDeposits } from "#worker/domain/alumni/dues/alike.server.ts";
import { allocateDeposit, recordPayment } from "#worker/domain/alumni/dues/bank.server.ts";
import { commitDeposits } from "#worker/domain/alumni/dues/commit.server.ts";
import { planDeposits } from "#worker/domain/alumni/dues/plan.server.ts";
import { chargeDues } from "#worker/domain/alumni/dues/charge.server.ts";
import { changeDue, fixPaidBy } from "#worker/domain/alumni/dues/due.server.ts";
import { undoDueWork } from "#worker/domain/alumni/dues/work.server.ts";
import {
  commitReceivedImport,
  openImport,
  previewReceivedImport,
  putImportPart,
} from "#worker/domain/alumni/import/parts.server.ts";
import { undoImport } from "#worker/domain/alumni/import/undo.server.ts";
import { mergeAlumni, undoMerge } from "#worker/domain/alumni/merge.server.ts";
import { createAlumni, deleteAlumni, restoreAlumni, updateAlumni } from "#worker/domain/alumni/write.server.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { contextFor } from "./request-scope.ts";
import { createAdministratorSession, type TestSession } from "./people.ts";
import { readRow, readRows, readValue, runSql } from "./test-database.ts";

/** People, kinds and dues that deeds act on. */
export interface Book {
  admin: TestSession;
  /** Changed, charged, paid and kept at merges. */
  a: string;
  /** Charged with A and absorbed by A. */
  b: string;
  /** Absorbed by the target of another deed. */
  c: string;
  start: number;
  /** Of the running invocation. */
  ctx?: Promise<AppContext> | undefined;
}

export const KIND = "kind";
const OWED = 50_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Moments and ids of a step are the same each time that it runs. */
export function beginStep({ start }: Pick<Book, "start">, step: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: start + step * MINUTE });
  let serial = 0;
  const part = step.toString(16).padStart(4, "0");
  vi.spyOn(crypto, "randomUUID").mockImplementation(
    () => `00000000-${part}-4000-8000-${String((serial += 1)).padStart(12, "0")}`,
  );
  vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
    serial += 1;
    if (array instanceof Uint8Array) array.set([step % 256, serial >> 8, serial % 256].slice(0, array.length));
    return array;
  });
}

type Caller = Pick<Book, "admin" | "ctx">;

export const contextOf = (book: Caller): Promise<AppContext> => (book.ctx ??= contextFor(book.admin));

/** Begins an invocation with its own limits, before a step counts its ids. */
export async function beginInvocation(book: Caller): Promise<void> {
  book.ctx = contextFor(book.admin);
  await book.ctx;
}

const versionOf = async (id: string) => (await readValue<number>("SELECT version FROM alumni WHERE id = ?", id)) ?? 0;

const everybody = { filter: {}, except: [] };

async function charge(book: Book, period: string, ids: readonly string[]) {
  const input = { kindId: KIND, period, segment: { ids: [...ids] }, dueDay: "", isBlankUnpaid: false };
  return chargeDues(await contextOf(book), { ...input, count: ids.length });
}

/** One who paid and owes, one exempt who owes, and one with older dues; the others hold values that a merge fills in. */
export async function makeBook(): Promise<Book> {
  const start = Date.now();
  const admin = await createAdministratorSession();
  const at: Caller & { start: number } = { admin, start };
  beginStep(at, 0);
  await runSql(
    "INSERT INTO alumni_field (code, name, kind, choices, access) VALUES ('own1', '호', 'text', '[]', 'all')",
  );
  await runSql("INSERT INTO due_kind (id, name, amount, grades) VALUES (?, '연회비', ?, '[]')", KIND, OWED);
  await runSql(
    "INSERT INTO certificate_kind (id, name, body, number_pattern, self_issue) VALUES ('c', '회원', '확인합니다.', '제{{연번}}호', 'none')",
  );
  const ctx = await contextOf(at);
  const add = async (days: number, values: z.input<typeof createAlumniInput>) => {
    vi.setSystemTime(start - days * DAY);
    return (await createAlumni(ctx, createAlumniInput.parse(values))).id;
  };
  const c = await add(3, { name: "박들판", cohort: 9, address: "서울", affiliation: "다병원" });
  const b = await add(2, { name: "이바다", cohort: 9, phone: "02-111-2222", memo: "메모", affiliation: "나병원" });
  const a = await add(1, {
    name: "김하늘",
    cohort: 3,
    mobile: "010-1111-0001",
    affiliation: "가병원",
    own: { own1: "가" },
  });
  vi.setSystemTime(start);
  const book = { admin, a, b, c, start };
  await charge(book, "2023", [c]);
  await charge(book, "2024", [a, b]);
  await recordPayment(ctx, { alumniId: a, amount: OWED, day: koreanDay(new Date(start)), note: "" });
  const due = (await readValue<string>("SELECT id FROM due WHERE alumni_id = ?", b)) ?? "";
  await changeDue(ctx, due, { version: 1, amount: OWED, dueDay: "", isExempt: true, reason: "원로" });
  await charge(book, "2026", [a, b]);
  await storeFile(book, [bankRow("예금이자", 20, 7), bankRow("예금 이자", 21, 8), bankRow("후원금", 22, 9)]);
  return book;
}

/** An erasure is a bulk change that empties fields. */
export type Deed = DueWorkKind | (typeof alumniImport.$inferSelect)["mode"] | "merge" | "erasure";

interface Kept {
  id: string;
  name: string;
}

interface DeedActs {
  /** @param again another deed of the kind */
  run(book: Book, again: boolean): Promise<string>;
  undo(book: Book, id: string): Promise<Kept[]>;
}

type Emptied = Pick<Parameters<typeof changeAlumni>[1], "set" | "own">;

/** Empties fields of people as the office does, after a count. */
async function eraseFields(book: Book, ids: readonly string[], emptied: Emptied) {
  const change = { segment: { ids: [...ids] }, ...emptied, ended: [] };
  const { count } = await changeAlumni(await contextOf(book), { ...change, count: undefined });
  return (await changeAlumni(await contextOf(book), { ...change, count })).importId ?? "";
}

const EMPTIED: Emptied = { set: { affiliation: "" }, own: { own1: "" } };

export async function importRows(book: Book, mode: "insert" | "upsert", rows: string[][]) {
  const ctx = await contextOf(book);
  const heads = ["이름", "휴대전화", "소속"];
  const file = { fileName: "명단.csv", headRow: 1, heads, mapping: {}, parts: 1 };
  const { importId } = await openImport(ctx, openImportInput.parse(file));
  await putImportPart(ctx, importId, 1, { rows: rows.map((cells, at) => [at + 2, cells]) });
  await previewReceivedImport(ctx, importId, previewImportInput.parse({ mode }));
  const { inserted, updated } = await commitReceivedImport(ctx, importId, { skipInvalid: false });
  if (inserted + updated === 0) throw new Error("nothing was imported");
  return importId;
}

/** @returns the id of the merge */
export async function mergePeople(book: Book, keepId: string, lost: string) {
  const people = await Promise.all([keepId, lost].map(async (id) => ({ id, version: await versionOf(id) })));
  return (await mergeAlumni(await contextOf(book), { keepId, people, source: {} })).mergeId;
}

const UNDO_CALLS_MAX = 5;

async function undoImportWhole(book: Book, id: string) {
  const kept: Kept[] = [];
  for (let call = 1; call <= UNDO_CALLS_MAX; call += 1) {
    const answer = await undoImport(await contextOf(book), id);
    kept.push(...answer.kept);
    if (answer.left === 0) return kept;
  }
  throw new Error("an undo that does not end");
}

const undoWork = async (book: Book, id: string) => (await undoDueWork(await contextOf(book), id)).kept;

const bankRow = (payer: string, minute: number, amount: number) => ({
  when: new Date(`2026-03-02T10:${String(minute).padStart(2, "0")}:00+09:00`),
  payer,
  amount,
  balance: null,
  doubt: null,
});

async function storeFile(book: Caller, rows: ReturnType<typeof bankRow>[]): Promise<string> {
  const { fingerprint } = await planDeposits(await contextOf(book), { rows, withdrawals: [] });
  const sent = { rows, withdrawals: [], separate: [], fileName: "입금.xlsx", fingerprint };
  return (await commitDeposits(await contextOf(book), sent)).workId;
}

async function fixList(book: Book, isVoters: boolean): Promise<string> {
  const asked = { period: "2024", kindId: KIND, at: new Date(), isVoters, count: 2 };
  return (await fixPaidBy(await contextOf(book), asked)).id;
}

/** Each kind of deed; a new one fails the type. */
export const DEEDS: Record<Deed, DeedActs> = {
  insert: {
    run: (book, again) => importRows(book, "insert", [again ? ["정다른", "", ""] : ["최새벽", "010-7777-0001", "새"]]),
    undo: undoImportWhole,
  },
  upsert: {
    run: (book, again) =>
      importRows(book, "upsert", [
        ["김하늘", "010-1111-0001", again ? "바병원" : "라병원"],
        ...(again ? [] : [["최새벽", "010-7777-0001", "새"]]),
      ]),
    undo: undoImportWhole,
  },
  change: {
    async run(book, again) {
      const set = { affiliation: again ? "사병원" : "마병원" };
      const own = { own1: again ? "다" : "나" };
      const segment = { ids: [book.a, book.b] };
      return (await changeAlumni(await contextOf(book), { segment, set, own, ended: [], count: 2 })).importId ?? "";
    },
    undo: undoImportWhole,
  },
  erasure: {
    run: (book, again) =>
      again
        ? eraseFields(book, [book.b, book.c], { set: { memo: "", address: "" }, own: {} })
        : eraseFields(book, [book.a, book.b, book.c], EMPTIED),
    undo: undoImportWhole,
  },
  merge: {
    run: (book, again) => mergePeople(book, book.a, again ? book.c : book.b),
    undo: async (book, id) => (await undoMerge(await contextOf(book), id)).kept,
  },
  charge: {
    run: async (book, again) => (await charge(book, again ? "2028" : "2027", [book.a, book.b])).workId ?? "",
    undo: undoWork,
  },
  bank: {
    async run(book, again) {
      const rows = again
        ? [bankRow("이자", 1, 7)]
        : [bankRow("김하늘", 2, OWED), bankRow("한빛병원", 3, 30_000), bankRow("모름", 4, 9)];
      return storeFile(book, rows);
    },
    undo: undoWork,
  },
  other: {
    async run(book, again) {
      const [deposit] = await readRows<{ id: string; version: number }>(
        "SELECT id, version FROM deposit WHERE payer = ? AND is_closed = 0",
        again ? "후원금" : "예금이자",
      );
      if (!deposit) throw new Error("no deposit waits");
      return (
        await closeAlikeDeposits(await contextOf(book), deposit.id, {
          version: deposit.version,
          withoutDues: false,
        })
      ).workId;
    },
    undo: undoWork,
  },
  begin: {
    async run(book, again) {
      const words = [
        { name: "김하늘", cohort: null, word: "완납" },
        { name: "이바다", cohort: null, word: "미납" },
      ];
      const input = { kindId: KIND, period: again ? "2021" : "2022", segment: everybody, dueDay: "" };
      return (
        (await chargeDues(await contextOf(book), { ...input, words, isBlankUnpaid: false, count: 2 })).workId ?? ""
      );
    },
    undo: undoWork,
  },
  list: { run: (book) => fixList(book, false), undo: undoWork },
  voters: { run: (book) => fixList(book, true), undo: undoWork },
};

/** A step that the program refuses changes nothing. */
export async function tryStep(step: () => Promise<unknown>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

export interface Meanwhile {
  book: Book;
  deed: Deed;
  deedId: string;
  /** The person whom the deed changed, charged, added or kept. */
  person: string;
  /** The deed stored deposits that pay nothing yet. */
  hasDeposit: boolean;
  edit(isSame: boolean): Promise<void>;
}

async function pay({ book, deedId, person, hasDeposit }: Meanwhile) {
  const ctx = await contextOf(book);
  if (!hasDeposit) {
    const open = "SELECT sum(amount - paid) FROM due WHERE alumni_id = ? AND is_exempt = 0";
    const amount = (await readValue<number>(open, person)) ?? 1;
    return recordPayment(ctx, { alumniId: person, amount, day: koreanDay(new Date()), note: "" });
  }
  const open = "SELECT id, version FROM deposit WHERE work_id = ? AND allocated < amount ORDER BY amount DESC";
  const { id = "", version = 0 } = (await readRow<{ id: string; version: number }>(open, deedId)) ?? {};
  return allocateDeposit(ctx, id, { version, people: [book.b], remember: false });
}

const bin = async ({ book, person }: Meanwhile) => deleteAlumni(await contextOf(book), person);

/** Events between a deed and its undo. */
export const MEANWHILE = {
  nothing: () => Promise.resolve(),
  "an edit of another field": (at) => at.edit(false),
  "an edit of the same field": (at) => at.edit(true),
  "erasure of a field": ({ book, person }) => eraseFields(book, [book.a, book.b, book.c, person], EMPTIED),
  bin,
  "bin and back": async (at) => {
    await bin(at);
    await restoreAlumni(await contextOf(at.book), at.person);
  },
  "another deed and its undo": async ({ book, deed }) => {
    await DEEDS[deed].undo(book, await DEEDS[deed].run(book, true));
  },
  merge: ({ book, person }) => mergePeople(book, person, book.c),
  payment: pay,
  certificate: async ({ book, person }) =>
    issueForPeople(await contextOf(book), {
      kindId: "c",
      segment: { ids: [person] },
      purpose: "",
      count: undefined,
      reason: "제출",
    }),
  destruction: async (at) => {
    await bin(at);
    await destroySeveralAlumni(await contextOf(at.book), [at.person]);
  },
} satisfies Record<string, (at: Meanwhile) => Promise<unknown>>;

export const addedPerson = async (deedId: string) =>
  (await readValue<string>("SELECT id FROM alumni WHERE import_id = ?", deedId)) ?? "";

/** A person's own edit, by the office's form. */
export async function editPerson(book: Book, id: string, values: object) {
  const own = {};
  return updateAlumni(await contextOf(book), id, { own, version: await versionOf(id), ...values });
}
