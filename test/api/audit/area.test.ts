import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { auditLackText } from "#worker/contract/audit/log.ts";
import { AUDIT_ACTION_LABELS, AUDIT_AREAS } from "#worker/contract/kernel/audit-actions.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { createAdministratorSession, createUser, type TestSession } from "../../support/people.ts";
import { createPartialSession } from "../../support/partial-session.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";
import { runSql } from "../../support/test-database.ts";

const LIST = "/api/admin/audit";
const ACTIONS = Object.keys(AUDIT_ACTION_LABELS);
const SECRET = "숨은내용";
const areaOf = (action: string) => {
  if (action === "board.export") return "board";
  return action === "moving.export"
    ? "Alumni_Write"
    : (AUDIT_AREAS as Record<string, string>)[action.split(".")[0] ?? ""];
};

async function createAlumni(entry: object): Promise<{ id: string }> {
  const office = await createPartialSession("Alumni_Read", "Alumni_Write");
  return (await callAs(office, "PUT", "/api/alumni", entry)).data;
}

async function writeRows(by: string, targetOf: (action: string) => string = () => SECRET): Promise<void> {
  const insert = env.DB.prepare(
    "INSERT INTO audit_log (created_date, actor_user_id, address, action, target_type, target_id, subject_count, reason, detail, request_id) VALUES (1, ?, '1.1.1.1', ?, 'alumni', ?, 7, ?, ?, 'x')",
  );
  await env.DB.batch(
    ACTIONS.map((action) =>
      insert.bind(
        by,
        action,
        areaOf(action) === "board" ? "notice/7" : targetOf(action),
        SECRET,
        JSON.stringify({ keyword: SECRET }),
      ),
    ),
  );
}

async function readAll(reader: TestSession) {
  const rows: { id: number; action: string; lacks: string | null; reason: string; subjectCount: number }[] = [];
  for (let page = 1; page < 10; page += 1) {
    const { data } = await callAs(reader, "GET", `${LIST}?reads=shown&address=1.1.1.1&page=${page}&size=100`);
    rows.push(...data.content);
    if (rows.length >= data.totalElements) break;
  }
  return rows;
}

const READERS = ["", "Alumni_Write", "Inquiry_Answer", "CaseReport_Access", "Board_notice_Manage", "Alumni_Read"];

test(
  `an audit row shows its subject only with its right (${SAMPLE_NOTE})`,
  {
    tags: "sampled",
  },
  async () => {
    const other = await createUser();
    await writeRows(other.id);
    for (const permission of READERS) {
      const reader = await createPartialSession(...(permission ? [permission] : []));
      const held = ["ADMIN_Access", permission === "Board_notice_Manage" ? "board" : permission];
      const rows = await readAll(reader);
      expect(rows).toHaveLength(ACTIONS.length);
      for (const row of rows) {
        const isOpen = held.includes(areaOf(row.action) ?? "");
        expect([permission, row.action, row.lacks === null]).toEqual([permission, row.action, isOpen]);
        if (!isOpen) {
          expect(JSON.stringify({ ...row, action: "" }), row.action).not.toContain(SECRET);
          expect(JSON.stringify(row), row.action).not.toContain("notice/7");
          expect(row.subjectCount).toBe(0);
          expect(auditLackText(row.lacks ?? "")).toMatch(/(?:권한이 있어야|본인만) 볼 수 있/);
        }
      }
      const kindOf = ({ action }: { action: string }) => areaOf(action) ?? "";
      for (const { id, action } of sample(rows, (row) => `${permission} ${row.action}`, kindOf)) {
        const one = await callAs(reader, "GET", `${LIST}/${id}`);
        const isOpen = held.includes(areaOf(action) ?? "");
        expect([action, JSON.stringify(one.data).includes(SECRET)]).toEqual([action, isOpen]);
      }
      const file = await fetchApi("POST", `${LIST}/export`, {
        token: reader.accessToken,
        body: { reason: "점검", format: "csv", filter: { address: "1.1.1.1" } },
      });
      const lines = (await file.text()).split("\n").filter((line) => line.includes("1.1.1.1"));
      expect(lines.filter((line) => line.includes(SECRET))).toHaveLength(rows.filter(({ lacks }) => !lacks).length);
    }
  },
);

test("people see audit details about themselves", async () => {
  const own = await createPartialSession();
  await writeRows(own.user.id);
  const viewRow = async (reader: TestSession) =>
    (await readAll(reader)).find(({ action }) => action === "alumni-view.create")?.reason;
  expect(await viewRow(own)).toBe(SECRET);
  expect(await viewRow(await createPartialSession("Alumni_Read", "Alumni_Write"))).toBe("");
  expect(await viewRow(await createAdministratorSession())).toBe("");
});

test("a search does not match audit details hidden from the reader", async () => {
  const other = await createUser();
  const person = await createAlumni({ name: "한비밀", email: "secret@pid.example.kr", mobile: "010-9876-5432" });
  const admin = await createAdministratorSession();
  const exports = ["alumni.export", "backup.export", "moving.export", "member.export"];
  await writeRows(other.id, (action) =>
    exports.includes(action) ? `x-${action}` : action.startsWith("alumni.") ? person.id : SECRET,
  );
  for (const action of exports) {
    const subjects = action === "member.export" ? [other.id] : [person.id];
    await runSql(
      "INSERT INTO audit_subject SELECT id, 0, ? FROM audit_log WHERE target_id = ?",
      JSON.stringify(subjects),
      `x-${action}`,
    );
  }
  const asked = ["한비밀", "010-9876-5432", "secret@pid.example.kr", person.id];
  const count = async (reader: TestSession, query: string) =>
    (await callAs(reader, "GET", `${LIST}?reads=shown&address=1.1.1.1&${query}`)).data.totalElements as number;
  for (const permission of READERS) {
    if (permission === "Alumni_Write") continue;
    const reader = await createPartialSession(...(permission ? [permission] : []));
    for (const subject of asked)
      expect([permission, subject, await count(reader, `subject=${encodeURIComponent(subject)}`)]).toEqual([
        permission,
        subject,
        0,
      ]);
    expect(await count(reader, `targetId=${person.id}`)).toBe(0);
    expect(await count(reader, `subject=${other.userId}`)).toBe(1);
  }
  const office = await createPartialSession("Alumni_Read", "Alumni_Write");
  for (const reader of [office, admin])
    for (const subject of asked)
      expect(await count(reader, `subject=${encodeURIComponent(subject)}`)).toBeGreaterThan(3);
});

test("people in an export are listed to full readers only", async () => {
  const person = await createAlumni({ name: "한비밀", email: "secret@pid.example.kr" });
  const admin = await createAdministratorSession();
  const body = { filter: {}, format: "csv", count: 1, reason: "총회" };
  expect((await callAs(admin, "POST", "/api/alumni/export-data", body)).code).toBe("SUCCESS");
  const [row] = (await callAs(admin, "GET", `${LIST}?action=alumni.export`)).data.content;
  const people = async (reader: TestSession) =>
    JSON.stringify((await callAs(reader, "GET", `${LIST}/${row.id}`)).data.people);
  expect(await people(admin)).toContain(person.id);
  for (const permissions of [[], ["Alumni_Read"], ["Alumni_Read", "Alumni_Export"]]) {
    const partial = await createPartialSession(...permissions);
    expect(await people(partial)).not.toContain(person.id);
    expect(await people(partial)).not.toContain("한비밀");
  }
});
