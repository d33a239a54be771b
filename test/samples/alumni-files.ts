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

export async function downloadFile(session: TestSession, url: string): Promise<Bytes> {
  const response = await fetchApi("GET", url, { token: session.accessToken });
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

export const importCounts = ({ data }: ApiAnswer) => [data?.inserted, data?.updated, data?.unchanged, data?.rejected];
