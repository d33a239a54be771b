import { sql } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import { inOrder } from "#db/sql.ts";
import type { SettingDocument } from "#worker/contract/site/transfer-input.ts";
import type { SettingChange } from "#worker/contract/site/view.ts";
import type { AppContext, BatchStatement } from "#worker/domain/kernel/context.ts";
import { grantNewBoard } from "../board/board-transfer.server.ts";
import type { TransferSite } from "../kernel/row-transfer.server.ts";
import { storeLogoStatements } from "./identity.server.ts";
import {
  DOCUMENT_SECTIONS,
  documentTransferOf,
  ROW_SECTIONS,
  type RowSection,
  rowTransferOf,
  type StoredSettings,
} from "./setting-sections.server.ts";

/** @param changes applied ones: a row, or the order of a section with an empty code */
export function importStatements(
  ctx: AppContext,
  document: SettingDocument,
  stored: StoredSettings,
  site: TransferSite,
  changes: readonly SettingChange[],
): BatchStatement[] {
  const touched = (section: SettingChange["section"], code = "") =>
    changes.some((change) => change.section === section && change.code === code);
  const documents = DOCUMENT_SECTIONS.flatMap((section) => {
    const value = document[section];
    if (value === undefined || !touched(section)) return [];
    const { key, stored: asStored, firstVersion = 1 } = documentTransferOf(section);
    return [storeStatement(ctx, key, asStored(value), firstVersion)];
  });
  const logo = document.logo !== undefined && touched("logo") ? storeLogoStatements(ctx, document.logo) : [];
  return [...documents, ...logo, ...ROW_SECTIONS.flatMap(rowStatements), ...newBoardGrants()];

  function rowStatements(section: RowSection): BatchStatement[] {
    const transfer = rowTransferOf(section);
    const rows: readonly object[] = document[section] ?? [];
    const written =
      transfer.isWhole && touched(section) ? rows : rows.filter((row) => touched(section, transfer.keyOf(row)));
    if (written.length === 0 && !touched(section)) return [];
    const here = new Map<string, object>((stored[section] as object[]).map((row) => [transfer.rowKeyOf(row), row]));
    const { ordered } = transfer;
    return [
      ...(transfer.also?.(ctx) ?? []),
      ...written.flatMap((row) => transfer.write(ctx, row, here.get(transfer.keyOf(row)), site)),
      ...(ordered
        ? [ctx.db.update(ordered).set({ sortOrder: inOrder(ordered, rows.map(transfer.keyOf)) } as object)]
        : []),
    ];
  }

  /** Default rights for new boards, when the file has no roles. */
  function newBoardGrants(): BatchStatement[] {
    if (document.roles) return [];
    return (document.boards ?? [])
      .filter(({ boardCode }) => stored.boards.every((row) => row.boardCode !== boardCode))
      .flatMap(({ boardCode }) => grantNewBoard(ctx, boardCode));
  }
}

const storeStatement = (ctx: AppContext, key: string, value: Record<string, unknown>, version: number) => {
  const modifiedDate = ctx.now();
  return ctx.db
    .insert(siteSetting)
    .values({ key, value, version, modifiedDate })
    .onConflictDoUpdate({
      target: siteSetting.key,
      set: {
        value: sql`json_patch(${siteSetting.value}, ${JSON.stringify(value)})`,
        version: sql`${siteSetting.version} + 1`,
        modifiedDate,
      },
    });
};
