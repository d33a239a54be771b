import { uploadAlumniFile } from "../samples/alumni-files.ts";
import { profileFieldRow } from "#worker/contract/account/rows.ts";
import { alumniFieldRow } from "#worker/contract/alumni/rows.ts";
import { CONSOLE_ROWS } from "#worker/contract/kernel/console/console-pages.ts";
import { callJson } from "../support/api-client.ts";
import { owingPerson } from "./deposit-area-acts.ts";
import { callSetting } from "./proposal-acts.ts";
import { createTestProposal, openTestCall, turnOnProposals } from "./proposal-world.ts";
import { openTestEvent } from "./event-world.ts";
import { asking, paidByList } from "./area-targets.ts";
import { rowExample } from "../support/row-example.ts";
import { createSignupSettings, createTestItem, createVerifiedToken, signupForm } from "../support/factories.ts";
import { createMemberSession, createUser, type TestSession } from "../support/people.ts";
import { runSql } from "../support/test-database.ts";

interface CreatingSample {
  path: string;
  body: Record<string, unknown>;
  other: Record<string, unknown>;
}

const sample = (path: string, body: Record<string, unknown>, other: Record<string, unknown>) => (): CreatingSample => ({
  path,
  body,
  other: { ...body, ...other },
});
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** Every call that creates a new row each time without an `Idempotency-Key`. */
export const CREATING_CALLS: Record<string, (admin: TestSession) => CreatingSample | Promise<CreatingSample>> = {
  "PUT /api/board-item/:boardCode": sample(
    "/api/board-item/free",
    { title: "제목", content: "<p>글</p>", fileIds: [] },
    { title: "다른 제목" },
  ),
  "PUT /api/board-item-comment/:boardCode/:itemNo": async (admin) =>
    sample(
      `/api/board-item-comment/free/${await createTestItem(admin, "free")}`,
      { content: "댓글" },
      { content: "또" },
    )(),
  "PUT /api/board-item-report/:boardCode/:itemNo": async () =>
    sample(
      `/api/board-item-report/free/${await createTestItem(await createMemberSession(), "free")}`,
      { reason: "advertisement" },
      { text: "광고입니다." },
    )(),
  "PUT /api/alumni": sample("/api/alumni", { name: "김하늘" }, { name: "이바다" }),
  "PUT /api/alumni/view": sample(
    "/api/alumni/view",
    {
      name: "이메일 없음",
      content: { filter: { f_email: "empty" }, sort: "", columns: ["name"], isDense: true, size: 50 },
    },
    { name: "다른 보기" },
  ),
  "POST /api/alumni/merge": async (admin) => {
    const create = async () => {
      const body = { name: "김하늘", cohort: 3 };
      return String((await callJson("PUT", "/api/alumni", { token: admin.accessToken, body })).data.id);
    };
    const ids = [await create(), await create()];
    const people = ids.map((id) => ({ id, version: 1 }));
    return sample("/api/alumni/merge", { keepId: ids[0], people, source: {} }, { keepId: ids[1] })();
  },
  "PUT /api/certificate": sample("/api/certificate", { purpose: "회사 제출" }, { purpose: "학교 제출" }),
  "PUT /api/certificate/issued": async (admin) => {
    const body = { name: "김하늘" };
    const { data } = await callJson("PUT", "/api/alumni", { token: admin.accessToken, body });
    return sample("/api/certificate/issued", { alumniId: data.id, reason: "본인의 전화" }, { reason: "다른 까닭" })();
  },
  "PUT /api/cohort/person/:id/correction": async (admin) => {
    const body = { name: "김하늘", cohort: 12 };
    const { data } = await callJson("PUT", "/api/alumni", { token: admin.accessToken, body });
    const proposal = { affiliation: "새봄연구소", note: "본인과 통화" };
    return sample(`/api/cohort/person/${data.id}/correction`, proposal, { affiliation: "가람의원" })();
  },
  "PUT /api/admin/representative": async () => {
    const { userId } = await createUser();
    const body = { who: userId, cohort: 12, to: day(60).slice(0, 10), reason: "총회" };
    return sample("/api/admin/representative", body, { cohort: 13 })();
  },
  "POST /api/alumni/import-data": async (admin) => {
    const { fileId } = await uploadAlumniFile(admin, "동문.csv", "이름,기수\r\n홍길동,3\r\n");
    return sample("/api/alumni/import-data", { fileId, mode: "upsert", dryRun: false }, { mode: "insert" })();
  },
  "POST /api/alumni/import/open": sample(
    "/api/alumni/import/open",
    { fileName: "동문.xlsx", headRow: 1, heads: ["이름"], mapping: { 이름: "name" }, parts: 1 },
    { parts: 2 },
  ),
  "POST /api/user/privacy-request": sample(
    "/api/user/privacy-request",
    { kind: "access", content: "알려 주십시오." },
    { kind: "correction" },
  ),
  "POST /api/inquiry": sample(
    "/api/inquiry",
    { category: "board", subject: "자료가 열리지 않습니다", content: "서식 파일이 열리지 않습니다." },
    { category: "other" },
  ),
  "POST /api/event/:boardCode/:itemNo": async (admin) =>
    sample((await openTestEvent(admin)).own, { questionsVersion: 1 }, { joinsQueue: true })(),
  "POST /api/event-guest/:boardCode/:itemNo": async (admin) => {
    const { own } = await openTestEvent(admin);
    await runSql("UPDATE event SET takes_guests = 1");
    const body = {
      userName: "김손님",
      userKeyToken: await createVerifiedToken("visitor@example.com"),
      questionsVersion: 1,
    };
    return sample(own.replace("/event/", "/event-guest/"), body, { joinsQueue: true })();
  },
  "POST /api/admin/event/:boardCode/:itemNo/registration": async (admin) => {
    const { email } = await createUser();
    return sample(
      `${(await openTestEvent(admin)).office}/registration`,
      { who: email, reason: "전화" },
      { reason: "문 앞" },
    )();
  },
  "POST /api/admin/event/:boardCode/:itemNo/mailing": async (admin) =>
    sample(`${(await openTestEvent(admin)).office}/mailing`, { to: "all" }, { to: "waiting" })(),
  "POST /api/proposal": async () =>
    sample("/api/proposal", { callId: await openTestCall() }, { callId: await openTestCall() })(),
  "POST /api/admin/proposal/:id/reviewer": async () => {
    const [{ email }, other] = [await createUser(), await createUser()];
    const { office } = await createTestProposal({ status: "submitted" });
    return sample(`${office}/reviewer`, { who: email }, { who: other.email })();
  },
  "POST /api/admin/proposal-call": async () => {
    await turnOnProposals();
    return sample("/api/admin/proposal-call", callSetting(), { title: "다른 공모" })();
  },
  "POST /api/inquiry/:id/message": async (admin) => {
    const body = { category: "other", subject: "문의", content: "내용" };
    const { data } = await callJson("POST", "/api/inquiry", { token: admin.accessToken, body });
    return sample(`/api/inquiry/${data.id}/message`, { content: "덧붙입니다." }, { content: "다른 말" })();
  },
  "PUT /api/admin/privacy/request": sample(
    "/api/admin/privacy/request",
    { kind: "access", requesterName: "김동문", content: "알려 주십시오." },
    { requesterName: "이동문" },
  ),
  "PUT /api/admin/setting/profile-field": sample("/api/admin/setting/profile-field", profileFieldRow.example, {
    code: "minor",
  }),
  "PUT /api/admin/setting/agreement": sample(
    "/api/admin/setting/agreement",
    {
      code: "letters",
      title: "소식지",
      required: false,
      content: "<p>글</p>",
      version: "1",
      effectiveDate: day(-1),
      baseVersion: "",
    },
    { code: "sms" },
  ),
  "PUT /api/admin/role": sample(
    "/api/admin/role",
    { roleCode: "editor", roleName: "편집자", permissions: [] },
    { roleCode: "writer" },
  ),
  "PUT /api/admin/member/:id/role-grant": async () =>
    sample(
      `/api/admin/member/${(await createUser()).id}/role-grant`,
      { roleCode: "guest", from: day(0).slice(0, 10), reason: "센터 담당" },
      { from: day(3).slice(0, 10) },
    )(),
  "PUT /api/admin/board": sample(
    "/api/admin/board",
    { boardCode: "press", boardName: "보도자료" },
    { boardCode: "news" },
  ),
  "POST /api/admin/board/:boardCode/copy": sample(
    "/api/admin/board/free/copy",
    { boardCode: "copied", boardName: "복사본" },
    { boardCode: "second" },
  ),
  ...Object.fromEntries(
    CONSOLE_ROWS.map((row) => [
      `PUT /api/admin/${row.code}`,
      sample(`/api/admin/${row.code}`, rowExample(row), { [row.title]: "다른 것" }),
    ]),
  ),
  "PUT /api/admin/due/deposit": async (admin) => {
    const alumniId = await owingPerson({ admin, member: admin });
    const body = { alumniId, amount: 20_000, day: "2026-01-02" };
    return sample("/api/admin/due/deposit", body, { amount: 30_000 })();
  },
  "PUT /api/admin/due/paid-by": async (admin) => {
    const { path, body } = await paidByList({ admin, member: admin });
    return sample(path, body, { count: 2 })();
  },
  "PUT /api/admin/mailing": sample(
    "/api/admin/mailing",
    { source: "member", target: { filter: {} } },
    { source: "alumni", target: { filter: { keyword: "김" } } },
  ),
  "PUT /api/admin/mailing/:id/question/reminder": async (admin) => {
    const { path, version } = await asking({ admin, member: admin });
    return sample(`${path}/reminder`, { version }, { version: version + 1 })();
  },
  "PUT /api/admin/round": sample(
    "/api/admin/round",
    { target: { filter: {} } },
    { target: { filter: { cohort: 12 } } },
  ),
  "POST /api/user/signup": async () => {
    await createSignupSettings();
    return sample("/api/user/signup", await signupForm("new@pid.example.kr"), { userName: "이몽룡" })();
  },
  "PUT /api/admin/setting/alumni/field": sample("/api/admin/setting/alumni/field", alumniFieldRow.example, {
    name: "다른 항목",
  }),
  "PUT /api/admin/moving": sample("/api/admin/moving", { site: "옛 누리집" }, { site: "또 다른 누리집" }),
};

