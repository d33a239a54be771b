import { oldDocument, rdxArchive } from "../samples/moving-archive.ts";
import { callAs } from "../support/api-client.ts";
import { commitMove, finishSteps, sendArchives } from "../support/move.ts";
import { readValue } from "../support/test-database.ts";
import {
  asking,
  importSettings,
  inquiry,
  mailing,
  nextNumber,
  openRound,
  person,
  type PrepareAct,
  round,
  roundVersion,
  sentMailing,
  unused,
} from "./area-targets.ts";

export const MAILING_ACTS: Record<string, PrepareAct> = {
  "PUT /api/admin/mailing": async (world) => ({
    path: "/api/admin/mailing",
    body: { source: "alumni", target: { ids: [await person(world)] } },
  }),
  "PATCH /api/admin/mailing/:id": async (world) => ({
    path: `/api/admin/mailing/${await mailing(world)}`,
    body: { kind: "informational", subject: "다른 제목", text: "글", version: 2 },
  }),
  "DELETE /api/admin/mailing/:id": async (world) => ({ path: `/api/admin/mailing/${await mailing(world)}?version=2` }),
  "POST /api/admin/mailing/:id/send": async (world) => {
    const path = `/api/admin/mailing/${await mailing(world)}`;
    const { count } = (await callAs(world.admin, "POST", `${path}/preview`, {})).data;
    return { path: `${path}/send`, body: { version: 2, count, reason: "총회" } };
  },
  "POST /api/admin/mailing/:id/cancel": async (world) => {
    const id = await sentMailing(world);
    const version = await readValue<number>("SELECT version FROM mailing WHERE id = ?", id);
    return { path: `/api/admin/mailing/${id}/cancel`, body: { version } };
  },
  "PUT /api/admin/mailing/:id/question/reminder": async (world) => {
    const { path, version } = await asking(world);
    return { path: `${path}/reminder`, body: { version } };
  },
  "POST /api/admin/mailing/:id/question/close": async (world) => {
    const { path, version } = await asking(world);
    return { path: `${path}/close`, body: { version } };
  },
  "PUT /api/admin/round": async (world) => ({
    path: "/api/admin/round",
    body: { target: { ids: [await person(world)] } },
  }),
  "DELETE /api/admin/round/:id": async (world) => ({ path: `/api/admin/round/${await round(world)}?version=1` }),
  "POST /api/admin/round/:id/start": async (world) => {
    const path = `/api/admin/round/${await round(world)}`;
    const { count } = (await callAs(world.admin, "POST", `${path}/preview`, {})).data;
    return { path: `${path}/start`, body: { version: 1, count, reminderDays: 14, reason: "확인" } };
  },
  "POST /api/admin/round/:id/repeat": async (world) => {
    const id = await openRound(world);
    return { path: `/api/admin/round/${id}/repeat`, body: { version: await roundVersion(id), repeats: true } };
  },
  "POST /api/admin/round/:id/close": async (world) => {
    const id = await openRound(world);
    return { path: `/api/admin/round/${id}/close`, body: { version: await roundVersion(id) } };
  },
};

export const INQUIRY_ACTS: Record<string, PrepareAct> = {
  "POST /api/admin/inquiry/:id/answer": async (world) => ({
    path: `/api/admin/inquiry/${await inquiry(world)}/answer`,
    body: { content: "확인하였습니다.", version: 1 },
  }),
  "POST /api/admin/inquiry/:id/close": async (world) => ({
    path: `/api/admin/inquiry/${await inquiry(world)}/close`,
    body: { version: 1 },
  }),
};

const templateVersion = async () =>
  (await readValue<number>("SELECT version FROM mail_template WHERE kind = 'code'")) ?? 0;
const templateText = () => ({ subject: unused("번호"), text: "{{인증번호}}입니다." });
const TEMPLATE = "/api/admin/mail-template/code";

export const TEMPLATE_ACTS: Record<string, PrepareAct> = {
  "PATCH /api/admin/mail-template/:kind": async () => ({
    path: TEMPLATE,
    body: { ...templateText(), reason: "시험", version: await templateVersion() },
  }),
  "DELETE /api/admin/mail-template/:kind": async ({ admin }) => {
    await callAs(admin, "PATCH", TEMPLATE, { ...templateText(), reason: "시험", version: await templateVersion() });
    return { path: `${TEMPLATE}?version=${await templateVersion()}&reason=x` };
  },
  "POST /api/admin/setting/import mailTemplates": importSettings(() => ({
    mailTemplates: [{ kind: "code", ...templateText() }],
  })),
};

/** Finishes the job that the previous act started. */
export const MOVING_ACTS: Record<string, PrepareAct> = {
  "POST /api/admin/moving/:id/undo": async ({ admin: { accessToken: token } }) => {
    const begun = await readValue<string>("SELECT id FROM moving WHERE status = 'undoing'");
    if (begun) await finishSteps(token, begun);
    const documents = [oldDocument(nextNumber())];
    const bytes = rdxArchive({ boards: { talk: { title: "자유게시판", documents } } });
    const id = await sendArchives(token, [{ kind: "rdx", bytes }]);
    const boards = { talk: { to: "board", boardCode: "free" } };
    const { version } = await commitMove(token, id, { boards });
    return { path: `/api/admin/moving/${id}/undo`, body: { reason: "잘못 옮김", version } };
  },
};
