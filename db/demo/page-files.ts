import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../client.ts";
import { contentFile } from "../schema/content.ts";
import { file } from "../schema/file.ts";
import { sha256Hex } from "./digest.ts";
import { proposalForm } from "./proposal-form.ts";
import { demoCenters } from "./texts.ts";

interface PageFile {
  id: string;
  code: string;
  fileName: string;
  contentType: string;
  bytes: Uint8Array;
}

/** Fixed, because the pages name them. */
export const PROPOSAL_FORM_ID = "00000000-0000-4000-8000-0000000f0001";
const centerPictureId = (at: number) => `00000000-0000-4000-8000-0000000c${String(at + 1).padStart(4, "0")}`;
export const centerPicture = (
  { centerName, englishName }: { centerName: string; englishName: string },
  at: number,
) => ({
  imageFileId: centerPictureId(at),
  imageAlt: `${centerName}의 건물과 앞뜰을 그린 그림`,
  englishImageAlt: `Drawing of the building of the ${englishName} and its forecourt`,
});
const PICTURE_SIZE = { pixelWidth: 1280, pixelHeight: 720 };
const ASSETS = join(import.meta.dirname ?? "", "assets");

async function pageFiles(): Promise<PageFile[]> {
  const pictures = demoCenters.map(async ({ regionCode, centerName }, at) => ({
    id: centerPictureId(at),
    code: `center.${regionCode}`,
    fileName: `${centerName}.webp`,
    contentType: "image/webp",
    bytes: await readFile(join(ASSETS, `center-${regionCode}.webp`)),
  }));
  const form = {
    id: PROPOSAL_FORM_ID,
    code: "proposal",
    fileName: "연구제안서 양식.docx",
    contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    bytes: proposalForm(),
  };
  return [...(await Promise.all(pictures)), form];
}

export async function pageFileRows(
  db: Db,
  files: R2Bucket,
  ownerUserId: string,
  createdDate: Date,
): Promise<BatchItem<"sqlite">[]> {
  const rows: BatchItem<"sqlite">[] = [];
  for (const { id, code, fileName, contentType, bytes } of await pageFiles()) {
    const storageKey = `f/demo/${id}`;
    await files.put(storageKey, bytes, { httpMetadata: { contentType } });
    rows.push(
      db.insert(file).values({
        id,
        purpose: "content",
        ownerUserId,
        fileName,
        size: bytes.byteLength,
        contentType,
        hash: sha256Hex(bytes),
        status: "attached",
        storageKey,
        createdDate,
        ...(contentType.startsWith("image/") ? PICTURE_SIZE : {}),
      }),
      db.insert(contentFile).values({ code, fileId: id }),
    );
  }
  return rows;
}
