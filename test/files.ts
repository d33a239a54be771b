import { env } from "cloudflare:workers";
import { call, fetchApi } from "./client.ts";
import { createItem, type Session } from "./factories.ts";

export const PDF = new TextEncoder().encode("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");
export const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (sign) => sign.charCodeAt(0),
);

export interface Announced {
  boardCode?: string;
  fileName: string;
  size: number;
}

export const announce = (session: Session | null, { boardCode = "free", fileName, size }: Announced) => {
  const search = new URLSearchParams({ boardCode, fileName, size: String(size), contentType: "application/pdf" });
  return call("GET", `/api/board-item-file/upload-url?${search}`, { token: session?.accessToken });
};

export const put = (uploadUrl: string, body: Uint8Array<ArrayBuffer> | ReadableStream) =>
  call("PUT", uploadUrl, { body, headers: { "Content-Type": "application/octet-stream" } });

/** A file that is announced and sent. @returns its id */
export async function upload(
  session: Session,
  fileName = "안내.pdf",
  bytes = PDF,
  boardCode = "free",
): Promise<string> {
  const { data } = await announce(session, { boardCode, fileName, size: bytes.byteLength });
  const answer = await put(data.uploadUrl, bytes);
  if (answer.code !== "SUCCESS") throw new Error(`not uploaded: ${answer.code} ${answer.message}`);
  return data.fileId;
}

/** An item with one file. */
export async function createItemWithFile(session: Session, boardCode = "free", fields: Record<string, unknown> = {}) {
  const fileId = await upload(session, "한글 안내.pdf", PDF, boardCode);
  return { fileId, itemNo: await createItem(session, boardCode, { fileIds: [fileId], ...fields }) };
}

export const getFile = (id: string, session: Session | null, headers: Record<string, string> = {}, method = "GET") =>
  fetchApi(method, `/api/file/${id}`, { token: session?.accessToken, headers });

export const objectCount = async () => (await env.FILES.list()).objects.length;
export const fileStatus = (id: string) =>
  env.DB.prepare("SELECT status FROM file WHERE id = ?").bind(id).first<string>("status");
