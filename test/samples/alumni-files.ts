import { expect } from "vitest";
import { type ApiAnswer, callJson, fetchApi } from "../support/api-client.ts";
import type { TestSession } from "../support/people.ts";

type Bytes = Uint8Array<ArrayBuffer>;
const bytesOf = (content: string | Bytes) =>
  typeof content === "string" ? new TextEncoder().encode(content) : content;

export async function uploadAlumniFile(session: TestSession, fileName: string, content: string | Bytes) {
  const body = bytesOf(content);
  const ticket = await callJson("POST", "/api/alumni/upload-url", {
    token: session.accessToken,
    body: { fileName, size: body.byteLength },
  });
  if (ticket.code !== "SUCCESS") return { fileId: "", answer: ticket };
  const headers = { "Content-Type": "application/octet-stream" };
  const answer = await callJson("PUT", ticket.data.uploadUrl, { token: session.accessToken, body, headers });
  return { fileId: ticket.data.fileId as string, answer };
}

export async function importAlumniFile(
  session: TestSession,
  fileName: string,
  content: string | Bytes,
  options: Record<string, unknown> = {},
): Promise<ApiAnswer> {
  const { fileId, answer } = await uploadAlumniFile(session, fileName, content);
  if (answer.code !== "SUCCESS") return answer;
  return importUploadedFile(session, fileId, options);
}

export const importUploadedFile = (session: TestSession, fileId: string, options: Record<string, unknown> = {}) =>
  callJson("POST", "/api/alumni/import-data", {
    token: session.accessToken,
    body: { fileId, mode: "upsert", dryRun: false, ...options },
  });

interface ExportBody extends Record<string, unknown> {
  filter?: { ids?: string[]; except?: string[]; sort?: string } & Record<string, unknown>;
}

/** Exports what the list shows, with its count. */
export async function exportListed(session: TestSession, { filter = {}, ...body }: ExportBody): Promise<ApiAnswer> {
  const { ids, except = [], sort: _sort, ...conditions } = filter;
  const query = new URLSearchParams({ ...(conditions as Record<string, string>), size: "1" });
  const token = session.accessToken;
  const shown = ids ? undefined : (await callJson("GET", `/api/alumni?${query}`, { token })).data?.totalElements;
  const count = shown === undefined ? {} : { count: shown - except.length };
  return callJson("POST", "/api/alumni/export-data", { token, body: { ...body, ...count, filter } });
}

export async function downloadFile(session: TestSession, url: string): Promise<Bytes> {
  const response = await fetchApi("GET", url, { token: session.accessToken });
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

export const importCounts = ({ data }: ApiAnswer) => [data?.inserted, data?.updated, data?.unchanged, data?.rejected];
