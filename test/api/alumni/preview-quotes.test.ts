import { expect, test } from "vitest";
import { api } from "#worker/api/app.ts";
import { describeCalls } from "#worker/api/kernel/describe.ts";
import { AUDIT_READ_ACTIONS } from "#worker/contract/kernel/audit-actions.ts";
import { LETTER_CAUSE_NAMES } from "#worker/contract/mail/letters.ts";
import { importAlumniFile } from "../../samples/alumni-files.ts";
import { type ApiAnswer, callAs } from "../../support/api-client.ts";
import { createTestMailing } from "../../support/factories.ts";
import { createAdministratorSession, createSessionWith, type TestSession } from "../../support/people.ts";
import { readRows, readValue, runSql } from "../../support/test-database.ts";
import { mailingCall } from "../mailing/people.ts";
import { makeDueKind } from "./dues.ts";
import { add, make } from "./own-fields.ts";
import { charge } from "./people-with-dues.ts";
import { hasOptional } from "./segment-acts.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";

/** Nothing else in an answer has these words. */
const SECRETS = {
  grade: "특별등급",
  word: "읽지못할낱말",
  open: "누구나읽는말",
  memo: "메모비밀",
  note: "상태비밀",
  email: "secret44",
  mobile: "010-9911-2233",
  address: "비밀길",
  dues: "73,150",
};
/** States and refusals are the office's. */
const WORDS = [...Object.values(SECRETS), ...Object.values(LETTER_CAUSE_NAMES)];

const NAMES = ["가온이", "나루이", "다솜이", "라온이", "마루이"] as const;

interface World {
  admin: TestSession;
  ids: string[];
  kindId: string;
  certificate: string;
  own: Record<"grade" | "word" | "open", string>;
}

async function makeWorld(): Promise<World> {
  const admin = await createAdministratorSession();
  const own = {
    grade: await make(admin, { name: "회원 등급", kind: "text", access: "office" }),
    word: await make(admin, { name: "지난 회비", kind: "text", access: "office" }),
    open: await make(admin, { name: "열린 회비", kind: "text", access: "members" }),
  };
  const kindId = await makeDueKind(admin, { gradeField: "회원 등급", grades: ["정회원 50000"] });
  const values = {
    email: `${SECRETS.email}@pid.example.kr`,
    mobile: SECRETS.mobile,
    address: `서울특별시 종로구 ${SECRETS.address} 1`,
    memo: SECRETS.memo,
    stateNote: SECRETS.note,
    cohort: 7,
    openFields: [],
  };
  const people: [own: object, more: object][] = [
    [{ [own.grade]: SECRETS.grade, [own.word]: SECRETS.word, [own.open]: SECRETS.open }, {}],
    [{ [own.grade]: "정회원", [own.word]: "완납" }, { state: "작고" }],
    [{ [own.word]: "0원 만" }, { state: "탈퇴", refuses: "이메일" }],
    [{}, { state: "연락 두절", major: "경영학" }],
    [{}, { refuses: "이메일, 우편", email: "other@pid.example.kr" }],
  ];
  const ids: string[] = [];
  for (const [at, [texts, more]] of people.entries())
    ids.push(await add(admin, NAMES[at] ?? "", texts, { ...values, ...more }));
  await charge(ids[0] ?? "", "2025", { amount: 73_150 });
  const certificate = await callAs(admin, "PUT", "/api/admin/certificate-kind", {
    name: "전공 증명서",
    body: "{{전공}}을 전공함.",
    numberPattern: "전공 {{연도}}-{{번호}}",
  });
  return { admin, ids, kindId, certificate: certificate.data.id, own };
}

const ALL = { filter: {} };
const HEADS = ["이름", "휴대전화", "소속", "메모", "상태"];
const ROWS = NAMES.map((name) => [name, SECRETS.mobile, "새봄연구소", "", "활동"]);
const SHEET = [HEADS, ...ROWS].map((cells) => cells.join(",")).join("\n");
const DEPOSIT = { when: "2026-03-02T03:00:00Z", payer: NAMES[0], amount: 73_150, balance: null };

