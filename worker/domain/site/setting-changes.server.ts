import { idsIn } from "#db/sql.ts";
import { eq, sql } from "drizzle-orm";
import { contentFile } from "#db/schema/content.ts";
import { file } from "#db/schema/file.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import type { SettingDocument } from "#worker/contract/site/transfer-input.ts";
import type { SettingChange, SettingStay } from "#worker/contract/site/view.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { auditDifference } from "../kernel/guarded-batch.server.ts";
import type { TransferSite } from "../kernel/row-transfer.server.ts";
import {
  DOCUMENT_SECTIONS,
  documentTransferOf,
  ROW_SECTIONS,
  rowTransferOf,
  settingDocumentOf,
  type StoredSettings,
} from "./setting-sections.server.ts";

const NAMED_MAX = 10;

/** Files left out, by `section code`. */
type LeftFiles = ReadonlyMap<string, readonly string[]>;

export async function findExistingFiles(ctx: AppContext, document: SettingDocument): Promise<Set<string>> {
  const texts = [document.popups, document.agreements, document.pageTexts].flatMap(
    (rows: { content: string; englishContent: string }[] = []) => rows.map((row) => row.content + row.englishContent),
  );
  const ids = [
    ...texts.flatMap(imageFileIds),
    ...(document.pageTexts ?? []).flatMap(({ files }) => files.map(({ fileId }) => fileId)),
  ];
  if (ids.length === 0) return new Set();
  const rows = await ctx.db
    .select({ id: file.id, code: contentFile.code })
    .from(file)
    .leftJoin(contentFile, eq(contentFile.fileId, file.id))
    .where(sql`${idsIn(file.id, ids)} AND ${file.purpose} = 'content'`);
  return new Set(rows.flatMap(({ id, code }) => (code === null ? [id] : [id, `${code} ${id}`])));
}

export function adaptDocument(document: SettingDocument, site: TransferSite) {
  const left = new Map<string, string[]>();
  const adapted: Record<string, unknown> = { ...document };
  for (const section of ROW_SECTIONS) {
    const { adapt, keyOf } = rowTransferOf(section);
    const rows: readonly object[] | undefined = document[section];
    if (!adapt || !rows) continue;
    adapted[section] = rows.map((row) => {
      const one = adapt(row, site);
      if (one.left.length > 0) left.set(`${section} ${keyOf(row)}`, one.left);
      return one.document;
    });
  }
  return { document: adapted as SettingDocument, left };
}

const leftText = (names: readonly string[]): string => {
  const more = names.length > NAMED_MAX ? ` 외 ${names.length - NAMED_MAX}개` : "";
  return `이 사이트에 없어 옮기지 않습니다: ${names.slice(0, NAMED_MAX).join(", ")}${more}. 불러온 뒤 그 글에 다시 넣어 주십시오.`;
};

/**
 * Lists changes by section and unchanged rows. @param given the original document, since sanitising alone is no change
 */
export function settingChangesOf(
  document: SettingDocument,
  given: SettingDocument,
  stored: StoredSettings,
  site: TransferSite,
  left: LeftFiles,
): { changes: SettingChange[]; stays: SettingStay[] } {
  const changes: SettingChange[] = [];
  const stays: SettingStay[] = [];
  const here = settingDocumentOf(stored);
  const difference = (before: object | undefined, after: object) => {
    const found = auditDifference((before ?? {}) as Record<string, unknown>, after as Record<string, unknown>);
    return Object.keys(found.after).length > 0 ? found : null;
  };
  for (const section of DOCUMENT_SECTIONS) {
    const value = document[section];
    if (value === undefined) continue;
    const { stored: asStored } = documentTransferOf(section);
    const found = difference(asStored(here[section]), asStored(value));
    if (found) changes.push({ section, code: "", name: "", kind: "changed", ...found, follows: [] });
  }
  if (document.logo !== undefined && JSON.stringify(document.logo) !== JSON.stringify(here.logo))
    changes.push({
      section: "logo",
      code: "",
      name: "",
      kind: here.logo ? "changed" : "new",
      before: { logo: here.logo ? "있음" : "없음" },
      after: { logo: document.logo ? "새 그림" : "없음" },
      follows: [],
    });
  for (const section of ROW_SECTIONS) {
    const rows: readonly object[] | undefined = document[section];
    if (!rows) continue;
    const transfer = rowTransferOf(section);
    if (transfer.isWhole) {
      const found = difference({ [section]: here[section] }, { [section]: rows });
      if (found) changes.push({ section, code: "", name: "", kind: "changed", ...found, follows: [] });
      continue;
    }
    const givenRows: readonly object[] = given[section] ?? [];
    const keys = rows.map(transfer.keyOf);
    const standing = new Map<string, object>((here[section] as object[]).map((row) => [transfer.keyOf(row), row]));
    const storedRows = new Map<string, object>(
      (stored[section] as object[]).map((row) => [transfer.rowKeyOf(row), row]),
    );
    for (const [at, row] of rows.entries()) {
      const code = keys[at] ?? "";
      const [name, before] = [transfer.nameOf(row), standing.get(code)];
      const found = difference(before, row);
      if (!found || (before && !difference(before, givenRows[at] ?? row))) {
        stays.push({ section, code, name, inFile: true });
        continue;
      }
      const judged = transfer.judge?.(row, storedRows.get(code), site) ?? { follows: [] };
      if ("kept" in judged) {
        changes.push({ section, code, name, kind: "kept", before: {}, after: {}, follows: [judged.kept] });
        continue;
      }
      const behind = left.get(`${section} ${code}`);
      const follows = [...judged.follows, ...(behind ? [leftText(behind)] : [])];
      changes.push({ section, code, name, kind: before ? "changed" : "new", ...found, follows });
    }
    for (const [code, row] of standing)
      if (!keys.includes(code)) stays.push({ section, code, name: transfer.nameOf(row), inFile: false });
    if (!transfer.ordered) continue;
    const order = [...standing.keys()];
    const common = keys.filter((key) => standing.has(key));
    const after = [...common, ...order.filter((key) => !keys.includes(key))];
    if (common.join() !== order.filter((key) => keys.includes(key)).join())
      changes.push({
        section,
        code: "",
        name: "",
        kind: "changed",
        before: { order },
        after: { order: after },
        follows: [],
      });
  }
  return { changes, stays };
}
