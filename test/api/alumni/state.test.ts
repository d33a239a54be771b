import { expect, test } from "vitest";
import { importAlumniFile, importCounts } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { readRow } from "../../support/test-database.ts";

test("other members see no contact of a person who is gone", async () => {
  const admin = await createAdministratorSession();
  const made = await callAs(admin, "PUT", "/api/alumni", {
    name: "김동문",
    email: "kim@pid.example.kr",
    mobile: "010-0000-1111",
    openFields: ["email", "mobile"],
  });
  const reader = await createSessionWith(["Alumni_Read"]);
  const seen = async (keyword = "") => (await callAs(reader, "GET", `/api/alumni?keyword=${keyword}`)).data.content;
  expect((await seen("kim@pid"))[0]).toMatchObject({ email: "kim@pid.example.kr", state: "", refuses: "" });
  const patch = (session: TestSession, body: object) => callAs(session, "PATCH", `/api/alumni/${made.data.id}`, body);
  expect((await patch(reader, { state: "작고", version: 1 })).code).toBe("FORBIDDEN");
  expect((await patch(admin, { state: "돌아가심", version: 1 })).code).toBe("INVALID_INPUT");
  expect((await patch(admin, { state: "별세", refuses: "메일; 문자", stateNote: "유족 연락", version: 1 })).code).toBe(
    "SUCCESS",
  );
  expect(await readRow("SELECT state, refuses, length(state_date) AS day FROM alumni")).toEqual({
    state: "작고",
    refuses: "이메일, 문자",
    day: 10,
  });
  expect(await seen("kim@pid")).toEqual([]);
  expect((await seen("김동문"))[0]).toMatchObject({ email: "", mobile: "", state: "", stateDate: "", stateNote: "" });
  expect((await callAs(reader, "GET", "/api/alumni?f_state=in:활동")).data.content).toEqual([]);
  expect((await callAs(admin, "GET", "/api/alumni?f_state=in:활동")).data.content).toEqual([]);
  expect((await callAs(admin, "GET", "/api/alumni?f_refuses=has:문자")).data.content).toHaveLength(1);
});

test("an import reads states in other words", async () => {
  const admin = await createAdministratorSession();
  const importer = await createSessionWith(["Alumni_Read", "Alumni_Import"]);
  const sheet = (state: string, refuses: string) =>
    `이름,휴대전화,소속,상태,수신 거부\n김동문,010-0000-1111,한빛병원,${state},${refuses}`;
  const stored = () => readRow("SELECT state, state_date AS day, refuses FROM alumni");
  await importAlumniFile(admin, "가.csv", sheet("별세", "우편"));
  expect(await stored()).toEqual({ state: "작고", day: "", refuses: "우편" });
  const empty = await importAlumniFile(admin, "나.csv", sheet("", "").replace("한빛", "가람"), { emptied: "clear" });
  expect(importCounts(empty)).toEqual([0, 1, 0, 0]);
  expect(await stored()).toEqual({ state: "작고", day: "", refuses: "우편" });
  await importAlumniFile(importer, "다.csv", sheet("활동", "문자").replace("한빛", "나래"));
  expect(await stored()).toEqual({ state: "작고", day: "", refuses: "우편" });
  const wrong = await importAlumniFile(admin, "라.csv", sheet("이사", ""), { dryRun: true });
  expect(wrong.data.faults[0]?.kind).toBe("state.choice");
});
