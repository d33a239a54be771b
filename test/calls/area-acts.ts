import { DEFAULT_ALUMNI_SETTINGS } from "#worker/contract/alumni/alumni-settings.ts";
import { RETENTION_RULE_CODES, RETENTION_RULES } from "#worker/contract/audit/retention-rules.ts";
import { JOB_LABELS } from "#worker/contract/operation/operation.ts";
import { callAs } from "../support/api-client.ts";
import { readValue, runSql } from "../support/test-database.ts";
import {
  alumniFile,
  binned,
  binnedItem,
  boardVersion,
  comment,
  correction,
  heldPerson,
  due,
  DUE_ROWS,
  dueKind,
  exportedSection,
  imported,
  importSettings,
  item,
  JOB_WORK,
  made,
  nextNumber,
  openedImport,
  ownField,
  paidByList,
  person,
  type PrepareAct,
  reported,
  retentionWith,
  settingVersion,
  unused,
  view,
} from "./area-targets.ts";
import { board } from "./console-inputs.ts";
import { DEPOSIT_AREA_ACTS } from "./deposit-area-acts.ts";
import { EVENT_ACTS } from "./event-world.ts";
import { PROPOSAL_AREA_ACTS } from "./proposal-world.ts";
import { INQUIRY_ACTS, MAILING_ACTS, MOVING_ACTS, TEMPLATE_ACTS } from "./message-acts.ts";

const boardBody = async () => ({ ...board, boardName: unused("이름"), version: await boardVersion() });

const RETENTION_ACTS = Object.fromEntries(
  RETENTION_RULE_CODES.filter((rule) => DUE_ROWS[rule]).flatMap((rule): [string, PrepareAct][] => [
    [
      `PATCH /api/admin/privacy/retention ${rule}`,
      async (world) => {
        await DUE_ROWS[rule]?.(world);
        const body = { ...(await retentionWith(rule)), version: await settingVersion("privacy", 1) };
        return { path: "/api/admin/privacy/retention", body };
      },
    ],
    [
      `POST /api/admin/privacy/retention/:rule/run ${rule}`,
      async (world) => {
        await DUE_ROWS[rule]?.(world);
        const path = `/api/admin/privacy/retention/${rule}`;
        const { fingerprint } = (await callAs(world.admin, "GET", path)).data;
        return { path: `${path}/run`, body: { fingerprint, reason: "파기" } };
      },
    ],
    [
      `POST /api/admin/job/:name/run retention ${rule}`,
      async (world) => {
        await DUE_ROWS[rule]?.(world);
        const rules = { ...RETENTION_RULES, [rule]: { ...RETENTION_RULES[rule], on: true } };
        await runSql(
          "INSERT INTO site_setting (key, value, version, modified_date) VALUES ('privacy', ?1, 2, 1) ON CONFLICT DO UPDATE SET value = ?1",
          JSON.stringify({ rules, requestDays: 10 }),
        );
        return { path: "/api/admin/job/retention/run", body: {} };
      },
    ],
    [
      `POST /api/admin/setting/import retention ${rule}`,
      importSettings(async (world) => {
        await DUE_ROWS[rule]?.(world);
        return { retention: await retentionWith(rule) };
      }),
    ],
  ]),
);

const JOB_ACTS = Object.fromEntries(
  Object.keys(JOB_LABELS)
    // Two copy whole databases, one calls an unconfigured host.
    .filter((name) => !["backup", "drill", "case-report", "retention"].includes(name))
    .map((name): [string, PrepareAct] => [
      `POST /api/admin/job/:name/run ${name}`,
      async (world) => {
        await JOB_WORK[name as keyof typeof JOB_LABELS]?.(world);
        return { path: `/api/admin/job/${name}/run`, body: {} };
      },
    ]),
);