type Preview = (who: TestSession, world: World) => Promise<ApiAnswer>;

/** A preview for each call that shows people before an act. */
const PREVIEWS: Record<string, Record<string, Preview>> = {
  "POST /api/alumni/bulk": {
    "of a state": (who) => callAs(who, "POST", "/api/alumni/bulk", { segment: ALL, set: { state: "휴면" } }),
    "of refusals": (who) => callAs(who, "POST", "/api/alumni/bulk", { segment: ALL, set: { refuses: "" } }),
  },
  "POST /api/admin/due/charge": Object.fromEntries(
    Object.entries({
      "of everybody": () => ({ period: "2026" }),
      "by a field of the office": ({ own }: World) => ({ period: "2024", fieldCode: own.word }),
      "by a field of the members": ({ own }: World) => ({ period: "2024", fieldCode: own.open }),
      "by a file": () => ({ period: "2024", words: NAMES.map((name) => ({ name, word: "완납" })) }),
    }).map(([name, body]): [string, Preview] => [
      name,
      (who, world) => callAs(who, "POST", "/api/admin/due/charge", { kindId: world.kindId, ...body(world) }),
    ]),
  ),
  "POST /api/admin/due/deposit/plan": {
    "of a bank's file": (who) => callAs(who, "POST", "/api/admin/due/deposit/plan", { rows: [DEPOSIT] }),
  },
  "POST /api/certificate/preview": {
    "of everybody": (who, { certificate: kindId }) =>
      callAs(who, "POST", "/api/certificate/preview", { kindId, segment: ALL }),
  },
  "POST /api/alumni/print-count": {
    "of everybody": (who) => callAs(who, "POST", "/api/alumni/print-count", { segment: ALL }),
  },
  "POST /api/admin/mailing/:id/preview": {
    "of filled fields": async (who, { admin }) => {
      const text = "{{이름}} {{전공}} {{회원 등급}}";
      const id = await createTestMailing(admin, { source: "alumni", target: ALL }, { text, keepsEmpty: true });
      return mailingCall(who, id, "preview");
    },
    "of dues": async (who, { admin }) => {
      const target = { filter: { dues: "2025:unpaid" } };
      const id = await createTestMailing(admin, { source: "alumni", target }, { text: "{{이름}} {{회비 금액}}" });
      return mailingCall(who, id, "preview");
    },
  },
  "POST /api/admin/round/:id/preview": {
    "of everybody": async (who, { admin }) => {
      const { data } = await callAs(admin, "PUT", "/api/admin/round", { target: ALL });
      return callAs(who, "POST", `/api/admin/round/${data.id}/preview`);
    },
  },
  "POST /api/alumni/import-data": {
    "of a file": (who) => importAlumniFile(who, "명부.csv", SHEET, { dryRun: true, emptied: "clear" }),
  },
  "POST /api/alumni/import/:importId/plan": {
    "of a file in parts": async (who) => {
      const mapping = { 이름: "name", 휴대전화: "mobile", 소속: "affiliation", 메모: "memo", 상태: "state" };
      const file = { fileName: "명부.xlsx", headRow: 1, heads: HEADS, mapping, parts: 1 };
      const opened = await callAs(who, "POST", "/api/alumni/import/open", file);
      if (opened.code !== "SUCCESS") return opened;
      const path = `/api/alumni/import/${opened.data.importId}`;
      await callAs(who, "PUT", `${path}/part/1`, { rows: ROWS.map((cells, at) => [at + 2, cells]) });
      return callAs(who, "POST", `${path}/plan`, { mode: "upsert", emptied: "clear" });
    },
  },
};

/** Acts that take a count, of people other than the address book's, or of no people. */
const NO_PREVIEWS = [
  "POST /api/alumni/export-data",
  "POST /api/alumni/figures",
  "POST /api/alumni/print-data",
  "POST /api/alumni/selected",
  "PUT /api/certificate/issued",
];

