import { expect, test } from "vitest";
import { downloadFile } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { createTestMailing } from "../../support/factories.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { readRows } from "../../support/test-database.ts";

test("a view selects the same people everywhere", async () => {
  const admin = await createAdministratorSession();
  const ids: string[] = [];
  for (const [at, cohort] of [3, 3, 4, null].entries()) {
    const body = {
      name: `김동문${at}`,
      cohort,
      email: `p${at}@pid.example.kr`,
      address: "서울특별시 종로구 1",
      position: "과장",
    };
    ids.push((await callAs(admin, "PUT", "/api/alumni", body)).data.id);
  }
  const reason = "총회 안내";
  const detail = { cohort: 3, conditions: ["position in:과장,원장"] };
  for (const [segment, expected, described] of [
    [{ filter: { cohort: "3", f_position: "in:과장,원장" } }, ids.slice(0, 2), detail],
    [{ ids: ids.slice(1, 4) }, ids.slice(1, 4), { chosen: 3 }],
  ] as const) {
    const count = expected.length;
    const printed = await callAs(admin, "POST", "/api/alumni/print-data", { segment, kind: "label", count, reason });
    expect(printed.data.people.map(({ id }: { id: string }) => id)).toEqual(expected);
    expect((await callAs(admin, "POST", "/api/alumni/figures", { segment, count, reason })).data.total).toBe(count);
    const filter = "ids" in segment ? { ids: segment.ids } : segment.filter;
    const file = await callAs(admin, "POST", "/api/alumni/export-data", {
      filter,
      columns: ["ID"],
      format: "csv",
      count,
      reason,
    });
    const csv = new TextDecoder().decode(await downloadFile(admin, file.data.url));
    expect(csv.trim().split("\r\n").slice(1)).toEqual(expected);
    const mailingId = await createTestMailing(admin, { source: "alumni", target: segment });
    const sent = await callAs(admin, "POST", `/api/admin/mailing/${mailingId}/send`, { version: 2, count, reason });
    expect([sent.code, sent.data?.count]).toEqual(["SUCCESS", count]);
    const round = await callAs(admin, "PUT", "/api/admin/round", { target: segment });
    const asked = { version: 1, count, reminderDays: 14, reason };
    expect((await callAs(admin, "POST", `/api/admin/round/${round.data.id}/start`, asked)).code).toBe("SUCCESS");
    const log = await readRows<{ action: string; subject_count: number; reason: string; detail: string }>(
      `SELECT action, subject_count, reason, detail FROM audit_log
       WHERE action IN ('alumni.print', 'alumni.figures', 'alumni.export', 'mailing.send', 'round.start') ORDER BY id DESC LIMIT 5`,
    );
    expect(log.map(({ action }) => action).toSorted()).toEqual([
      "alumni.export",
      "alumni.figures",
      "alumni.print",
      "mailing.send",
      "round.start",
    ]);
    for (const row of log) {
      // Figures count people, and show none.
      const counted = row.subject_count || (JSON.parse(row.detail) as { people: number }).people;
      expect([row.action, counted, row.reason]).toEqual([row.action, count, reason]);
      expect(JSON.parse(row.detail)).toMatchObject(described);
    }
  }
});