const BOARD_ACTS: Record<string, PrepareAct> = {
  "PUT /api/board-item/:boardCode": async () => ({
    path: "/api/board-item/free",
    body: { title: unused("제목"), content: "<p>글</p>", fileIds: [] },
  }),
  "PATCH /api/board-item/:boardCode/:itemNo": async (world) => ({
    path: `/api/board-item/free/${await item(world)}`,
    body: { title: "바뀐 제목", content: "<p>글</p>", fileIds: [], version: 1 },
  }),
  "DELETE /api/board-item/:boardCode/:itemNo": async (world) => ({ path: `/api/board-item/free/${await item(world)}` }),
  "POST /api/board-item/:boardCode/:itemNo/restore": async (world) => ({
    path: `/api/board-item/free/${await binnedItem(world)}/restore`,
    body: {},
  }),
  "POST /api/board-item/:boardCode/:itemNo/revision/:revision/restore": async (world) => {
    const path = `/api/board-item/free/${await item(world)}`;
    const body = { title: "둘째", content: "<p>둘</p>", fileIds: [], version: 1 };
    await callAs(world.member, "PATCH", path, body);
    return { path: `${path}/revision/1/restore`, body: { version: 2 } };
  },
  "DELETE /api/board-item/bin/:boardCode": async (world) => {
    await binnedItem(world);
    return { path: "/api/board-item/bin/free" };
  },
  ...Object.fromEntries(
    (["delete", "restore", "destroy", "move"] as const).map((action): [string, PrepareAct] => [
      `POST /api/board-item/:boardCode/bulk ${action}`,
      async (world) => {
        const itemNo = await (action === "delete" || action === "move" ? item(world) : binnedItem(world));
        const to = action === "move" ? { toBoardCode: "notice" } : {};
        return { path: "/api/board-item/free/bulk", body: { action, itemNos: [itemNo], ...to } };
      },
    ]),
  ),
  "PUT /api/board-item-draft/:boardCode": async () => ({
    path: "/api/board-item-draft/free",
    body: { title: unused("초안"), content: "<p>글</p>" },
  }),
  "PUT /api/board-item-comment/:boardCode/:itemNo": async (world) => ({
    path: `/api/board-item-comment/free/${await item(world)}`,
    body: { content: "댓글" },
  }),
  "PATCH /api/board-item-comment/:boardCode/:itemNo/:commentId": async (world) => ({
    path: await comment(world),
    body: { content: "바꾼 댓글", version: 1 },
  }),
  "DELETE /api/board-item-comment/:boardCode/:itemNo/:commentId": async (world) => ({ path: await comment(world) }),
  "PUT /api/board-item-report/:boardCode/:itemNo": async (world) => ({
    path: `/api/board-item-report/free/${await item(world)}`,
    body: { reason: "advertisement" },
  }),
  "POST /api/board-item-report/:boardCode/:itemNo": async (world) => ({
    path: `/api/board-item-report/${await reported(world)}`,
    body: { decision: "hide" },
  }),
  "POST /api/admin/report/:boardCode/:itemNo": async (world) => ({
    path: `/api/admin/report/${await reported(world)}`,
    body: { decision: "hide" },
  }),
  "PATCH /api/admin/board/:boardCode": async () => ({ path: "/api/admin/board/free", body: await boardBody() }),
  "PATCH /api/admin/board/:boardCode rights": async () => ({
    path: "/api/admin/board/free",
    body: { ...(await boardBody()), grant: { guest: ["List", "View"] } },
  }),
  "POST /api/admin/board/:boardCode/copy": async () => ({
    path: "/api/admin/board/free/copy",
    body: { boardCode: unused("copy"), boardName: "복사본" },
  }),
  "POST /api/admin/board/:boardCode/state": async () => ({
    path: "/api/admin/board/free/state",
    body: {
      isClosed: !(await readValue<number>("SELECT is_closed FROM board WHERE board_code = 'free'")),
      version: await boardVersion(),
    },
  }),
  "DELETE /api/admin/board/:boardCode": async (world) => {
    const boardCode = unused("gone");
    await callAs(world.admin, "PUT", "/api/admin/board", { boardCode, boardName: "빈 게시판" });
    return { path: `/api/admin/board/${boardCode}?version=1` };
  },
  "PUT /api/admin/board its own rights": async () => ({
    path: "/api/admin/board",
    body: { boardCode: unused("own"), boardName: "새 게시판", grant: { guest: ["List", "View"] } },
  }),
  "POST /api/admin/setting/import boards": importSettings(async (world) => {
    const boards = (await exportedSection(world, "boards")) as { boardCode: string }[];
    return {
      boards: boards
        .filter(({ boardCode }) => boardCode === "free")
        .map((row) => ({ ...row, boardName: unused("이름") })),
    };
  }),
  "POST /api/admin/setting/import an open board": importSettings(async (world) => {
    const [row] = await exportedSection(world, "boards");
    return { boards: [{ ...row, boardCode: unused("open"), isClosed: false }] };
  }),
};

