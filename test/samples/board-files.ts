import { env } from "cloudflare:workers";
import { callJson, fetchApi } from "../support/api-client.ts";
import { createTestItem } from "../support/factories.ts";
import type { TestSession } from "../support/people.ts";
import { readValue } from "../support/test-database.ts";

export const PDF_BYTES = new TextEncoder().encode("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");
export const PNG_BYTES = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (sign) => sign.charCodeAt(0),
);

export interface FileAnnouncement {
  boardCode?: string;
  fileName: string;
  size: number;
}

export const announceUpload = (
  session: TestSession | null,
  { boardCode = "free", fileName, size }: FileAnnouncement,
) => {
  const search = new URLSearchParams({ boardCode, fileName, size: String(size), contentType: "application/pdf" });
  return callJson("GET", `/api/board-item-file/upload-url?${search}`, { token: session?.accessToken });
};

export const putFile = (uploadUrl: string, body: Uint8Array<ArrayBuffer> | ReadableStream) =>
  callJson("PUT", uploadUrl, { body, headers: { "Content-Type": "application/octet-stream" } });

export async function uploadBoardFile(
  session: TestSession,
  fileName = "안내.pdf",
  bytes = PDF_BYTES,
  boardCode = "free",
): Promise<string> {
  const { data } = await announceUpload(session, { boardCode, fileName, size: bytes.byteLength });
  const answer = await putFile(data.uploadUrl, bytes);
  if (answer.code !== "SUCCESS") throw new Error(`not uploaded: ${answer.code} ${answer.message}`);
  return data.fileId;
}

export async function createItemWithFile(
  session: TestSession,
  boardCode = "free",
  fields: Record<string, unknown> = {},
) {
  const fileId = await uploadBoardFile(session, "한글 안내.pdf", PDF_BYTES, boardCode);
  return { fileId, itemNo: await createTestItem(session, boardCode, { fileIds: [fileId], ...fields }) };
}

export const fetchFile = (
  id: string,
  session: TestSession | null,
  headers: Record<string, string> = {},
  method = "GET",
) => fetchApi(method, `/api/file/${id}`, { token: session?.accessToken, headers });

export const countObjects = async () => (await env.FILES.list()).objects.length;
export const readFileStatus = (id: string) => readValue<string>("SELECT status FROM file WHERE id = ?", id);
