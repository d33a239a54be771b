import { env } from "cloudflare:workers";
import { roleGrant } from "#db/schema/access.ts";
import { agreement } from "#db/schema/content.ts";
import { message } from "#db/schema/mail.ts";
import { DEFAULT_ALUMNI_SETTINGS } from "#worker/contract/alumni/alumni-settings.ts";
import { RETENTION_RULE_CODES, RETENTION_RULES } from "#worker/contract/audit/retention-rules.ts";
import { DEFAULT_INFO_PAGES } from "#worker/contract/content/info-pages.ts";
import { CONSOLE_ROWS } from "#worker/contract/kernel/console/console-pages.ts";
import { callAs, type fetchApi } from "../support/api-client.ts";
import { createTestItem } from "../support/factories.ts";
import { NEW_IDENTITY } from "../support/identity.ts";
import { createAdministratorSession, createUser, TEST_PASSWORD, type TestSession } from "../support/people.ts";
import { rowExample } from "../support/row-example.ts";
import { runSql, testDatabase } from "../support/test-database.ts";
import { ADMIN_CALLS } from "./calls.ts";
import { board, field, publish, site, templateInput } from "./console-inputs.ts";
import { REQUIRED_QUERIES } from "./sample-paths.ts";

const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";
const GRANT_ID = "00000000-0000-4000-8000-00000000000a";
const INQUIRY_ID = "00000000-0000-4000-8000-00000000000c";
const PLACES: Record<string, string> = {
  boardCode: "notice",
  roleCode: "member",
  code: "affiliation",
  version: "1",
  name: "search",
  rule: "alumni-bin",
  auditId: "1",
  regionCode: "seoul",
  versionNo: "1",
  kind: "code",
};
const RULES = Object.fromEntries(RETENTION_RULE_CODES.map((rule) => [rule, RETENTION_RULES[rule]]));
export interface ConsoleWorld {
  admin: TestSession;
  memberId: string;
  waitingId: string;
  applicantId: string;
  entryId: string;
  blockedId: string;
  failedId: string;
  requestId: string;
  erasureId: string;
  fingerprints: Record<string, string>;
  rowIds: Record<string, string>;
}
/** An accepted body or query of each changing call, so that a refusal can only come from the permission. */
export const CONSOLE_INPUTS: Record<string, (world: ConsoleWorld) => unknown> = {
  "PATCH /api/admin/setting/site": () => site,
  "PATCH /api/admin/setting/authentication": () => ({
    authType: "EmailAndPassword",
    roleCodeForGuest: "guest",
    signupApproval: true,
    version: 1,
  }),
  "POST /api/admin/job/backup/:name/export": () => ({ reason: "복구 연습" }),
  "POST /api/admin/job/alarm/acknowledge": () => ({ key: "job:test" }),
  "POST /api/admin/second-factor/:id/recovery": () => ({ reason: "휴대전화를 잃어버림" }),
  "DELETE /api/admin/second-factor/:id/recovery": () => "",
  "POST /api/admin/setup/confirm/:step": () => ({}),
  "POST /api/admin/setting/import": () => ({ document: { kind: "hoewon-settings", format: 1 } }),
  "PUT /api/admin/setting/profile-field": () => ({ ...field, code: "major" }),
  "POST /api/admin/setting/profile-field/order": () => ({ codes: ["affiliation"] }),
  "PATCH /api/admin/setting/profile-field/:id": () => ({ ...field, isClosed: false, version: 1 }),
  "DELETE /api/admin/setting/profile-field/:id": () => "?version=2",
  "PUT /api/admin/setting/alumni/field": () => ({ name: "생년월일", kind: "date", access: "office" }),
  "POST /api/admin/setting/alumni/field/order": () => ({ codes: ["own1"] }),
  "PATCH /api/admin/setting/alumni/field/:id": () => ({ name: "팩스", access: "office", version: 1 }),
  "DELETE /api/admin/setting/alumni/field/:id": () => "?version=2",
  "PUT /api/admin/setting/agreement": () => publish,
  "POST /api/admin/setting/agreement/:code/close": () => ({ baseVersion: "2" }),
  "POST /api/admin/setting/agreement/:code/:version/withdraw": () => ({}),
  "PUT /api/admin/role": () => ({ roleCode: "editor", roleName: "편집자", permissions: ["Alumni_Read"] }),
  "PATCH /api/admin/role/:roleCode": () => ({ roleName: "회원님", permissions: ["Alumni_Read"], version: 1 }),
  "DELETE /api/admin/role/:roleCode": () => "",
  "POST /api/admin/member/block": ({ memberId }) => ({ ids: [memberId], reason: "시험" }),
  "POST /api/admin/member/unblock": ({ blockedId }) => ({ ids: [blockedId] }),
  "POST /api/admin/member/approve": ({ waitingId }) => ({ ids: [waitingId] }),
  "POST /api/admin/member/refuse": ({ applicantId }) => ({ ids: [applicantId], reason: "시험" }),
  "POST /api/admin/member/role": ({ memberId }) => ({
    ids: [memberId],
    roleCode: "administrator",
    reason: "시험",
    password: TEST_PASSWORD,
  }),
  "POST /api/admin/member/end-sessions": ({ memberId }) => ({ ids: [memberId] }),
  "POST /api/admin/member/export": () => ({ format: "csv", reason: "연례 보고" }),
  "PATCH /api/admin/mail-template/:kind": () => ({ ...templateInput, reason: "시험", version: 0 }),
  "POST /api/admin/mail-template/:kind/test": () => templateInput,
  "DELETE /api/admin/mail-template/:kind": () => "?version=1&reason=x",
  "POST /api/admin/consent/remind": () => ({}),
  "POST /api/admin/member/:id/unlock": () => ({}),
  "POST /api/admin/member/:id/reset-link": () => ({}),
  "POST /api/admin/member/:id/resume": () => ({ reason: "본인의 전화" }),
  "PATCH /api/admin/member/:id/name": () => ({ userName: "새이름", reason: "개명", version: 4 }),
  "POST /api/admin/member/:id/join": ({ entryId }) => ({ alumniId: entryId }),
  "POST /api/admin/member/:id/entry": () => ({}),
  "PATCH /api/admin/member/:id/email": () => ({ email: "new@pid.example.kr", reason: "분실", version: 3 }),
  "PUT /api/admin/member/:id/role-grant": () => ({ roleCode: "guest", from: "2026-01-01", reason: "센터 담당" }),
  "DELETE /api/admin/member/:id/role-grant/:grantId": () => "",
  "PUT /api/admin/board": () => ({ boardCode: "press", boardName: "보도자료" }),
  "POST /api/admin/board/order": () => ({ codes: ["reference", "notice"] }),
  "PATCH /api/admin/board/:boardCode": () => board,
  "POST /api/admin/board/:boardCode/copy": () => ({ boardCode: "copied", boardName: "복사본" }),
  "POST /api/admin/board/:boardCode/state": () => ({ isClosed: true, version: 2 }),
  "DELETE /api/admin/board/:boardCode": () => "?version=3",
  "PATCH /api/admin/setting/identity": () => ({ ...NEW_IDENTITY, homeBoards: [], version: 0 }),
  "PATCH /api/admin/setting/logo": () => ({ pictures: null, version: 0 }),
  "PATCH /api/admin/setting/pages": () => ({ pages: DEFAULT_INFO_PAGES, version: 0 }),
  "PATCH /api/admin/setting/menu": () => ({
    entries: [{ kind: "boards", label: "게시판", isHidden: false }],
    version: 0,
  }),
  "PATCH /api/admin/consent/setting": () => ({ automatic: false, version: 0 }),
  "PATCH /api/admin/setting/alumni": () => ({ ...DEFAULT_ALUMNI_SETTINGS, undoDays: 14, version: 0 }),
  "PATCH /api/admin/setting/case-report": () => ({ maskBelow: 5, version: 0 }),
  "PUT /api/admin/content/:code/draft": () => ({ title: "소개", content: "<p>글</p>", version: 0 }),
  "POST /api/admin/content/:code/draft": () => ({ version: 0 }),
  "POST /api/admin/content/:code/publish": () => ({ version: 1 }),
  "POST /api/admin/content/:code/withdraw": () => ({ version: 2 }),
  "POST /api/admin/content/:code/restore": () => ({ version: 3, versionNo: 1 }),
  "DELETE /api/admin/content/:code/draft": () => ({ version: 4 }),
  "PUT /api/admin/center/:regionCode/draft": () => ({ regionName: "서울", centerName: "서울권역센터", version: 0 }),
  "POST /api/admin/center/order": () => ({ codes: ["seoul"] }),
  "POST /api/admin/center/:regionCode/publish": () => ({ version: 1 }),
  "POST /api/admin/center/:regionCode/withdraw": () => ({ version: 2 }),
  "POST /api/admin/center/:regionCode/restore": () => ({ version: 3, versionNo: 1 }),
  "DELETE /api/admin/center/:regionCode/draft": () => ({ version: 4 }),
  "POST /api/admin/report/:boardCode/:itemNo": () => ({ decision: "dismiss" }),
  "POST /api/admin/audit/export": () => ({ reason: "월간 점검" }),
  "POST /api/admin/message/retry": ({ failedId }) => ({ ids: [failedId] }),
};
const PRIVACY_INPUTS: typeof CONSOLE_INPUTS = {
  "POST /api/admin/job/:name/run": () => ({}),
  "PUT /api/admin/privacy/request": () => ({ kind: "access", requesterName: "김동문", content: "알려 주십시오." }),
  "POST /api/admin/inquiry/:id/answer": () => ({ content: "확인하였습니다.", version: 1 }),
  "POST /api/admin/inquiry/:id/close": () => ({ version: 2 }),
  "POST /api/admin/privacy/request/export": () => ({ reason: "분기 점검" }),
  "POST /api/admin/privacy/destruction/export": () => ({ reason: "분기 점검" }),
  "POST /api/admin/privacy/request/:id/start": () => ({ version: 1 }),
  "POST /api/admin/privacy/request/:id/extend": () => ({ days: 5, reason: "자료 확인", version: 2 }),
  "POST /api/admin/privacy/request/:id/answer": () => ({ result: "done", answer: "알려 드립니다.", version: 3 }),
  "POST /api/admin/privacy/request/:id/erase": () => ({ answer: "파기하였습니다.", version: 1 }),
  "PATCH /api/admin/privacy/retention": () => ({ requestDays: 9, rules: RULES, version: 1 }),
  "POST /api/admin/privacy/retention/inactive/tell": ({ fingerprints }) => ({
    fingerprint: fingerprints.tell,
    reason: "정기 안내",
  }),
  "POST /api/admin/privacy/retention/:rule/run": ({ fingerprints }) => ({
    fingerprint: fingerprints.bin,
    reason: "정기 파기",
  }),
};
const ROW_INPUTS: typeof CONSOLE_INPUTS = Object.fromEntries(
  CONSOLE_ROWS.flatMap((row) => {
    const example = rowExample(row);
    return [
      [`PUT /api/admin/${row.code}`, () => example],
      [`POST /api/admin/${row.code}/order`, ({ rowIds }: ConsoleWorld) => ({ codes: [rowIds[row.code]] })],
      [`PATCH /api/admin/${row.code}/:id`, () => ({ ...example, version: 1 })],
      [`DELETE /api/admin/${row.code}/:id`, () => "?version=2"],
    ];
  }),
);
Object.assign(CONSOLE_INPUTS, PRIVACY_INPUTS, ROW_INPUTS);

