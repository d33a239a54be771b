import { expect, test } from "vitest";
import { settingOf } from "../../calls/event-acts.ts";
import { openTestEvent, registerAt } from "../../calls/event-world.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { createAdministratorSession, createMemberSession, createSessionWith } from "../../support/people.ts";
import { readValue, runSql } from "../../support/test-database.ts";

const BODY = "{{행사 날짜}} {{행사 장소}}의 {{행사}}에 {{행사 시간}} 참석하였음을 증명합니다.";
const REGISTERED = "event_registration WHERE user_id = ?";

/** An event with its kind, and members who are present. */
async function createEnded(more: object = {}) {
  const admin = await createAdministratorSession();
  const kind = { name: "이수증", body: BODY, numberPattern: "이수 {{연도}}-{{번호}}", selfIssue: "office", ...more };
  const kindId = (await callAs(admin, "PUT", "/api/admin/certificate-kind", kind)).data.id as string;
  const event = await openTestEvent(admin);
  await runSql("UPDATE board_item SET event_place = '본관' WHERE id = ?", event.id);
  await callAs(admin, "PATCH", event.office, settingOf({ certificateKindId: kindId, attendance: "both", version: 1 }));
  const [member, absent] = [await createMemberSession(), await createMemberSession()];
  for (const each of [member, absent]) await registerAt(each, event.own);
  await runSql(`UPDATE event_registration SET status = 'present', attended_date = 0 WHERE user_id = ?`, member.user.id);
  const issue = (session = admin) => callAs(session, "POST", `${event.office}/certificate`);
  return { ...event, admin, member, absent, kindId, issue };
}

test("everybody present gets a certificate of the event", async () => {
  const { member, absent, issue } = await createEnded();
  await runSql("UPDATE event_registration SET left_date = attended_date + 5400000");
  expect((await issue()).data).toMatchObject({ count: 1, leftOut: [] });
  const own = (await callAs(member, "GET", "/api/certificate")).data;
  expect(own).toMatchObject([{ kindName: "이수증", state: "valid" }]);
  expect(own[0].body).toMatch(/^\d{4}년 .*일(?:까지)? 본관의 동계 심포지엄에 1시간 30분 참석하였음을 증명합니다\.$/);
  expect((await callAs(absent, "GET", "/api/certificate")).data).toEqual([]);
});

test("a second run issues none twice", async () => {
  const { absent, issue } = await createEnded();
  const both = await Promise.all([issue(), issue()]);
  expect(both.map(({ code }) => code).toSorted()).toEqual(["CONFLICT", "SUCCESS"]);
  expect((await issue()).message).toBe("출석한 사람에게 이수증을 모두 발급하였습니다.");
  await runSql(`UPDATE event_registration SET status = 'present' WHERE user_id = ?`, absent.user.id);
  expect((await issue()).data.count).toBe(1);
  expect(await readValue("SELECT count(*) FROM alumni_certificate")).toBe(2);
});

test("a person without a needed value is left out by name", async () => {
  const { member, absent, issue } = await createEnded({ body: "{{소속}}의 {{행사}} 참석을 증명합니다." });
  await runSql(`UPDATE event_registration SET status = 'present' WHERE user_id = ?`, absent.user.id);
  await runSql(
    "INSERT INTO alumni (id, name, email, affiliation, created_date, modified_date) VALUES ('a', '홍길동', ?, '가온병원', 1, 1)",
    member.user.email,
  );
  expect((await issue()).data).toMatchObject({ count: 1, leftOut: [{ cause: "소속이 비어 있음", count: 1 }] });
  expect(await readValue(`SELECT certificate_id FROM ${REGISTERED}`, absent.user.id)).toBe("");
});

test("a guest is left out by cause", async () => {
  const { absent, issue } = await createEnded();
  await runSql(
    "UPDATE event_registration SET status = 'present', user_id = 'guest-1', guest_name = '김손님' WHERE user_id = ?",
    absent.user.id,
  );
  expect((await issue()).data).toMatchObject({ count: 1, leftOut: [{ cause: "계정이 없음", count: 1 }] });
  expect((await issue()).message).toContain("계정이 없는 사람에게는 따로 발급해 주십시오.");
});

test("only an officer of events with the address book issues", async () => {
  const { member, office, issue } = await createEnded();
  const reads = ["Board_free_View", "Board_free_List", "ADMIN_Access"];
  for (const other of [
    member,
    await createSessionWith([...reads, "Event_Manage"]),
    await createSessionWith([...reads, "Alumni_Write", "Alumni_Read"]),
  ])
    expect((await issue(other)).code).toBe("FORBIDDEN");
  expect((await callJson("POST", `${office}/certificate`)).code).toBe("UNAUTHORIZED");
  expect(await readValue("SELECT count(*) FROM alumni_certificate")).toBe(0);
});

test("an event without a kind of certificate says so", async () => {
  const { admin, office, kindId, issue } = await createEnded();
  const change = (id: string, version: number) =>
    callAs(admin, "PATCH", office, settingOf({ certificateKindId: id, version }));
  expect((await change("unknown", 2)).fields).toHaveProperty("certificateKindId");
  await runSql("UPDATE certificate_kind SET is_closed = 1 WHERE id = ?", kindId);
  expect((await issue()).message).toBe("더 발급하지 않는 증명서입니다.");
  expect((await change("", 2)).code).toBe("SUCCESS");
  expect((await issue()).message).toContain("증명서를 먼저 골라 주십시오.");
});
