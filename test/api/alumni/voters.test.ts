import { expect, test } from "vitest";
import { votersQuery } from "#worker/contract/alumni/dues/due-input.ts";
import { fixPaidBy, listVoters } from "#worker/domain/alumni/dues/due.server.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { contextFor } from "../../support/request-scope.ts";
import { readRows, runSql } from "../../support/test-database.ts";
import { addDuePerson, addOwingPerson, chargeAll, makeDueKind, payDue } from "./dues.ts";

const DUES = "/api/admin/due";
const LIFE = "life";
const STATES = ["활동", "휴면", "연락 두절", "탈퇴", "작고"];
/** The first second of a day in Korea. */
const startOf = (day: number) => Date.parse(`2026-01-${String(day).padStart(2, "0")}T00:00:00+09:00`);
const dayText = (day: number) => `2026-01-${String(day).padStart(2, "0")}`;

interface History {
  id: string;
  state: string;
  stateDay: number;
  grade: string;
  isDeleted: boolean;
  dues: { id: string; kind: string; period: string; amount: number; isExempt: boolean; payments: [number, number][] }[];
}

function makeHistories(kindId: string, count: number): History[] {
  let seed = 52;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  return Array.from({ length: count }, (_, nth) => ({
    id: `p${nth}`,
    state: STATES[random(8)] ?? "활동",
    stateDay: random(25),
    grade: ["정회원", "평생 회원", "", "준회원"][random(8)] ?? "정회원",
    isDeleted: random(15) === 0,
    dues: [
      { kind: kindId, period: "2026" },
      { kind: kindId, period: "2025" },
      { kind: LIFE, period: "2020" },
    ].flatMap(({ kind, period }) => {
      if (random(3) === 0) return [];
      const amount = (1 + random(3)) * 10_000;
      let left = amount;
      const payments = Array.from({ length: random(4) }, (): [number, number] => {
        const part = Math.min(left, (1 + random(3)) * 10_000);
        left -= part;
        return [startOf(1 + random(20)) + random(2), part];
      }).filter(([, part]) => part > 0);
      const isExempt = payments.length === 0 && random(6) === 0;
      return [{ id: `d${nth}-${period}`, kind, period, amount, isExempt, payments }];
    }),
  }));
}

async function storeHistories(people: readonly History[]) {
  const fill = (statement: string, rows: readonly object[]) => runSql(statement, JSON.stringify(rows));
  await fill(
    `INSERT INTO alumni (id, name, position, state, state_date, deleted_date, created_date, modified_date)
     SELECT value ->> 'id', value ->> 'id', value ->> 'grade', value ->> 'state', value ->> 'day', iif(value ->> 'isDeleted', 1, NULL), 1, 1 FROM json_each(?)`,
    people.map(({ stateDay, ...person }) => ({ ...person, dues: [], day: stateDay === 0 ? "" : dayText(stateDay) })),
  );
  const dues = people.flatMap(({ id, dues: those }) => those.map((due) => ({ ...due, person: id })));
  await fill(
    `INSERT INTO due (id, alumni_id, kind_id, period, amount, paid, is_exempt, work_id, created_date, modified_date)
     SELECT value ->> 'id', value ->> 'person', value ->> 'kind', value ->> 'period', value ->> 'amount', value ->> 'paid', value ->> 'isExempt', '', 1, 1 FROM json_each(?)`,
    dues.map((due) => ({ ...due, paid: due.payments.reduce((sum, [, part]) => sum + part, 0) })),
  );
  const payments = dues.flatMap(({ id, payments: those }) =>
    those.map(([moment, part], at) => ({ id: `${id}-${at}`, due: id, moment, part })),
  );
  await fill(
    `INSERT INTO deposit (id, source, paid_date, amount, allocated, hash, work_id, created_date)
     SELECT value ->> 'id', 'bank', value ->> 'moment', value ->> 'part', value ->> 'part', value ->> 'id', '', 1 FROM json_each(?)`,
    payments,
  );
  await fill(
    `INSERT INTO due_allocation (id, deposit_id, due_id, amount, cause, user_id, created_date)
     SELECT value ->> 'id', value ->> 'id', value ->> 'due', value ->> 'part', 'person', 'u', 1 FROM json_each(?)`,
    payments,
  );
}

/** The rule in words of its own. */
function mayVote({ state, stateDay, grade, isDeleted, dues }: History, kindId: string, at: number): boolean {
  if (isDeleted) return false;
  const hasLeft = ["탈퇴", "작고"].includes(state) && (stateDay === 0 || startOf(stateDay) <= at);
  if (hasLeft) return false;
  const isSettled = ({ isExempt, amount, payments }: History["dues"][number]) =>
    isExempt || payments.reduce((sum, [moment, part]) => sum + (moment <= at ? part : 0), 0) >= amount;
  return (
    grade === "평생 회원" ||
    dues.some((due) => (due.kind === LIFE || (due.kind === kindId && due.period === "2026")) && isSettled(due))
  );
}