/** The other POST and PUT calls, by why a repeat is harmless. A call in neither list fails the tests. */
export const SAFE_TO_REPEAT: Record<string, RegExp> = {
  "reads, or exports a file with an audit entry":
    /(?:\/search|check-exists|find-id|signin-options|(?:\/|^POST )export(?:-data)?|print-(?:count|data)|\/figures|export\/parts|\/issues|case-report\/token|(?:mailing|round)\/:id\/preview|certificate\/preview|confirmation\/:token\/open|alumni\/selected)$/,
  "replaces the one row of a person, thing or key":
    /^PUT .*(?:\/follow|\/draft\/?|board-item-draft\/:boardCode|\/text)$/,
  "needs a version, a state or named rows, so that a repeat is refused":
    /held\/:id$|\/(?:order|state|publish|withdraw|submit|recuse|return|review|decision|restore|accept|refuse|restore-data|delete-data|destroy-data|distinct|undo|close|block|blocked|unblock|approve|entry|role|end-sessions|unlock|resume|bulk|retry|acknowledge|start|extend|answer|erase|check|step|cancel|up|attendance|move|call-off|plan|commit|remind|tell|run|complete|setting\/import|due\/charge|confirm\/:step|send|resend|repeat|allocate|release|alike|refund|activity\/read)$|board-item-report|admin\/report|^PUT .*admin\/event\/:boardCode\/:itemNo$|admin\/event\/:boardCode\/:itemNo\/certificate$/,
  "counts once for its part, ticket or file": /part\/:partNo$|upload\/:ticket$|moving\/:id\/archive$/,
  "makes an upload that is cleaned up unless used": /(?:\/images|\/upload-url)$/,
  "uses up a code, an address, a challenge or a refresh token":
    /user\/(?:signin-by-refresh-token|reset-password|change-user-key\/:id|change-password\/:id)$|user-key\/confirm|confirmation\/(?:join\/:token|:token\/(?:yes|correct))$|second-factor\/(?:signin|verify|passkey|totp)$/,
  "replaces the older code, link, question or answer":
    /mailing-answer\/:token\/:answer$|user-key\/check$|confirmation\/:token\/code$|reset-password-token|reset-link|member\/:id\/join$|:id\/invite$|-options$|recovery-codes$|recovery$/,
  "reports under the provider's own id": /mail\/report$/,
  "replaces the draft by one of the current site": /^POST .*content\/:code\/draft$/,
  "opens or ends the caller's own session": /user\/(?:signin|signout|retire)$|end-others$|mail\/off|user-key\/undo/,
  "sends a test mail to the caller": /(?:mail-template\/:kind|mailing\/:id)\/test$/,
};
