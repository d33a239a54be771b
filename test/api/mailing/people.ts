import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { runJobsWith } from "../../hosts/mail-host.ts";
import { callAs } from "../../support/api-client.ts";
import { createTestMailing } from "../../support/factories.ts";
import type { TestSession } from "../../support/people.ts";
import { readRows } from "../../support/test-database.ts";

/** Inserts `count` people of a cohort; the first `shared` have one address and number. */
export function manyAlumni(count: number, shared = 0): D1PreparedStatement {
  return env.DB.prepare(
    `INSERT INTO alumni (id, name, cohort, affiliation, email, mobile, created_date, modified_date)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     SELECT printf('a1000000-0000-4000-8000-%012d', i), '동문' || i, 12, '한빛대학교병원',
       iif(i <= ?2, 'office@pid.example.kr', 'alumnus' || i || '@pid.example.kr'),
       iif(i <= ?2, '010-0000-0000', printf('010-%04d-%04d', i / 10000 + 1, i % 10000)), 1, 1 FROM n`,
  ).bind(count, shared);
}

/** The number in the format sent to the SMS provider. */
export const alumnusNumber = (nth: number) =>
  `010${String(Math.floor(nth / 10_000) + 1).padStart(4, "0")}${String(nth % 10_000).padStart(4, "0")}`;

export const laterBy = (minutes: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });

export const alumnusId = (nth: number) => `a1000000-0000-4000-8000-${String(nth).padStart(12, "0")}`;

export const everybody = { source: "alumni" as const, target: { filter: { cohort: 12 } } };

export const mailingCall = (session: TestSession | null, id: string, act: string, body: object = {}) =>
  callAs(session, "POST", `/api/admin/mailing/${id}/${act}`, body);

/** Creates, previews and sends a mailing. @returns its id */
export async function sendTestMailing(
  admin: TestSession,
  whom: Parameters<typeof createTestMailing>[1] = everybody,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const id = await createTestMailing(admin, whom, fields);
  const { data } = await mailingCall(admin, id, "preview");
  const sent = await mailingCall(admin, id, "send", { version: 2, count: data.count, reason: "정기 총회" });
  if (sent.code !== "SUCCESS") throw new Error(`mailing not sent: ${sent.code} ${JSON.stringify(sent.fields)}`);
  return id;
}

export const sendTestTexts = (
  admin: TestSession,
  whom: Parameters<typeof createTestMailing>[1] = everybody,
  fields: Record<string, unknown> = {},
) => sendTestMailing(admin, whom, { channel: "sms", text: "{{이름}} 님, 총회를 엽니다.", ...fields });

export async function outcomesOf(id: string): Promise<Record<string, number>> {
  const rows = await readRows<{ outcome: string; n: number }>(
    "SELECT iif(state = 'left', cause, state) AS outcome, count(*) AS n FROM mailing_recipient WHERE mailing_id = ? GROUP BY 1 ORDER BY 1",
    id,
  );
  return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]));
}

/**
 * Runs the jobs `points` times, failing the database ever later. @param onRun receives the kill function @returns
 * number of interrupted runs
 */
export async function killRuns(
  points: number,
  vars: Parameters<typeof runJobsWith>[0],
  onRun: (kill: () => void) => void,
) {
  let killed = 0;
  for (let point = 0; point < points; point += 1) {
    const { DB, died, kill } = dyingDatabase(40 + Math.floor((point * 160) / points));
    onRun(kill);
    await runJobsWith({ ...vars, DB }).catch(() => undefined);
    if (died()) killed += 1;
    laterBy(6);
  }
  return killed;
}

/** Answers this many more statements, then behaves like a terminated Worker. */
function dyingDatabase(calls: number): { DB: D1Database; died: () => boolean; kill: () => void } {
  let left = calls;
  const DB = new Proxy(env.DB, {
    get(real, name) {
      const member = real[name as keyof D1Database] as unknown;
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        if (name === "prepare" && (left -= 1) < 0) throw new Error("D1_ERROR: Network connection lost.");
        return (member as (...given: unknown[]) => unknown).apply(real, values);
      };
    },
  });
  return { DB, died: () => left < 0, kill: () => (left = 0) };
}
