import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterEach, expect, test, vi } from "vitest";
import { endOfKoreanDay } from "#worker/contract/kernel/day-ends.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { getJoin } from "#worker/domain/alumni/join.server.ts";
import { columnOf } from "#worker/domain/alumni/own-value.server.ts";
import { openRound, show } from "../../api/mailing/confirmations.ts";
import { answer, askThree } from "../../api/mailing/questions.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createTestItem, sentMessages } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createTestRole,
  createUser,
  signInUser,
} from "../../support/people.ts";
import { contextFor } from "../../support/request-scope.ts";
import { readValue } from "../../support/test-database.ts";

type IsOpen = () => Promise<boolean>;

const answers = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

/** Columns that end with a day in Korea: begins one, and says whether it is still open. */
const DAY_ENDS: Record<string, () => Promise<IsOpen>> = {
  "alumni_certificate.expires_date": async () => {
    const member = await createMemberSession();
    await callAs(member, "PUT", "/api/certificate", { purpose: "회사 제출" });
    const [{ number }] = (await callAs(member, "GET", "/api/certificate")).data;
    const body = { number, name: "홍길동" };
    return async () => (await callJson("POST", "/api/certificate/check", { body })).data.state === "valid";
  },
  "verification.expires_date": async () => {
    const admin = await createAdministratorSession();
    const { id } = await createUser();
    const email = "old@pid.example.kr";
    const alumniId = (await callAs(admin, "PUT", "/api/alumni", { name: "홍길동", email })).data.id;
    await callAs(admin, "POST", `/api/admin/member/${id}/join`, { alumniId });
    const [mail] = (await sentMessages(email)).filter(({ body }) => body.includes("/mail/join/"));
    const token = /\/mail\/join\/([\w-]+)/.exec(mail?.body ?? "")?.[1] ?? "";
    return async () => answers(getJoin(await contextFor(null), token));
  },
  "confirmation_round.end_date": async () => {
    const { links } = await openRound();
    return () => answers(show(links[0]));
  },
  "mailing.answer_until": async () => {
    const endDay = koreanDay(new Date(Date.now() + 2 * DAY_MS));
    const { tokens } = await askThree({ endDay });
    return async () => (await answer(tokens[0], 1)).code === "SUCCESS";
  },
  "role_grant.end_date": async () => {
    const admin = await createAdministratorSession();
    const person = await createUser();
    const roleCode = await createTestRole(["Board_notice_Manage"]);
    const [from, to] = [new Date(), new Date(Date.now() + 2 * DAY_MS)].map((date) => koreanDay(date));
    const body = { roleCode, from, to, reason: "명부 정리" };
    await callAs(admin, "PUT", `/api/admin/member/${person.id}/role-grant`, body);
    return async () =>
      (await callAs(await signInUser(person), "GET", "/api/board/notice")).data.permissions.manage === true;
  },
  "privacy_request.due_date": async () => {
    const body = { kind: "access", content: "제 정보를 보여 주십시오." };
    await callAs(await createMemberSession(), "POST", "/api/user/privacy-request", body);
    const path = "/api/admin/privacy/request?status=overdue";
    return async () => (await callAs(await createAdministratorSession(), "GET", path)).data.totalElements === 0;
  },
  "board_item.pinned_until": async () => {
    const admin = await createAdministratorSession();
    const pinnedUntil = endOfKoreanDay(new Date(Date.now() + 2 * DAY_MS)).toISOString();
    await createTestItem(admin, "notice", { isPinned: true, pinnedUntil });
    const path = "/api/board-item?boardCode=notice";
    return async () => (await callJson("GET", path)).data.pinned.length === 1;
  },
};

/** Columns of the same kind of name that do not end with a day. */
const OTHERS: Record<string, string> = {
  "session.expires_date": "a time after the sign-in, shown nowhere",
  "refresh_token.expires_date": "a time after the sign-in, shown nowhere",
  "second_factor_challenge.expires_date": "minutes",
  "second_factor_recovery.expires_date": "shown with its time",
  "due.due_day": "a day as text; a due stays owed after it",
  "proposal.due_day": "a day as text, compared with the day of today",
  "event.cancel_until": "a day as text, whose last moment `lastCancellation` tells",
  "popup.end_date": "typed and shown with its time",
  "board_item.event_end": "typed and shown with its time; all days end at midnight",
  "board_item.event_deadline": "typed and shown with its time",
  "notice_pending.due_date": "when a notice is sent, minutes later",
  "moving.ended_date": "past",
  "alarm.ended_date": "past",
  "age_clock.last_date": "past",
  "inquiry.last_date": "past",
};

const NAME = /(^|_)(end|ended|ends|expires|expiry|due|until|deadline|last|closes)(_(date|day))?$/;
const MODULES = import.meta.glob<Record<string, unknown>>("/db/schema/*.ts", { eager: true });
const TABLES = new Set(
  Object.values(MODULES).flatMap((each) => Object.values(each).filter((value) => is(value, SQLiteTable))),
);
const COLUMNS = [...TABLES].flatMap((table) =>
  getTableConfig(table).columns.map(
    ({ name, keyAsName }) => `${getTableName(table)}.${keyAsName ? columnOf(name) : name}`,
  ),
);

afterEach(() => {
  vi.useRealTimers();
});

test("each column of an end ends with a day or says why", () => {
  const ending = COLUMNS.filter((column) => NAME.test(column.split(".")[1] ?? ""));
  expect(ending.toSorted()).toEqual([...Object.keys(DAY_ENDS), ...Object.keys(OTHERS)].toSorted());
});

const HOURS = ["00:00:00.000", "12:30:00.000", "23:59:59.999"];

test.each(Object.keys(DAY_ENDS).flatMap((column) => HOURS.map((hour) => [column, hour] as const)))(
  "%s that begins at %s is open until its day ends",
  async (column, hour) => {
    const at = (day: string, time: string) => Date.parse(`${day}T${time}+09:00`);
    vi.useFakeTimers({ toFake: ["Date"], now: at("2026-11-28", hour) });
    const isOpen = await DAY_ENDS[column]?.();
    const [table, name] = column.split(".");
    const end = await readValue<number>(`SELECT max(${name}) FROM ${table}`);
    // An end that is excluded is the next midnight.
    const day = koreanDay(new Date(Number(end) - 1));
    const last = at(day, "23:59:59.999");
    const opened: unknown[] = [];
    for (const moment of [last, last + 1]) {
      vi.setSystemTime(moment);
      opened.push(await isOpen?.());
    }
    expect([Number(end) - last, ...opened]).toEqual([expect.toBeOneOf([0, 1]), true, false]);
  },
);