export const adminCalls = Object.keys(ADMIN_CALLS);
/** Multi-step calls are tested in `api/moving/audit.test.ts`, `api/mailing/`, `api/event/`, `api/proposal/` and `api/alumni/`. */
export const changingConsoleCalls = adminCalls.filter(
  (name) =>
    !name.startsWith("GET ") &&
    !/\/api\/admin\/(?:moving|mailing|round|event|proposal|correction|representative|due(?!-)|deposit)/.test(name),
);

export async function createConsoleWorld(): Promise<ConsoleWorld> {
  const admin = await createAdministratorSession();
  const failedId = crypto.randomUUID();
  const now = new Date();
  await testDatabase().batch([
    testDatabase().insert(message).values({
      id: failedId,
      channel: "email",
      recipient: "a@pid.example.kr",
      subject: "알림",
      body: "본문",
      status: "failed",
      createdDate: now,
    }),
    testDatabase().insert(agreement).values({
      code: "terms",
      version: "1",
      title: "약관",
      required: true,
      content: "<p>약관</p>",
      textHash: "x",
      effectiveDate: now,
      isCurrent: true,
    }),
    testDatabase()
      .insert(agreement)
      .values({
        code: "announced",
        version: "1",
        title: "예고",
        required: true,
        content: "<p>글</p>",
        textHash: "x",
        effectiveDate: new Date(now.getTime() + 86_400_000),
        isAnnounced: true,
      }),
  ]);
  await runSql(
    `INSERT INTO backup_run (id, name, kind, status, started_date, state) VALUES ('b', 'search', 'night', 'ok', unixepoch() * 1000, '{"tables":[],"parts":[],"files":{}}')`,
  );
  await env.BACKUPS.put("dump/search/manifest", "{}");
  const rowIds: Record<string, string> = {};
  for (const row of CONSOLE_ROWS) {
    const made = await callAs(admin, "PUT", `/api/admin/${row.code}`, rowExample(row));
    rowIds[row.code] = made.data.id as string;
  }
  const longAgo = Date.now() - 3 * 365 * 86_400_000;
  await runSql(
    "INSERT INTO user_consent (user_id, code, version, agreed, text_hash, created_date) VALUES (?, 'newsletter', '1', 1, 'x', ?)",
    admin.user.id,
    longAgo,
  );
  await runSql(
    "INSERT INTO profile_field (code, name, input_type, detail) VALUES ('affiliation', '소속', 'text', '[]')",
  );
  await runSql("INSERT INTO alumni_field (code, name, kind, choices, access) VALUES ('own1', '가', 'text', '[]', '')");
  const person = await createUser();
  const [waiting, applicant] = [await createUser({ status: "waiting" }), await createUser({ status: "waiting" })];
  const request = (id: string, kind: string, userId: string) =>
    env.DB.prepare(
      "INSERT INTO privacy_request (id, kind, status, user_id, requester_name, content, received_date, due_date, modified_date) VALUES (?, ?, 'received', ?, '홍길동', '내용', 1, 1, 1)",
    ).bind(id, kind, userId);
  const [requestId, erasureId] = [crypto.randomUUID(), crypto.randomUUID()];
  await env.DB.batch([
    request(requestId, "access", person.id),
    request(erasureId, "erasure", waiting.id),
    env.DB.prepare(
      "INSERT INTO alumni (id, name, created_date, modified_date, deleted_date) VALUES ('a', 'a', 1, 1, 1)",
    ),
    env.DB.prepare(
      "INSERT INTO inquiry (id, user_id, category, subject, status, created_date, last_date) VALUES (?, ?, 'other', '문의', 'waiting', 1, 1)",
    ).bind(INQUIRY_ID, person.id),
    env.DB.prepare("INSERT INTO suspension (user_id, request_id, created_date) VALUES (?, 'request', 1)").bind(
      person.id,
    ),
    env.DB.prepare("UPDATE user SET created_date = 1 WHERE id = ?").bind((await createUser()).id),
  ]);
  const reported = await createTestItem(admin, "reference");
  await runSql(
    "INSERT INTO item_report (id, item_id, reporter_user_id, reason, created_date) SELECT 'r', id, 'x', 'abuse', 0 FROM board_item WHERE board_code = 'reference' AND item_no = ?",
    reported,
  );
  await testDatabase()
    .insert(roleGrant)
    .values({ id: GRANT_ID, userId: person.id, roleCode: "member", startDate: now, createdDate: now });
  const due = async (rule: string) => (await callAs(admin, "GET", `/api/admin/privacy/retention/${rule}`)).data;
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO alarm (key, kind, text, started_date) VALUES ('job:test', 'job', '작업이 멈추었습니다.', 1)",
    ),
    env.DB.prepare(
      "INSERT INTO second_factor (id, user_id, kind, name, created_date, credential_id) VALUES ('factor', ?, 'passkey', '전화', 1, 'credential')",
    ).bind(person.id),
  ]);
  return {
    admin,
    requestId,
    erasureId,
    fingerprints: {
      bin: (await due("alumni-bin")).fingerprint,
      tell: (await due("inactive")).toTellFingerprint,
    },
    memberId: person.id,
    waitingId: waiting.id,
    applicantId: applicant.id,
    entryId: (await callAs(admin, "PUT", "/api/alumni", { name: "가람" })).data.id,
    blockedId: (await createUser({ status: "blocked" })).id,
    failedId,
    rowIds,
  };
}

