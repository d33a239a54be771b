import { vi } from "vitest";
import { connectDatabase } from "#db/client.ts";
import { importAlumniFile } from "../samples/alumni-files.ts";
import { type ApiAnswer, callJson } from "./api-client.ts";
import type { backupContext } from "./backup.ts";
import { createSignupSettings, createVerifiedToken, newcomerForm, openSignup } from "./factories.ts";
import { createAdministratorSession } from "./people.ts";
import { runSql } from "./test-database.ts";
import { refreshTokens } from "../calls/account-calls.ts";

export const WRITES_PER_SECOND = 50;
/** Approximate milliseconds of calls at Cloudflare; others write meanwhile. */
const BATCH_MS = 10;
const STATEMENT_MS = 2;
const OBJECT_MS = 50;
const LANES = 4;
/** Below the hourly limit of one administrator. */
const IMPORTS_EACH = 400;
const PASSWORD = "Zk7!mQ2x";

type Kind = "signUps" | "tokens" | "items" | "comments" | "imports";
const TURNS: readonly Kind[] = [
  "signUps",
  ...(["items", "tokens", "comments", "tokens", "comments"] as const),
  ...(["items", "comments", "tokens", "comments", "imports"] as const),
  ...(["items", "tokens", "comments", "tokens", "comments"] as const),
  ...(["items", "comments", "tokens", "comments"] as const),
];

interface Writer {
  refreshToken: string;
  accessToken: string;
}

/** Writes 50 times a second of a simulated clock, which advances only during calls of the backup. */
export async function startPacedWriters() {
  await createSignupSettings();
  await openSignup();
  const begun = Date.now();
  const written: Record<Kind, number> = { signUps: 0, tokens: 0, items: 0, comments: 0, imports: 0 };
  const failed: string[] = [];
  let passedMs = 0;
  let started = 0;
  let office = await createAdministratorSession();
  let imports = 0;

  const succeed = (answer: ApiAnswer): ApiAnswer["data"] => {
    if (answer.code !== "SUCCESS") throw new Error(`${answer.code} ${answer.message}`);
    return answer.data;
  };
  async function signUp(serial: number): Promise<Writer> {
    // All sign-ups come from one network address.
    await runSql("DELETE FROM rate_limit");
    const userKeyCode = `newcomer${serial}`;
    const userKeyTokenForEmail = await createVerifiedToken(`${userKeyCode}@pid.example.kr`);
    const form = newcomerForm({ userKeyCode, userKeyTokenForEmail, password: PASSWORD });
    succeed(await callJson("POST", "/api/user/signup", { body: form }));
    const body = { userKeyType: "Id", userKeyCode, password: PASSWORD };
    return succeed(await callJson("POST", "/api/user/signin", { body })) as Writer;
  }
  async function importPeople(serial: number): Promise<void> {
    imports += 1;
    if (imports % IMPORTS_EACH === 0) office = await createAdministratorSession();
    const rows = [0, 1].map((n) => `가져온${serial}.${n},3`).join("\r\n");
    succeed(await importAlumniFile(office, "동문.csv", `이름,기수\r\n${rows}\r\n`));
  }

  /** Each lane writes sequentially, and the lanes run in parallel. */
  const lanes = Array.from({ length: LANES }, () => {
    let writer: Writer | null = null;
    let itemNo = 0;
    let turn = 0;
    let tail = Promise.resolve();
    const write = async (serial: number): Promise<void> => {
      const kind = TURNS[turn++ % TURNS.length] ?? "items";
      if (kind === "imports") await importPeople(serial);
      else if (kind === "signUps" || !writer) writer = await signUp(serial);
      else if (kind === "tokens") writer = succeed(await refreshTokens(writer.refreshToken)) as Writer;
      else if (kind === "items") {
        const body = { title: `글 ${serial}`, content: "<p>내용입니다.</p>", fileIds: [] };
        itemNo = succeed(await callJson("PUT", "/api/board-item/free", { token: writer.accessToken, body })).itemNo;
      } else {
        const path = `/api/board-item-comment/free/${itemNo}`;
        const body = { content: `댓글 ${serial}` };
        succeed(await callJson("PUT", path, { token: writer.accessToken, body }));
      }
      written[kind] += 1;
    };
    return {
      begin(serial: number) {
        tail = tail.then(() => write(serial).catch((error: unknown) => void failed.push(String(error))));
      },
      tail: () => tail,
    };
  });

  function pass(ms: number): void {
    passedMs += ms;
    for (; started < (passedMs / 1000) * WRITES_PER_SECOND; started += 1) {
      vi.setSystemTime(begun + (started * 1000) / WRITES_PER_SECOND);
      lanes[started % LANES]?.begin(started);
    }
  }
  const settled = () => Promise.all(lanes.map(({ tail }) => tail()));

  /** Delays each call of the backup until the earlier writes finish. */
  function underWrites(context: ReturnType<typeof backupContext>): typeof context {
    const d1 = context.db.$client;
    let before: Promise<unknown> = Promise.resolve();
    const beside = async <T>(ms: number, call: () => Promise<T>): Promise<T> => {
      const earlier = before;
      pass(ms);
      before = settled();
      const [answer] = await Promise.all([call(), earlier]);
      return answer;
    };
    const wrap = <T extends object>(target: T, cost: (name: string, values: unknown[]) => number): T =>
      new Proxy(target, {
        get(real, key) {
          const member = real[key as keyof T] as unknown;
          if (typeof member !== "function") return member;
          const call = (...values: unknown[]) => (member as (...given: unknown[]) => unknown).apply(real, values);
          return (...values: unknown[]) => {
            const ms = cost(String(key), values);
            return ms > 0 ? beside(ms, async () => call(...values)) : call(...values);
          };
        },
      });
    const DB = wrap(d1 as D1Database, (name, [list]) =>
      name === "batch" ? BATCH_MS + (list as unknown[]).length * STATEMENT_MS : 0,
    );
    return { ...context, db: connectDatabase(DB), backups: wrap(context.backups, () => OBJECT_MS) };
  }

  vi.useFakeTimers({ toFake: ["Date"], now: begun });
  return {
    office: () => office,
    written,
    failed,
    pass,
    settled,
    underWrites,
    rate: () => started / (passedMs / 1000),
  };
}
