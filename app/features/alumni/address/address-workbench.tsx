import { useState } from "react";
import { checkAddresses, repairAddresses } from "#app/features/alumni/address/check-addresses.ts";
import type { AddressCheckResult } from "#app/features/alumni/address/read-address-files.worker.ts";
import { ActionBar } from "#app/features/alumni/import/action-bar.tsx";
import { PagedRows } from "#app/features/alumni/import/paged-rows.tsx";
import { type BusyState, progressOf } from "#app/features/alumni/import/progress.ts";
import { formatCount } from "#app/lib/format.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { FileButton } from "#app/ui/file-button.tsx";
import { Table, Td, Th, TableHead } from "#app/ui/table.tsx";
import {
  ADDRESS_FINDING_KINDS,
  ADDRESS_FINDING_LABELS,
  type AddressFinding,
  type AddressFindingKind,
  isRepaired,
} from "#worker/contract/alumni/address-check.ts";

export function AddressWorkbench({ undoDays }: { undoDays: number }) {
  const [checked, setChecked] = useState<AddressCheckResult | null>(null);
  const [leftOut, setLeftOut] = useState<readonly AddressFindingKind[]>([]);
  const [busy, setBusy] = useState<BusyState | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [done, setDone] = useState<{ updated: number; left: number } | null>(null);
  const run = async (label: string, work: (onProgress: (percent: number) => void) => Promise<void>) => {
    const progress = progressOf(label);
    setBusy(progress(0));
    setError(null);
    try {
      await work((percent) => setBusy(progress(percent)));
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
            {done.left > 0 && ` 그사이 다른 사람이 고친 ${formatCount(done.left)}명은 그대로 두었습니다.`} 가져오기
            기록에서 {undoDays}일 동안 되돌릴 수 있습니다.
          </p>
          <ButtonLink to="/Alumni/Import" size="sm" className="mt-3">
            가져오기 기록 보기
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