test("each call that shows people before an act is tried here", () => {
  const found = describeCalls(api.routes)
    .filter((call) => /\/(?:preview|plan|[a-z]+-count)$/.test(call.path) || hasOptional(call, ["dryRun", "count"]))
    .filter(({ path }) => !path.startsWith("/api/case-report/"))
    .map(({ method, path }) => `${method} ${path}`);
  expect(found.toSorted()).toEqual([...Object.keys(PREVIEWS), ...NO_PREVIEWS].toSorted());
});

const READ = ["Alumni_Read"];
const OFFICE = ["ADMIN_Access", "Alumni_Read", "Alumni_Write"];
const CALLERS: Record<string, string[]> = {
  "a treasurer": ["ADMIN_Access", "Dues_Manage"],
  "a treasurer who reads the book": ["ADMIN_Access", "Dues_Manage", ...READ],
  "an officer": OFFICE,
  "an officer who exports": [...READ, "Alumni_Export"],
  "an officer with dues": [...OFFICE, "Dues_Manage"],
  "an importer": [...READ, "Alumni_Import"],
  "an importer who reads nothing": ["Alumni_Import"],
  "an importing officer": [...OFFICE, "Alumni_Import"],
};

/** These people as the caller reads them without a preview. */
async function readableBy(who: TestSession, { ids }: World): Promise<string> {
  const paths = [
    "/api/alumni?size=100",
    "/api/admin/due?size=50",
    ...NAMES.map((name) => `/api/admin/due/deposit/people?name=${encodeURIComponent(name)}`),
    ...ids.map((id) => `/api/alumni/${id}/dues`),
  ];
  const answers = await Promise.all(paths.map((path) => callAs(who, "GET", path)));
  return answers.map(({ data }) => JSON.stringify(data ?? "").replaceAll("73150", () => SECRETS.dues)).join("\n");
}

/** An import's answer without the rows and values that the caller sent. */
function withoutSent(data: ApiAnswer["data"]): unknown {
  if (!data?.preview) return data;
  const { preview, ended, emptied, confirmed, people } = data;
  const updates = preview.filter(({ kind }: { kind: string }) => kind === "update");
  const shown = {
    updates,
    ended,
    emptied,
    confirmed,
    candidates: people?.questions.map(({ candidates }: never) => candidates),
  };
  return JSON.parse(JSON.stringify(shown, (key, value: unknown) => (key === "after" ? undefined : value)));
}

const PREVIEWED = Object.entries(PREVIEWS).flatMap(([call, ways]) =>
  Object.entries(ways).map(([way, preview]) => ({ name: `${call} ${way}`, preview })),
);

test.each(sample(PREVIEWED, ({ name }) => name))(
  `$name quotes only values that its caller may read (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async ({ preview }) => {
    const world = await makeWorld();
    let answered = 0;
    for (const [caller, rights] of Object.entries(CALLERS)) {
      const who = await createSessionWith(rights);
      await runSql("DELETE FROM rate_limit");
      const readable = await readableBy(who, world);
      const last = (await readValue<number>("SELECT coalesce(max(id), 0) FROM audit_log")) ?? 0;
      const answer = await preview(who, world);
      if (answer.code !== "SUCCESS") continue;
      answered += 1;
      const quoted = JSON.stringify(withoutSent(answer.data)).replaceAll("73150", () => SECRETS.dues);
      expect
        .soft([caller, WORDS.filter((word) => quoted.includes(word) && !readable.includes(word))])
        .toEqual([caller, []]);
      const named = NAMES.flatMap((name, at) => (quoted.includes(name) ? world.ids[at] : []));
      const looks = await readRows<{ action: string; ids: string }>(
        `SELECT l.action, s.ids FROM audit_log l JOIN audit_subject s ON s.audit_id = l.id
       WHERE l.id > ? AND l.actor_user_id = ? AND l.action IN (SELECT value FROM json_each(?))`,
        last,
        who.user.id,
        JSON.stringify(AUDIT_READ_ACTIONS),
      );
      const looked = looks.flatMap(({ ids }) => JSON.parse(ids) as string[]);
      expect.soft([caller, named.filter((id) => !looked.includes(id ?? ""))]).toEqual([caller, []]);
    }
    expect(answered).toBeGreaterThan(0);
  },
);