const ALUMNI_ACTS: Record<string, PrepareAct> = {
  "PUT /api/alumni": async () => ({ path: "/api/alumni", body: { name: unused("김바다") } }),
  "PATCH /api/alumni/:id": async (world) => ({
    path: `/api/alumni/${await person(world)}`,
    body: { affiliation: "가람의원", version: 1 },
  }),
  "DELETE /api/alumni/:id": async (world) => ({ path: `/api/alumni/${await person(world)}?version=1` }),
  "POST /api/alumni/delete-data": async (world) => ({
    path: "/api/alumni/delete-data",
    body: { ids: [await person(world)] },
  }),
  "POST /api/alumni/bulk": async (world) => ({
    path: "/api/alumni/bulk",
    body: { segment: { ids: [await person(world)] }, set: { state: "작고" }, count: 1 },
  }),
  "POST /api/alumni/:id/restore": async (world) => ({ path: `/api/alumni/${await binned(world)}/restore`, body: {} }),
  "POST /api/alumni/restore-data": async (world) => ({
    path: "/api/alumni/restore-data",
    body: { ids: [await binned(world)] },
  }),
  "POST /api/alumni/destroy-data": async (world) => ({
    path: "/api/alumni/destroy-data",
    body: { ids: [await binned(world)] },
  }),
  "PUT /api/alumni/view": async () => ({
    path: "/api/alumni/view",
    body: {
      name: unused("보기"),
      isShared: true,
      content: { filter: {}, sort: "", columns: ["name"], isDense: true, size: 50 },
    },
  }),
  "PATCH /api/alumni/view/:id": async (world) => ({
    path: `/api/alumni/view/${await view(world)}`,
    body: {
      name: unused("다른 보기"),
      isShared: true,
      content: { filter: {}, sort: "", columns: ["name"], isDense: true, size: 50 },
      version: 1,
    },
  }),
  "DELETE /api/alumni/view/:id": async (world) => ({
    path: `/api/alumni/view/${await view(world)}?version=1`,
  }),
  "POST /api/alumni/view/:id/restore": async (world) => {
    const id = await view(world);
    await callAs(world.admin, "DELETE", `/api/alumni/view/${id}?version=1`);
    return { path: `/api/alumni/view/${id}/restore`, body: {} };
  },
  "POST /api/alumni/distinct": async (world) => ({
    path: "/api/alumni/distinct",
    body: { ids: [await person(world), await person(world)], distinct: true },
  }),
  "POST /api/alumni/merge": async (world) => {
    const ids = [await person(world), await person(world)];
    return {
      path: "/api/alumni/merge",
      body: { keepId: ids[0], people: ids.map((id) => ({ id, version: 1 })), source: {} },
    };
  },
  "POST /api/alumni/merge/:mergeId/undo": async (world) => {
    const ids = [await person(world), await person(world)];
    const body = { keepId: ids[0], people: ids.map((id) => ({ id, version: 1 })), source: {} };
    const id = await made(world.admin, "POST", "/api/alumni/merge", body, "mergeId");
    return { path: `/api/alumni/merge/${id}/undo`, body: {} };
  },
  "POST /api/alumni/import-data": async (world) => ({
    path: "/api/alumni/import-data",
    body: { fileId: await alumniFile(world), mode: "insert", dryRun: false },
  }),
  "POST /api/alumni/import/open": async () => ({
    path: "/api/alumni/import/open",
    body: { fileName: "동문.xlsx", headRow: 1, heads: ["이름"], mapping: { 이름: "name" }, parts: 1 },
  }),
  "POST /api/alumni/import/:importId/plan": async (world) => ({
    path: `/api/alumni/import/${await openedImport(world)}/plan`,
    body: { mode: "insert" },
  }),
  "DELETE /api/alumni/import/:importId": async (world) => ({ path: `/api/alumni/import/${await openedImport(world)}` }),
  "POST /api/alumni/import/:importId/undo": async (world) => ({
    path: `/api/alumni/import/${await imported(world)}/undo`,
    body: {},
  }),
  "PUT /api/certificate/issued": async (world) => ({
    path: "/api/certificate/issued",
    body: { alumniId: await person(world), reason: "본인의 전화" },
  }),
  "POST /api/certificate/preview": async (world) => ({
    path: "/api/certificate/preview",
    body: { segment: { ids: [await person(world)] } },
  }),
  "POST /api/certificate/:id/withdraw": async (world) => {
    const body = { alumniId: await person(world), reason: "본인의 전화" };
    const id = await made(world.admin, "PUT", "/api/certificate/issued", body, "id");
    return { path: `/api/certificate/${id}/withdraw`, body: { reason: "잘못 발급" } };
  },
  "PUT /api/cohort/person/:id/correction": async (world) => ({
    path: `/api/cohort/person/${await person(world)}/correction`,
    body: { affiliation: "새봄연구소", note: "본인과 통화" },
  }),
  "POST /api/admin/correction/:id/accept": async (world) => ({
    path: `/api/admin/correction/${await correction(world)}/accept`,
    body: { version: 1 },
  }),
  "POST /api/admin/correction/held/:id": async (world) => ({
    path: `/api/admin/correction/held/${await heldPerson(world)}`,
    body: { decision: "keep", version: 1 },
  }),
  "POST /api/admin/correction/:id/refuse": async (world) => ({
    path: `/api/admin/correction/${await correction(world)}/refuse`,
    body: { reason: "확인되지 않음" },
  }),
  "PATCH /api/admin/setting/alumni": async () => ({
    path: "/api/admin/setting/alumni",
    body: { ...DEFAULT_ALUMNI_SETTINGS, undoDays: 1 + (nextNumber() % 30), version: await settingVersion("alumni") },
  }),
  "PUT /api/admin/setting/alumni/field": async () => {
    await ownField();
    return { path: "/api/admin/setting/alumni/field", body: { name: "생년월일", kind: "date", access: "members" } };
  },
  "PATCH /api/admin/setting/alumni/field/:id": async () => ({
    path: await ownField(),
    body: { name: "회비", access: "members", version: 1 },
  }),
  "DELETE /api/admin/setting/alumni/field/:id": async () => ({ path: `${await ownField()}?version=1` }),
  "POST /api/admin/setting/alumni/field/order": async () => {
    await ownField();
    await runSql(
      "INSERT INTO alumni_field (code, name, kind, choices, access, sort_order) VALUES ('own2', '둘', 'text', '[]', 'office', 2)",
    );
    return { path: "/api/admin/setting/alumni/field/order", body: { codes: ["own2", "own1"] } };
  },
  "POST /api/admin/setting/import alumni": importSettings(async (world) => ({
    alumni: { ...(await exportedSection(world, "alumni")), undoDays: 1 + (nextNumber() % 30) },
  })),
  "POST /api/admin/setting/import alumniFields": importSettings(async (world) => {
    await ownField();
    const [row] = await exportedSection(world, "alumniFields");
    return { alumniFields: [{ ...row, access: "members" }] };
  }),
};

