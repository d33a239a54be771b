import { nowIso } from "#app/lib/clock.ts";
import { DEFAULT_IMPORT_OPTIONS } from "#worker/contract/alumni/cell-changes.ts";
import { commitSentImport, requestImportPreview, sendImportTable } from "#app/features/alumni/import/send-import.ts";
import { api, callApi } from "#app/lib/api.ts";
import { type AddressFinding, type PersonAddress } from "#worker/contract/alumni/address-check.ts";
import type { ImportResult } from "#worker/contract/alumni/view.ts";
import type { AddressCheckMessage, AddressCheckRequest, AddressCheckResult } from "./read-address-files.worker.ts";

async function readPeople(): Promise<PersonAddress[]> {
  const people: PersonAddress[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const page = await callApi(api.alumni.address.$get({ query: after === undefined ? {} : { after } }));
    people.push(...page.people);
    after = page.next;
  }
  return people;
}

/**
 * Compares the address book with the files in the browser, without uploading them. @throws Error with a Korean message
 */
export async function checkAddresses(
  files: readonly File[],
  onProgress: (percent: number) => void,
): Promise<AddressCheckResult> {
  const people = await readPeople();
  const worker = new Worker(new URL("./read-address-files.worker.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }: MessageEvent<AddressCheckMessage>) => {
        if ("percent" in data) onProgress(data.percent);
        else if ("result" in data) resolve(data.result);
        else reject(new Error(data.error));
      });
      worker.addEventListener("error", () => reject(new Error("파일을 읽지 못했습니다. 다시 골라 주십시오.")));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has none
      worker.postMessage({ files, people } satisfies AddressCheckRequest);
    });
  } finally {
    worker.terminate();
  }
}

/** Writes repairs as an import so that they can be undone. Skips addresses changed since the check. */
export async function repairAddresses(
  findings: readonly AddressFinding[],
  onProgress: (percent: number) => void,
): Promise<ImportResult & { left: number }> {
  const now = new Map((await readPeople()).map((person) => [person.id, person]));
  const same = findings.filter(({ person }) => {
    const stored = now.get(person.id);
    return stored?.address === person.address && stored.zipCode === person.zipCode;
  });
  const rows = same.map(({ person, zipCode, address }, at) => ({ row: at + 2, cells: [person.id, zipCode, address] }));
  const table = {
    fileName: "주소와 우편번호 확인",
    headerRow: 1,
    heads: ["ID", "우편번호", "주소"],
    columns: ["id" as const, "zipCode" as const, "address" as const],
    rows,
    sources: [],
    sentences: [],
    savedDate: nowIso(),
  };
  const importId = await sendImportTable(table, new Map(), (percent) => onProgress(percent / 2));
  await requestImportPreview(importId, { mode: "upsert", ...DEFAULT_IMPORT_OPTIONS, emptied: "keep" }, (percent) =>
    onProgress(50 + percent / 2),
  );
  const done = await commitSentImport(importId, true, onProgress);
  return { ...done, left: findings.length - same.length };
}
