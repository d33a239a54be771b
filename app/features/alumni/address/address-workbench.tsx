import { DEEDS_PATH, DEEDS_TITLE, undoUntilText } from "#app/features/alumni/undo-deed.ts";
import { useState } from "react";
import type {
  AddressCheckMessage,
  AddressCheckRequest,
  AddressCheckResult,
} from "#app/features/alumni/address/read-address-files.worker.ts";
import { ActionBar } from "#app/features/alumni/import/action-bar.tsx";
import { PagedRows } from "#app/features/alumni/import/paged-rows.tsx";
import { type BusyState, progressOf } from "#app/features/alumni/import/progress.tsx";
import { formatCount } from "#app/lib/format.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { FileButton } from "#app/features/file/upload/file-button.tsx";
import { Table, TableHead, Td, Th } from "#app/ui/table.tsx";
import {
  ADDRESS_FINDING_KINDS,
  ADDRESS_FINDING_LABELS,
  type AddressFinding,
  type AddressFindingKind,
  isRepaired,
  type PersonAddress,
} from "#worker/contract/alumni/address.ts";
import { nowIso } from "#app/lib/clock.ts";
import { DEFAULT_IMPORT_OPTIONS } from "#worker/contract/alumni/import/cell-changes.ts";
import { commitSentImport, requestImportPreview, sendImportTable } from "#app/features/alumni/import/send-import.ts";
import { attemptSignedIn } from "#app/features/form/action.tsx";
import { useSigninGate } from "#app/features/form/unsaved.ts";
import { api, callApi } from "#app/lib/api.ts";

export function AddressWorkbench({ undoDays }: { undoDays: number }) {
  const [checked, setChecked] = useState<AddressCheckResult | null>(null);
  const [leftOut, setLeftOut] = useState<readonly AddressFindingKind[]>([]);
  const [busy, setBusy] = useState<BusyState | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [done, setDone] = useState<{ updated: number; left: number } | null>(null);
  const askSignin = useSigninGate();
  const run = async (label: string, work: (onProgress: (percent: number) => void) => Promise<void>) => {
    const progress = progressOf(label);
    setBusy(progress(0));
    setError(null);
    try {
      await attemptSignedIn(() => work((percent) => setBusy(progress(percent))), askSignin);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setBusy(null);
    }
  };
  const check = (files: readonly File[]) =>
    run("파일과 주소록을 비교하고 있습니다", async (onProgress) => {
      setDone(null);
      setChecked(null);
      setLeftOut([]);
      setChecked(await checkAddresses(files, onProgress));
    });
  const chosen = checked?.findings.filter((each) => isRepaired(each) && !leftOut.includes(each.kind)) ?? [];
  const repair = () =>
    run("주소를 고치고 있습니다", async (onProgress) => {
      const { updated, left } = await repairAddresses(chosen, onProgress);
      setDone({ updated, left });
      setChecked(null);
    });
  return (
    <div aria-busy={busy !== null}>
      {done && (
        <Alert tone="success" title="주소를 고쳤습니다." className="mb-6">
          <p>
            {formatCount(done.updated)}명의 주소와 우편번호를 고쳤습니다.
            {done.left > 0 && ` 그사이 다른 사람이 고친 ${formatCount(done.left)}명은 그대로 두었습니다.`}{" "}
            {undoUntilText(undoDays)}
          </p>
          <ButtonLink to={DEEDS_PATH} size="sm" className="mt-3">
            {DEEDS_TITLE} 보기
          </ButtonLink>
        </Alert>
      )}
      <h2 className="text-lg">도로명주소 파일</h2>
      <p className="mt-2 text-sm text-gray-60">
        도로명주소 누리집의 ‘도로명주소 한글’ 자료를 내려받아 압축을 풀고, 필요한 시도의 txt 파일을 함께 고르십시오.
        파일은 이 컴퓨터에서만 읽고 어디로도 보내지 않습니다.
      </p>
      <FileButton
        label="도로명주소 파일 고르기"
        accept=".txt"
        multiple
        disabled={busy !== null}
        onPick={(files) => void check(files)}
      />
      {checked && (
        <Findings
          result={checked}
          leftOut={leftOut}
          onLeaveOut={(kind, isOut) => setLeftOut(isOut ? [...leftOut, kind] : leftOut.filter((each) => each !== kind))}
        />
      )}
      {(busy || error || chosen.length > 0) && (
        <ActionBar busy={busy} error={error}>
          {chosen.length > 0 && (
            <Button variant="primary" busy={busy !== null} onClick={() => void repair()}>
              {formatCount(chosen.length)}명 고치기
            </Button>
          )}
        </ActionBar>
      )}
    </div>
  );
}

interface FindingsProps {
  result: AddressCheckResult;
  leftOut: readonly AddressFindingKind[];
  onLeaveOut: (kind: AddressFindingKind, isOut: boolean) => void;
}

function Findings({ result, leftOut, onLeaveOut }: FindingsProps) {
  const { findings, lines } = result;
  return (
    <div className="mt-6">
      <p role="status" className="tabular">
        건물 {formatCount(lines)}곳과 비교하였습니다.{" "}
        {findings.length === 0 ? "고칠 주소가 없습니다." : `살펴볼 주소가 ${formatCount(findings.length)}개 있습니다.`}
      </p>
      {ADDRESS_FINDING_KINDS.map((kind) => {
        const found = findings.filter((finding) => finding.kind === kind);
        const [first] = found;
        if (!first) return null;
        const title = `${ADDRESS_FINDING_LABELS[kind]} ${formatCount(found.length)}명`;
        return (
          <section key={kind} className="mt-6">
            {isRepaired(first) ? (
              <Checkbox
                label={<span className="font-semibold">{title}</span>}
                checked={!leftOut.includes(kind)}
                onChange={(event) => onLeaveOut(kind, !event.target.checked)}
              />
            ) : (
              <h2 className="text-base">{title}</h2>
            )}
            <PagedRows rows={found} label={title}>
              {(page) => <FindingTable title={title} findings={page} />}
            </PagedRows>
          </section>
        );
      })}
    </div>
  );
}

const lineOf = (zipCode: string, address: string) => [zipCode && `(${zipCode})`, address].filter(Boolean).join(" ");

function FindingTable({ title, findings }: { title: string; findings: readonly AddressFinding[] }) {
  const isChanged = findings.some(isRepaired);
  return (
    <Table caption={title} cards className="mt-2">
      <TableHead>
        <Th>이름</Th>
        <Th>지금</Th>
        {isChanged && <Th>고친 뒤</Th>}
      </TableHead>
      <tbody>
        {findings.map(({ person, zipCode, address }) => (
          <tr key={person.id}>
            <Td className="font-semibold text-gray-90">{person.name}</Td>
            <Td>{lineOf(person.zipCode, person.address)}</Td>
            {isChanged && <Td>{lineOf(zipCode, address)}</Td>}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

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
async function checkAddresses(
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
async function repairAddresses(findings: readonly AddressFinding[], onProgress: (percent: number) => void) {
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
