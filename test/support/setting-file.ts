import { callJson } from "./api-client.ts";
import { TEST_PASSWORD } from "./people.ts";

export const SETTING_IMPORT = "/api/admin/setting/import";

export const EMPTY_SETTING_FILE = { kind: "hoewon-settings", format: 1 };

export async function importSettingFile(token: string, document: Record<string, unknown>) {
  const preview = await callJson("POST", SETTING_IMPORT, { token, body: { document } });
  const body = { document, fingerprint: preview.data?.fingerprint, reason: "시험", password: TEST_PASSWORD };
  return { preview: preview.data, apply: () => callJson("POST", SETTING_IMPORT, { token, body }) };
}

export const POPUP_DOCUMENT = {
  title: "총회",
  content: "<p>총회에 오십시오.</p>",
  englishTitle: "Meeting",
  englishContent: "<p>Come</p>",
  startDate: "2026-01-01T00:00:00.000Z",
  endDate: "2096-01-01T00:00:00.000Z",
};

export const CONSENT_DOCUMENT = {
  code: "consent",
  version: "1.0",
  title: "개인정보 수집·이용",
  required: true,
  content: "<p>동의</p>",
};

export const pageTextDocument = (code: string, content: string) => ({ code, title: "글", content });
