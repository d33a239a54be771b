import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { ImportDropZone } from "#app/features/alumni/import/drop-zone.tsx";
import { ImportChanges, ImportProblems, ImportCounts } from "#app/features/alumni/import/import-preview.tsx";
import { ColumnMappingForm } from "#app/features/alumni/import/mapping-form.tsx";
import { UnfinishedImport } from "#app/features/alumni/import/unfinished-import.tsx";
import { correctSentCells, requestImportPreview, sendImportTable } from "#app/features/alumni/import/send-import.ts";
import { type DroppedTable, readDroppedFile, ignoreUnusedColumns } from "#app/features/alumni/import/dropped-table.ts";
import { DuplicateHint } from "#app/features/alumni/import/duplicate-hint.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Checkbox, RadioGroup } from "#app/ui/choice.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { ProgressBar } from "#app/ui/progress.tsx";
import type { ImportResult, OpenImport } from "#worker/contract/alumni/view.ts";
import type { AlumniSettingsView } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_LIMITS } from "#worker/contract/kernel/limits.ts";

type ImportMode = "upsert" | "insert";
interface BusyState {
  label: string;
  percent?: number;
}
interface ShownPreview {
  importId: string;
  mode: ImportMode;
  result: ImportResult;
}

const MODES = [
  { value: "upsert", label: "이미 있는 사람은 파일의 내용으로 덮어쓰기" },
  { value: "insert", label: "이미 있는 사람은 건너뛰고 새 사람만 추가" },
];

interface ImportWorkbenchProps {
  openImport: OpenImport | null;
  alumniView: AlumniSettingsView;
  undoDays: number;
}

