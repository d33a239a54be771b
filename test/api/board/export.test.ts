import { expect, test } from "vitest";
import { fetchApi } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createAdministratorSession, createMemberSession, type TestSession } from "../../support/people.ts";
import { requirePresent } from "../../support/require-present.ts";
import { readValue, runSql } from "../../support/test-database.ts";

const download = (session: TestSession | null, boardCode: string, format: string) =>
  fetchApi("GET", `/api/board-item/download-data/${boardCode}?format=${format}`, { token: session?.accessToken });

test("a csv export contains only the items of the board", async () => {
  const admin = await createAdministratorSession();
  await createTestItem(admin, "notice", { title: '=HYPERLINK("x")', content: "<p>첫째</p><p>@둘째</p>" });
  await createTestItem(admin, "notice", { title: '쉼표, 따옴표 "' });
  await createTestItem(admin, "reference", { title: "다른 게시판" });
  const answer = await download(admin, "notice", "csv");
  expect(answer.headers.get("Content-Disposition")).toMatch(/filename\*=UTF-8''%EA%B3%B5%EC%A7%80/);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect(Array.from(bytes.subarray(0, 3))).toEqual([0xef, 0xbb, 0xbf]);
  const [head, first, second, ...rest] = new TextDecoder().decode(bytes).trimEnd().split("\r\n");
  expect(head).toContain("번호,분류,제목,작성자,등록일");
  expect(first).toContain(`"'=HYPERLINK(""x"")"`);
  expect(second).toContain('"쉼표, 따옴표 """');
  expect(rest).toEqual([]);
});

test("a board of 1,200 items is exported as xlsx in chunks", async () => {
  const admin = await createAdministratorSession();
  await runSql(
    "INSERT INTO board_item (board_code, item_no, title, content, created_user_id, created_user_name, created_date, modified_date) SELECT 'notice', value, '=1+1', '<p>글</p>', 'x', '편집부', 1, 1 FROM json_each(?)",
    JSON.stringify(Array.from({ length: 1200 }, (_, at) => at + 1)),
  );
  const answer = await download(admin, "notice", "xlsx");
  const { read, utils } = await import("@e965/xlsx");
  const sheet = requirePresent(Object.values(read(new Uint8Array(await answer.arrayBuffer())).Sheets)[0]);
  const rows = utils.sheet_to_json<Record<string, string>>(sheet);
  expect(rows).toHaveLength(1200);
  expect(rows.at(-1)).toMatchObject({ 제목: "=1+1", 작성자: "편집부" });
  expect(Object.values(sheet).some((cell: { f?: string }) => cell.f)).toBe(false);
});

test("only managers can export, ten times a day", async () => {
  const admin = await createAdministratorSession();
  expect((await download(null, "notice", "csv")).status).toBe(401);
  expect((await download(await createMemberSession(), "notice", "csv")).status).toBe(403);
  expect((await download(admin, "nowhere", "csv")).status).toBe(404);
  expect((await download(admin, "notice", "pdf")).status).toBe(400);
  for (let at = 0; at < 10; at++) expect((await download(admin, "notice", "csv")).status, `${at}`).toBe(200);
  expect((await download(admin, "notice", "csv")).status).toBe(429);
  const told = await readValue("SELECT count(*) AS n FROM audit_log WHERE action = 'board.export'");
  expect(told).toBe(10);
});
