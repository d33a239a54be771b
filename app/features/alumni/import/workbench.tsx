import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { DropZone } from "#app/features/alumni/import/drop-zone.tsx";
import { Changes, Problems, Summary } from "#app/features/alumni/import/preview.tsx";
import { MappingForm } from "#app/features/alumni/import/mapping-form.tsx";
import { Begun } from "#app/features/alumni/import/begun.tsx";
import { correctSent, planSent, sendTable } from "#app/features/alumni/import/send.ts";
import { type DroppedTable, readDropped, withoutUnused } from "#app/features/alumni/import/table.ts";
import { TwinHint } from "#app/features/alumni/import/duplicate-hint.tsx";
import { api, call } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Checkbox, RadioGroup } from "#app/ui/choice.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { ProgressBar } from "#app/ui/progress.tsx";
import type { ImportResult, OpenImport } from "#worker/contract/alumni/view.ts";
import type { BookView } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI } from "#worker/contract/kernel/limits.ts";

type Mode = "upsert" | "insert";
interface Busy {
  label: string;
  percent?: number;
}
interface DryRun {
  importId: string;
  mode: Mode;
  result: ImportResult;
}

const MODES = [
  { value: "upsert", label: "이미 있는 사람은 파일의 내용으로 덮어쓰기" },
  { value: "insert", label: "이미 있는 사람은 건너뛰고 새 사람만 추가" },
];

interface WorkbenchProps {
  begun: OpenImport | null;
  book: BookView;
  undoDays: number;
}

/** Drop, map, look, correct, and only then import. */
export function ImportWorkbench({ begun, book, undoDays }: WorkbenchProps) {
  const [file, setFile] = useState<File | null>(null);
  const [table, setTable] = useState<DroppedTable | null>(null);
  const [mode, setMode] = useState<Mode>("upsert");
  const [corrections, setCorrections] = useState<ReadonlyMap<string, string>>(new Map());
  const [dryRun, setDryRun] = useState<DryRun | null>(null);
  const [skipInvalid, setSkipInvalid] = useState(false);
  const [done, setDone] = useState<ImportResult | null>(null);
  const [busy, setBusy] = useState<Busy | null>(null);
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
      if (dropped.size > ALUMNI.importBytes) throw new Error("파일이 너무 큽니다. 20MB까지 가져올 수 있습니다.");
      setTable(withoutUnused(await readDropped({ file: dropped, sheet }), book.fields));
      setFile(dropped);
    });
  const plan = async (importId: string, how: Mode) => {
    const label = "주소록과 견주고 있습니다";
    setBusy({ label });
    const result = await planSent(importId, how, (percent) => setBusy({ label: `${label} (${percent}%)`, percent }));
    setDryRun({ importId, mode: how, result });
    setSkipInvalid(false);
  };
  const look = () =>
    run("보내고 있습니다", async () => {
      if (table === null) return;
      await plan(
        await sendTable(table, corrections, (percent) => setBusy({ label: `보내고 있습니다 (${percent}%)`, percent })),
        mode,
      );
    });
  /** After a reload the file is not at hand: its cells are corrected in what was sent. */
  const correct = () =>
    run("고친 내용을 보내고 있습니다", async () => {
      if (dryRun === null || begun === null) return;
      await correctSent(dryRun.importId, begun, corrections);
      setCorrections(new Map());
      await plan(dryRun.importId, dryRun.mode);
    });
  const commit = () =>
    run("저장하고 있습니다", async () => {
      if (dryRun === null) return;
      const { importId } = dryRun;
      const request = api.alumni.import[":importId"].land.$post({ param: { importId }, json: { skipInvalid } });
      setDone(await call(request));
      setDryRun(null);
      setTable(null);
      await revalidate();
    });

  const contacts = book.fields.includes("mobile")
    ? `휴대전화${book.fields.includes("email") ? "나 이메일이" : "가"}`
    : book.fields.includes("email") && "이메일이";
  const mapped = table?.columns.some((column) => column === "name" || column === "id") ?? false;
  const changes = dryRun ? dryRun.result.inserted + dryRun.result.updated : 0;
  return (
    <div aria-busy={busy !== null}>
      {done && <Done result={done} undoDays={undoDays} />}
      {begun && !table && !dryRun && (
        <Begun
          begun={begun}
          busy={busy !== null}
          onLook={() => run("주소록과 견주고 있습니다", () => plan(begun.importId, begun.mode ?? mode))}
          onDiscard={() =>
            run("지우고 있습니다", async () => {
              await call(api.alumni.import[":importId"].$delete({ param: { importId: begun.importId }, json: {} }));
              await revalidate();
            })
          }
        />
      )}
      <Step number={1} title="파일 고르기">
        <DropZone onFile={read} disabled={busy !== null} />
      </Step>
      {table && (
        <Step number={2} title="열 맞추기">
          <MappingForm
            table={table}
            book={book}
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
                setMode(value as Mode);
                setDryRun(null);
              }}
            />
          </div>
          {!mapped && <p className="mt-3 font-medium text-danger-60">‘이름’ 또는 ‘ID’에 맞춘 열이 있어야 합니다.</p>}
          <Button variant="primary" className="mt-4" busy={busy !== null} disabled={!mapped} onClick={look}>
            {dryRun ? "다시 미리 보기" : "미리 보기"}
          </Button>
          <p className="mt-2 text-sm text-gray-60">미리 보기는 아무것도 저장하지 않습니다.</p>
        </Step>
      )}
      {dryRun && (
        <Step number={3} title="확인하고 가져오기">
          <Summary result={dryRun.result} />
          <Problems
            result={dryRun.result}
            source={table ?? begun ?? { heads: [], columns: [] }}
            corrections={corrections}
            onCorrect={(key, value) => setCorrections(new Map(corrections).set(key, value))}
          />
          {corrections.size > 0 && (
            <Button className="mt-3" busy={busy !== null} onClick={table ? look : correct}>
              고친 내용으로 다시 확인
            </Button>
          )}
          <Changes result={dryRun.result} />
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
        </Step>
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
          {error && <Notice tone="error">{error}</Notice>}
        </div>
      )}
    </div>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
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

function Done({ result, undoDays }: { result: ImportResult; undoDays: number }) {
  return (
    <Notice tone="success" title="가져왔습니다." className="mb-8">
      <p>
        {formatCount(result.inserted)}명을 추가하고 {formatCount(result.updated)}명을 바꾸었습니다.
        {result.rejected > 0 && ` 오류가 있는 ${formatCount(result.rejected)}명은 뺐습니다.`} 아래 기록에서 {undoDays}일
        동안 되돌릴 수 있습니다.
      </p>
      {result.inserted > 0 && <TwinHint importId={result.importId} />}
      <ButtonLink to="/Alumni" size="sm" className="mt-3">
        동문주소록 보기
      </ButtonLink>
    </Notice>
  );
}
