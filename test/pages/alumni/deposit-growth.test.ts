/** @module-tag full */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { DUE_LIMITS } from "#worker/contract/alumni/dues/dues.ts";
import type { DepositPlan } from "#worker/domain/alumni/dues/plan.server.ts";
import { COUNTED_WORKER, type Work, writeCountedBuild } from "../../support/counted-build.ts";
import { workerdCpuMs } from "../../support/cpu.ts";
import { test as pageTest } from "../fixtures.ts";

const PEOPLE = 20_000;
const SIZES = [1250, 2500, DUE_LIMITS.bankRows] as const;
/** Beyond linear, for a doubling of the rows. */
const GROWTH_MAX = 1.3;
/** Of one file, however many rows it has. */
const STATEMENTS_MAX = 60;
/** 3 s, where the hash of a password takes 30 ms. */
const SIGN_INS_MAX = 100;
/** 20,000 people with a due. */
const SETUP_MS = 300_000;

/** `at` is written in three Korean letters. */
const nameOf = (at: number) =>
  ["김", ...[Math.floor(at / 150), at % 150].map((part) => String.fromCodePoint(0xac00 + part * 28))].join("");

const rowOf = (at: number, day: string) => ({
  when: `2026-${day}T${new Date(at * 5000).toISOString().slice(11, 19)}+09:00`,
  payer: `2026학년도 정기회비 납부 총동문회 동창회 ${nameOf(at)} 교수님 배상`,
  amount: 50_000,
  balance: null,
});

const rowsOf = (count: number, day: string) => Array.from({ length: count }, (_, at) => rowOf(at, day));

/** A file of as many deposits as withdrawals, which return the first half of them. */
const fileOf = (count: number) => ({
  rows: rowsOf(count, "03-02"),
  withdrawals: rowsOf(count, "03-09").map((row, at) => (at * 2 < count ? row : { ...row, payer: `거래처 ${at}호` })),
});

const test = pageTest
  .extend(
    "siteOptions",
    { scope: "file" },
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads what a fixture needs
    async ({}, { onCleanup }) => {
      const folder = mkdtempSync(join(tmpdir(), "hoewon-counted-"));
      onCleanup(() => rmSync(folder, { recursive: true }));
      return { build: writeCountedBuild("build/server", folder), wrapperModule: COUNTED_WORKER };
    },
  )
  /** Plans a file of so many deposits, stores it, and takes it back. */
  .extend("storeFile", { scope: "file" }, ({ site, db, admin }) => {
    const ask = async <Data>(path: string, body: object) => {
      const answer = await fetch(`${site.url}/api/admin/due/deposit/${path}`, {
        method: "POST",
        headers: admin.bearer,
        body: JSON.stringify(body),
      });
      const { code, data } = (await answer.json()) as { code: string; data: Data };
      expect([path, code]).toEqual([path, "SUCCESS"]);
      return { data, work: JSON.parse(answer.headers.get("X-Work") ?? "") as Work };
    };
    return async (size: number): Promise<Record<"plan" | "commit", Work> & { cpuMs: number }> => {
      const file = fileOf(size);
      const before = workerdCpuMs();
      const planned = await ask<DepositPlan>("plan", file);
      const { sure, ask: asked, twin, unknown } = planned.data.counts;
      expect([sure + asked, twin, unknown, planned.data.newWithdrawals]).toEqual([size, 0, 0, size]);
      const { fingerprint } = planned.data;
      const committed = await ask<object>("commit", { ...file, fileName: `${size}.xlsx`, fingerprint });
      expect(committed.data).toMatchObject({ added: size, matched: sure });
      const cpuMs = workerdCpuMs() - before;
      await db.batch([
        db.prepare("DELETE FROM due_allocation"),
        db.prepare("DELETE FROM deposit"),
        db.prepare("UPDATE due SET paid = 0 WHERE paid > 0"),
      ]);
      return { plan: planned.work, commit: committed.work, cpuMs };
    };
  });

test.beforeAll(async ({ db, storeFile }) => {
  const numbers = `WITH RECURSIVE n(at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM n WHERE at < ${PEOPLE - 1})`;
  const name = "'김' || char(44032 + (at / 150) * 28) || char(44032 + (at % 150) * 28)";
  const id = "printf('00000000-0000-4000-8000-%012d', at)";
  await db.batch([
    db.prepare(`${numbers} INSERT INTO alumni (id, name, search_all, created_date, modified_date)
      SELECT ${id}, ${name}, ${name}, 1, 1 FROM n`),
    db.prepare(`${numbers} INSERT INTO due (id, alumni_id, kind_id, period, amount, work_id, created_date, modified_date)
      SELECT ${id}, ${id}, 'k', '2026', 50000, '', 1, 1 FROM n`),
  ]);
  // The first request loads modules and prepares statements.
  await storeFile(1);
}, SETUP_MS);

const KINDS = ["steps", "statements", "rows"] as const;

test("the work of a bank's file grows with its rows", async ({ storeFile }) => {
  const works: Awaited<ReturnType<typeof storeFile>>[] = [];
  for (const size of SIZES) works.push(await storeFile(size));
  const grown = works.slice(1).flatMap((after, at) =>
    (["plan", "commit"] as const).flatMap((act) =>
      KINDS.map((kind) => {
        const before = works[at]?.[act][kind] ?? 0;
        return { act, kind, before, after: after[act][kind], growth: after[act][kind] / (2 * before) };
      }),
    ),
  );
  expect(grown.filter(({ growth }) => growth > GROWTH_MAX)).toEqual([]);
  const statements = works.flatMap(({ plan, commit }) => [plan.statements, commit.statements]);
  expect(statements.filter((count) => count > STATEMENTS_MAX)).toEqual([]);
});

test("the largest file of a bank costs less than a hundred sign-ins", async ({ storeFile, signIn }) => {
  const { cpuMs } = await storeFile(DUE_LIMITS.bankRows);
  const before = workerdCpuMs();
  for (let at = 0; at < 10; at += 1) await signIn("member01", "Member!2345");
  const ofSignIn = (workerdCpuMs() - before) / 10;
  expect(cpuMs / ofSignIn).toBeLessThan(SIGN_INS_MAX);
});