export function consoleCallOf(
  name: string,
  token: string | undefined,
  given: ConsoleWorld,
): Parameters<typeof fetchApi> {
  const [method = "", path = ""] = name.split(" ");
  const input = CONSOLE_INPUTS[name]?.(given) ?? REQUIRED_QUERIES[name] ?? "";
  const rowId = given.rowIds[path.split("/")[3] ?? ""];
  const places = {
    ...PLACES,
    // The previous call leaves the member blocked, and a blocked member gets no link.
    id: path.endsWith("/reset-link") ? given.admin.user.id : given.memberId,
    ...(/\/(?:join|entry)$/.test(path) ? { id: given.waitingId } : {}),
    grantId: GRANT_ID,
    ...(path.includes("/inquiry/") ? { id: INQUIRY_ID } : {}),
    ...(path.includes("/privacy/request/") ? { id: path.endsWith("/erase") ? given.erasureId : given.requestId } : {}),
    ...(name.startsWith("DELETE /api/admin/role") ? { roleCode: "editor" } : {}),
    ...(path.includes("/profile-field/") ? { id: "affiliation" } : {}),
    ...(path.includes("/alumni/field/") ? { id: "own1" } : {}),
    ...(path.includes("/agreement/") ? { code: path.endsWith("/withdraw") ? "announced" : "terms" } : {}),
    ...(path.includes("/setup/") ? { code: "privacy", step: "mail" } : {}),
    ...(path.includes("/content/")
      ? { code: name.startsWith("POST") && path.endsWith("/draft") ? "privacy" : "about" }
      : {}),
    ...(rowId ? { id: rowId } : {}),
    ...(/\/(?:report|event)\//.test(path) ? { boardCode: "reference", itemNo: "1" } : {}),
  };
  const url = path.replace(/:(\w+)/g, (_, key: string) => places[key as keyof typeof places] ?? UNKNOWN_ID);
  return typeof input === "string" ? [method, url + input, { token }] : [method, url, { token, body: input }];
}