test("the voters at a second equal a model over 1,000 random histories", async () => {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin, {
    gradeField: "직위",
    grades: ["정회원 30000", "평생회원 0", "준회원 10000"],
  });
  const people = makeHistories(kindId, 1000);
  await storeHistories(people);
  const ctx = await contextFor(admin);
  for (const at of [startOf(1) - 1, startOf(3), startOf(10), startOf(10) + 1, startOf(17) - 1, startOf(24)]) {
    const asked = { period: "2026", kindId, lifeKindId: LIFE, at: new Date(at), isVoters: true };
    const listed = await listVoters(ctx, asked);
    const expected = people.filter((person) => mayVote(person, kindId, at)).map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(100);
    expect(listed.map(({ alumniId }) => alumniId).toSorted()).toEqual(expected.toSorted());
  }
});

async function makeMeeting() {
  const admin = await createAdministratorSession();
  const kindId = await makeDueKind(admin);
  const paid = await addDuePerson(admin, { name: "강하나", cohort: 3 });
  const dead = await addDuePerson(admin, { name: "나두리" });
  await addOwingPerson("owing", "다세나");
  await chargeAll(admin, kindId, [paid, dead]);
  for (const id of [paid, dead]) await payDue(id, 30_000, { paidDate: 50_000 });
  await runSql("UPDATE alumni SET state = '작고' WHERE id = ?", dead);
  return {
    admin,
    kindId,
    paid,
    asked: { period: "2026", kindId, at: new Date(100_000).toISOString(), isVoters: true },
  };
}

test("a fixed list of voters stays as the office saw it", async () => {
  const { admin, paid, asked } = await makeMeeting();
  expect((await callAs(admin, "PUT", `${DUES}/paid-by`, { ...asked, count: 2 })).code).toBe("CONFLICT");
  const { data: made } = await callAs(admin, "PUT", `${DUES}/paid-by`, { ...asked, count: 1 });
  await runSql("UPDATE alumni SET state = '탈퇴' WHERE id = ?", paid);
  const ctx = await contextFor(admin);
  expect(await listVoters(ctx, votersQuery.parse({ ...asked, isVoters: true }))).toEqual([]);
  const fixed = await listVoters(ctx, votersQuery.parse({ listId: made.id }));
  expect(fixed).toMatchObject([{ alumniId: paid, name: "강하나", cohort: 3, state: "paid" }]);
  const body = { ...asked, listId: made.id, reason: "정기총회", format: "csv" };
  const sheet = await fetchApi("POST", `${DUES}/export`, { token: admin.accessToken, body });
  expect(await sheet.text()).toBe("이름,기수,상태\r\n강하나,3,완납\r\n");
  expect(sheet.headers.get("content-disposition")).toContain(encodeURIComponent("선거인명부"));
  expect((await callAs(admin, "POST", `${DUES}/work/${made.id}/undo`, {})).code).toBe("SUCCESS");
  await expect(listVoters(ctx, votersQuery.parse({ listId: made.id }))).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an export of voters needs a reason", async () => {
  const { admin, asked } = await makeMeeting();
  const { code, fields } = await callAs(admin, "POST", `${DUES}/export`, asked);
  expect([code, Object.keys(fields)]).toEqual(["INVALID_INPUT", ["reason"]]);
});

test("each look at the voters is recorded with its people", async () => {
  const { admin, paid, asked } = await makeMeeting();
  await listVoters(await contextFor(admin), votersQuery.parse(asked));
  const entries = () =>
    readRows(
      "SELECT action FROM audit_log JOIN audit_person ON audit_id = audit_log.id WHERE subject_id = ? AND detail LIKE '%voters%'",
      paid,
    );
  await expect.poll(entries).toEqual([{ action: "due.list" }]);
});

test("only an administrator who manages dues sees or fixes the voters", async () => {
  const { asked } = await makeMeeting();
  const others = [
    await createMemberSession(),
    await createSessionWith(["ADMIN_Access", "Alumni_Read", "Alumni_Write"]),
    await createSessionWith(["Dues_Manage"]),
  ];
  for (const session of [null, ...others]) {
    const code = session ? "FORBIDDEN" : "UNAUTHORIZED";
    const ctx = await contextFor(session);
    const sent = { ...asked, at: new Date(asked.at) };
    await expect(listVoters(ctx, sent)).rejects.toMatchObject({ code });
    await expect(fixPaidBy(ctx, { ...sent, count: 1 })).rejects.toMatchObject({ code });
  }
});
