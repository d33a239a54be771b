import { env } from "cloudflare:workers";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import type { MovingView } from "#worker/domain/moving/moving-view.server.ts";
import type { SiteExportPart } from "#worker/domain/moving/site-export.server.ts";
import { callJson, fetchApi } from "./api-client.ts";

export const MOVING = "/api/admin/moving";
export const EXPORT_REASON = "다른 곳으로 이사";

export async function sendArchives(
  token: string,
  archives: { kind: "rdx" | "files"; bytes: Uint8Array<ArrayBuffer>; fileName?: string }[],
  input: { site?: string; oldOrigin?: string } = {},
): Promise<string> {
  const opened = await callJson("PUT", MOVING, { token, body: { site: "옛 누리집", ...input } });
  if (opened.code !== "SUCCESS") throw new Error(`not opened: ${opened.message}`);
  const { id } = opened.data as { id: string };
  for (const [index, { kind, bytes, fileName = `old-${index}.zip` }] of archives.entries()) {
    const body = { kind, fileName, size: bytes.byteLength };
    const { data: archive } = await callJson("PUT", `${MOVING}/${id}/archive`, { token, body });
    for (let at = 0; at < bytes.byteLength; at += MOVING_LIMITS.partBytes) {
      const part = bytes.slice(at, at + MOVING_LIMITS.partBytes);
      const answer = await fetchApi(
        "PUT",
        `${MOVING}/${id}/archive/${archive.id}/part/${at / MOVING_LIMITS.partBytes + 1}`,
        {
          token,
          body: part,
          headers: { "Content-Length": String(part.byteLength), "Content-Type": "application/octet-stream" },
        },
      );
      if (answer.status !== 200) throw new Error(`part not taken: ${await answer.text()}`);
    }
    const done = await callJson("POST", `${MOVING}/${id}/archive/${archive.id}/complete`, { token, body: {} });
    if (done.code !== "SUCCESS") throw new Error(`not completed: ${done.message}`);
  }
  return id;
}

export const readMove = async (token: string, id: string): Promise<MovingView> =>
  (await callJson("GET", `${MOVING}/${id}`, { token })).data.open;

/** Runs steps until the move waits for input or the limit is reached. */
export async function finishSteps(token: string, id: string, most = 200): Promise<MovingView> {
  for (let step = 0; step < most; step++) {
    const { data } = await callJson("POST", `${MOVING}/${id}/step`, { token, body: {} });
    if (!["checking", "committing", "undoing"].includes(data.status)) break;
  }
  return readMove(token, id);
}

export async function checkMove(token: string, id: string): Promise<MovingView> {
  const answer = await callJson("POST", `${MOVING}/${id}/check`, { token, body: {} });
  if (answer.code !== "SUCCESS") throw new Error(`not checked: ${answer.message}`);
  return finishSteps(token, id);
}

export const issueCounts = (view: MovingView): Record<string, number> =>
  Object.fromEntries(view.issues.map(({ code, count }) => [code, count]));

export const onceEach = (codes: string): Record<string, number> =>
  Object.fromEntries(codes.split(/\s+/).map((code) => [code, 1]));

export const newBoards = (view: MovingView, access = "public") =>
  Object.fromEntries(
    view.boards.map(({ key, title }) => [
      key,
      {
        to: "new",
        boardCode: `old-${key.toLowerCase().replaceAll("_", "-")}`,
        boardName: title,
        boardType: "list",
        access,
      },
    ]),
  );

export async function startMove(token: string, view: MovingView, mapping: Record<string, unknown> = {}) {
  const body = { boards: newBoards(view), groups: {}, fields: {}, version: view.version, ...mapping };
  return callJson("POST", `${MOVING}/${view.id}/start`, { token, body });
}

export async function commitMove(
  token: string,
  id: string,
  mapping: Record<string, unknown> = {},
): Promise<MovingView> {
  const answer = await startMove(token, await checkMove(token, id), mapping);
  if (answer.code !== "SUCCESS") throw new Error(`not started: ${answer.message} ${JSON.stringify(answer.fields)}`);
  return finishSteps(token, id);
}

export async function undoMove(token: string, id: string): Promise<MovingView> {
  const { version } = await readMove(token, id);
  const answer = await callJson("POST", `${MOVING}/${id}/undo`, { token, body: { reason: "잘못 옮김", version } });
  if (answer.code !== "SUCCESS") throw new Error(`not undone: ${answer.message}`);
  return finishSteps(token, id);
}

export async function exportSite(token: string, options: { withPasswords?: boolean } = {}) {
  const { data } = await callJson("POST", `${MOVING}/export/parts`, { token, body: {} });
  const archives: { part: SiteExportPart; bytes: Uint8Array<ArrayBuffer> }[] = [];
  for (const [index, part] of (data as SiteExportPart[]).entries()) {
    const { kind, first, last } = part;
    const withPasswords = options.withPasswords === true && kind === "members";
    const body = { kind, first, last, partNo: index + 1, reason: EXPORT_REASON, withPasswords };
    const answer = await fetchApi("POST", `${MOVING}/export`, {
      token,
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    });
    if (answer.status !== 200) throw new Error(`not exported: ${await answer.text()}`);
    archives.push({ part, bytes: new Uint8Array(await answer.arrayBuffer()) });
  }
  return archives;
}

/** Tables that a move and its undo may change permanently: records, log, counters and sessions. */
const NOT_COMPARED =
  /^(moving|moved_thing|audit_log|audit_subject|audit_person|rate_limit|page_stamp|session|refresh_token|job|sqlite_|_cf|d1_|board_search_|board_item_search|alumni_gram|alumni_term)/;

/** Role versions are left out, because permissions were added and removed. */
export async function siteDigest(): Promise<Record<string, string>> {
  const { results } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all<{
    name: string;
  }>();
  const digest: Record<string, string> = {};
  for (const { name } of results.filter((table) => !NOT_COMPARED.test(table.name))) {
    const rows = (await env.DB.prepare(`SELECT * FROM "${name}"`).all()).results;
    if (name === "role") for (const row of rows) delete row.version;
    if (name === "role")
      for (const row of rows) row.permissions = (JSON.parse(String(row.permissions)) as string[]).toSorted();
    digest[name] = JSON.stringify(rows.map((row) => JSON.stringify(row)).toSorted());
  }
  return digest;
}

export const runDeferred = async (work: (ctx: ExecutionContext) => Promise<void>) => {
  const ctx = createExecutionContext();
  await work(ctx);
  await waitOnExecutionContext(ctx);
};