/** Drop, map, look, correct, and only then import. */
export function ImportWorkbench({ openImport, alumniView, undoDays }: ImportWorkbenchProps) {
  const [file, setFile] = useState<File | null>(null);
  const [table, setTable] = useState<DroppedTable | null>(null);
  const [mode, setMode] = useState<ImportMode>("upsert");
  const [corrections, setCorrections] = useState<ReadonlyMap<string, string>>(new Map());
  const [dryRun, setDryRun] = useState<ShownPreview | null>(null);
  const [skipInvalid, setSkipInvalid] = useState(false);
  const [done, setDone] = useState<ImportResult | null>(null);
  const [busy, setBusy] = useState<BusyState | null>(null);
  const [error, setError] = useState<string | null>(null);
  const { revalidate } = useRevalidator();

  const run = async (label: string, work: () => Promise<void>) => {
    setBusy({ label });
    setError(null);
    try {
      await work();
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setBusy(null);
    }
  };
  const read = (dropped: File, sheet?: string) =>
    run("파일을 읽고 있습니다", async () => {
      setDone(null);
      setDryRun(null);
      setTable(null);
      setCorrections(new Map());
      if (dropped.size > ALUMNI_LIMITS.importBytes) throw new Error("파일이 너무 큽니다. 20MB까지 가져올 수 있습니다.");
      setTable(ignoreUnusedColumns(await readDroppedFile({ file: dropped, sheet }), alumniView.fields));
      setFile(dropped);
    });
  const preview = async (importId: string, how: ImportMode) => {
    const label = "주소록과 견주고 있습니다";
    setBusy({ label });
    const result = await requestImportPreview(importId, how, (percent) =>
      setBusy({ label: `${label} (${percent}%)`, percent }),
    );
    setDryRun({ importId, mode: how, result });
    setSkipInvalid(false);
  };
  const look = () =>
    run("보내고 있습니다", async () => {
      if (table === null) return;
      await preview(
        await sendImportTable(table, corrections, (percent) =>
          setBusy({ label: `보내고 있습니다 (${percent}%)`, percent }),
        ),
        mode,
      );
    });
  /** After a reload the file is not at hand: its cells are corrected in what was sent. */
  const correct = () =>
    run("고친 내용을 보내고 있습니다", async () => {
      if (dryRun === null || openImport === null) return;
      await correctSentCells(dryRun.importId, openImport, corrections);
      setCorrections(new Map());
      await preview(dryRun.importId, dryRun.mode);
    });
  const commit = () =>
    run("저장하고 있습니다", async () => {
      if (dryRun === null) return;
      const { importId } = dryRun;
      const request = api.alumni.import[":importId"].land.$post({ param: { importId }, json: { skipInvalid } });
      setDone(await callApi(request));
      setDryRun(null);
      setTable(null);
      await revalidate();
    });

  const contacts = alumniView.fields.includes("mobile")
    ? `휴대전화${alumniView.fields.includes("email") ? "나 이메일이" : "가"}`
    : alumniView.fields.includes("email") && "이메일이";
  const mapped = table?.columns.some((column) => column === "name" || column === "id") ?? false;
  const changes = dryRun ? dryRun.result.inserted + dryRun.result.updated : 0;
  return (
    <div aria-busy={busy !== null}>
      {done && <ImportDone result={done} undoDays={undoDays} />}
      {openImport && !table && !dryRun && (
        <UnfinishedImport
          openImport={openImport}
          busy={busy !== null}
          onPreview={() => run("주소록과 견주고 있습니다", () => preview(openImport.importId, openImport.mode ?? mode))}
          onDiscard={() =>
            run("지우고 있습니다", async () => {
              await callApi(
                api.alumni.import[":importId"].$delete({ param: { importId: openImport.importId }, json: {} }),
              );
              await revalidate();
            })
          }
        />
      )}
      <ImportStep number={1} title="파일 고르기">
        <ImportDropZone onFile={read} disabled={busy !== null} />
      </ImportStep>
      {table && (
        <ImportStep number={2} title="열 맞추기">
          <ColumnMappingForm
            table={table}
            alumniView={alumniView}
            onColumns={(columns) => {
              setTable({ ...table, columns });
              setDryRun(null);
            }}
            onSheet={(sheet) => file && void read(file, sheet)}
          />
          <div className="mt-5">
            <RadioGroup
              legend="이미 있는 사람"
              hint={`ID가 ${contacts ? `같거나, 이름과 함께 ${contacts} ` : ""}같으면 같은 사람으로 봅니다. 이름만 같아서는 같은 사람으로 보지 않습니다.`}
              name="mode"
              options={MODES}
              value={mode}
              onChange={(value) => {
                setMode(value as ImportMode);
                setDryRun(null);
              }}
            />
          </div>
          {!mapped && <p className="mt-3 font-medium text-danger-60">‘이름’ 또는 ‘ID’에 맞춘 열이 있어야 합니다.</p>}
          <Button variant="primary" className="mt-4" busy={busy !== null} disabled={!mapped} onClick={look}>
            {dryRun ? "다시 미리 보기" : "미리 보기"}
          </Button>
          <p className="mt-2 text-sm text-gray-60">미리 보기는 아무것도 저장하지 않습니다.</p>
        </ImportStep>
      )}
      {dryRun && (
        <ImportStep number={3} title="확인하고 가져오기">
          <ImportCounts result={dryRun.result} />
          <ImportProblems
            result={dryRun.result}
            source={table ?? openImport ?? { heads: [], columns: [] }}
            corrections={corrections}
            onCorrect={(key, value) => setCorrections(new Map(corrections).set(key, value))}
          />
          {corrections.size > 0 && (
            <Button className="mt-3" busy={busy !== null} onClick={table ? look : correct}>
              고친 내용으로 다시 확인
            </Button>
          )}
          <ImportChanges result={dryRun.result} />
          <div className="mt-8 rounded-xl border border-gray-20 bg-gray-5 p-5">
            {dryRun.result.rejected > 0 && (
              <Checkbox
                label={`오류가 있는 ${formatCount(dryRun.result.rejected)}명은 빼고 가져옵니다.`}
                checked={skipInvalid}
                onChange={(event) => setSkipInvalid(event.target.checked)}
              />
            )}
            {changes === 0 ? (
              <p className="text-gray-70">가져올 내용이 없습니다. 주소록은 파일과 같습니다.</p>
            ) : (
              <Button
                variant="primary"
                busy={busy !== null}
                disabled={dryRun.result.rejected > 0 && !skipInvalid}
                onClick={commit}
              >
                {formatCount(changes)}명 가져오기
              </Button>
            )}
          </div>
        </ImportStep>
      )}
      {/* In sight wherever the button stood that began it. */}
      {(busy || error) && (
        <div className="sticky bottom-4 z-10 mt-6 rounded-lg bg-white shadow-lg">
          {busy && (
            <div role="status" className="rounded-lg border border-gray-20 p-4">
              <p className="mb-2 font-semibold text-gray-80">{busy.label}…</p>
              <ProgressBar label={busy.label} value={busy.percent} />
            </div>
          )}
          {error && <Alert tone="error">{error}</Alert>}
        </div>
      )}
    </div>
  );
}

function ImportStep({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={`step-${number}`} className="mt-8 first:mt-0">
      <h2 id={`step-${number}`} className="mb-4 flex items-center gap-3 text-xl">
        <span
          aria-hidden="true"
          className="tabular inline-flex size-8 items-center justify-center rounded-full bg-primary-60 text-base text-white"
        >
          {number}
        </span>
        {title}
      </h2>
      {children}
    </section>
  );
}

function ImportDone({ result, undoDays }: { result: ImportResult; undoDays: number }) {
  return (
    <Alert tone="success" title="가져왔습니다." className="mb-8">
      <p>
        {formatCount(result.inserted)}명을 추가하고 {formatCount(result.updated)}명을 바꾸었습니다.
        {result.rejected > 0 && ` 오류가 있는 ${formatCount(result.rejected)}명은 뺐습니다.`} 아래 기록에서 {undoDays}일
        동안 되돌릴 수 있습니다.
      </p>
      {result.inserted > 0 && <DuplicateHint importId={result.importId} />}
      <ButtonLink to="/Alumni" size="sm" className="mt-3">
        동문주소록 보기
      </ButtonLink>
    </Alert>
  );
}