const DUE_ACTS: Record<string, PrepareAct> = {
  "PUT /api/admin/due-kind": async (world) => {
    await dueKind(world);
    return { path: "/api/admin/due-kind", body: { name: unused("회비"), amount: 20_000 } };
  },
  "PATCH /api/admin/due-kind/:id": async (world) => ({
    path: `/api/admin/due-kind/${await dueKind(world)}`,
    body: { name: unused("회비"), amount: 20_000, version: 1 },
  }),
  "DELETE /api/admin/due-kind/:id": async (world) => ({
    path: `/api/admin/due-kind/${await dueKind(world)}?version=1`,
  }),
  "POST /api/admin/setting/import dueKinds": importSettings(async (world) => {
    await dueKind(world);
    const [row] = await exportedSection(world, "dueKinds");
    return { dueKinds: [{ ...row, amount: 10_000 }] };
  }),
  "POST /api/admin/due/charge": async (world) => ({
    path: "/api/admin/due/charge",
    body: { segment: { ids: [await person(world)] }, kindId: await dueKind(world), period: "2026", count: 1 },
  }),
  "POST /api/admin/due/charge past dues": async (world) => {
    await ownField();
    await person(world, { own: { own1: "납부" } });
    const count = await readValue<number>(
      "SELECT count(*) FROM alumni WHERE own ->> '$.own1' = '납부' AND deleted_date IS NULL",
    );
    return {
      path: "/api/admin/due/charge",
      body: { fieldCode: "own1", kindId: await dueKind(world), period: "2025", count },
    };
  },
  "PUT /api/admin/due/paid-by": paidByList,
  "PATCH /api/admin/due/:id": async (world) => ({
    path: `/api/admin/due/${(await due(world)).id}`,
    body: { amount: 20_000, isExempt: false, version: 1 },
  }),
  "DELETE /api/admin/due/:id": async (world) => ({ path: `/api/admin/due/${(await due(world)).id}?version=1` }),
  "POST /api/admin/due/work/:id/undo": async (world) => ({
    path: `/api/admin/due/work/${(await due(world)).workId}/undo`,
    body: {},
  }),
};

/** Keyed by the call; a suffix after a space names the target. */
export const AREA_ACTS: Record<string, PrepareAct> = {
  ...BOARD_ACTS,
  ...ALUMNI_ACTS,
  ...DUE_ACTS,
  ...DEPOSIT_AREA_ACTS,
  ...MAILING_ACTS,
  ...EVENT_ACTS,
  ...PROPOSAL_AREA_ACTS,
  ...INQUIRY_ACTS,
  ...TEMPLATE_ACTS,
  ...RETENTION_ACTS,
  ...JOB_ACTS,
  ...MOVING_ACTS,
};

export const IDLE_ACTS: ReadonlySet<string> = new Set([
  ...Object.keys(JOB_ACTS).filter((name) => !Object.keys(JOB_WORK).some((job) => name.endsWith(` ${job}`))),
  "POST /api/certificate/preview",
]);
