import { SETTING_FILE_FORMAT } from "#worker/contract/site/rules.ts";
import { logoDocument } from "#worker/contract/site/identity-input.ts";
import type { SettingDocument } from "#worker/contract/site/transfer-input.ts";
import {
  DOCUMENT_SECTIONS,
  documentTransferOf,
  ROW_SECTIONS,
  rowTransferOf,
  type StoredSettings,
} from "./setting-sections.server.ts";

type WholeSettingDocument = Required<SettingDocument>;

export function settingDocumentOf(stored: StoredSettings): WholeSettingDocument {
  const valueOf = (key: string) => stored.settings.find((row) => row.key === key)?.value ?? {};
  const documents = DOCUMENT_SECTIONS.map((section) => {
    const { key, read } = documentTransferOf(section);
    return [section, read(valueOf(key))];
  });
  const rows = ROW_SECTIONS.map((section) => [
    section,
    (stored[section] as object[]).flatMap((row) => rowTransferOf(section).documentOf(row) ?? []),
  ]);
  return {
    kind: "hoewon-settings",
    format: SETTING_FILE_FORMAT,
    logo: logoDocument.safeParse(valueOf("logo")).data ?? null,
    ...Object.fromEntries([...documents, ...rows]),
  } as WholeSettingDocument;
}
