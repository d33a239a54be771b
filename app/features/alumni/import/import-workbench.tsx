import { undoUntilText } from "#app/features/alumni/undo-deed.ts";
import { ImportEndedChoice } from "#app/features/alumni/import/import-ended.tsx";
import { useWords } from "#app/lib/page-language.ts";
import { useEffect, useState } from "react";
import { ActionBar } from "#app/features/alumni/import/action-bar.tsx";
import { SheetDropZone } from "#app/features/alumni/import/sheet-drop-zone.tsx";
import { mappedColumns } from "#app/features/alumni/import/dropped-files.ts";
import {
  ImportConfirmedChoice,
  ImportEmptiedChoice,
  ImportFaultKinds,
  ImportNameMarks,
  ImportRules,
} from "#app/features/alumni/import/import-facts.tsx";
import { ImportMissingPeople } from "#app/features/alumni/import/import-missing.tsx";
import { ImportPeople } from "#app/features/alumni/import/import-people.tsx";
import { ImportChanges, ImportCounts, ImportProblems } from "#app/features/alumni/import/import-preview.tsx";
import { ColumnMappingForm } from "#app/features/alumni/import/mapping-form.tsx";
import { openHiddenQuestions, SourceList } from "#app/features/alumni/import/source-list.tsx";
import { UnfinishedImport } from "./import-history.tsx";
import { type ImportState, type ShownPreview, useImport } from "#app/features/alumni/import/use-import.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Checkbox, RadioGroup } from "#app/ui/choice.tsx";
import { cx } from "#app/ui/cx.ts";
import { Alert } from "#app/ui/alert.tsx";
import type { ImportResult } from "#worker/domain/alumni/import/import.server.ts";
import type { OwnField } from "#worker/contract/alumni/own-fields.ts";
import type { AlumniSettingsView } from "#worker/contract/alumni/alumni-settings.ts";
import { api, callApi } from "#app/lib/api.ts";
import type { OpenImport } from "#worker/domain/alumni/import/parts.server.ts";

const MODES = [
  { value: "upsert", label: "이미 있는 사람은 파일의 내용으로 덮어쓰기" },
  { value: "insert", label: "이미 있는 사람은 건너뛰고 새 사람만 추가" },
];

const STEPS = ["파일 고르기", "열 맞추기", "확인하고 가져오기"];

interface ImportWorkbenchProps {
  openImport: OpenImport | null;
  alumniView: AlumniSettingsView;
  undoDays: number;
  canMakeField: boolean;
}

export function ImportWorkbench({ openImport, alumniView, undoDays, canMakeField }: ImportWorkbenchProps) {
  const state = useImport(openImport, alumniView);
  const { files, preview, busy, error } = state;
  const step = preview ? 3 : files ? 2 : 1;
  return (
    <div aria-busy={busy !== null}>
      {state.done && <ImportDone result={state.done} undoDays={undoDays} />}
      {openImport && step === 1 && (
        <UnfinishedImport
          openImport={openImport}
          busy={busy !== null}
          onPreview={state.resume}
          onDiscard={state.discard}
          onFinish={state.finish}
        />
      )}
      <ImportSteps current={step} />
      {!preview && (
        <SheetDropZone
          multiple
          hint="여러 파일을 함께 고를 수 있습니다 · 한 번에 20MB, 50,000행까지"
          onFiles={state.read}
          disabled={busy !== null}
        />
      )}
      {files && !preview && <MappingStep state={state} alumniView={alumniView} canMakeField={canMakeField} />}
      {preview && <PreviewStep state={state} preview={preview} openImport={openImport} own={alumniView.own} />}
      {step === 1 && (busy || error) && <ActionBar busy={busy} error={error} />}
    </div>
  );
}

function MappingStep({
  state,
  alumniView,
  canMakeField,
}: {
  state: ImportState;
  alumniView: AlumniSettingsView;
  canMakeField: boolean;
}) {
  const { files, table, options, hidden, busy, error } = state;
  if (!files) return null;
  const used = files.sources.filter(({ isUsed }) => isUsed);
  const questions = openHiddenQuestions(files, hidden);
  const isMapped = used.every((source) => {
    const columns = mappedColumns(source, state.mappings, hidden);
    return columns.includes("name") || columns.includes("id");
  });
  const contacts = alumniView.fields.includes("mobile")
    ? `휴대전화${alumniView.fields.includes("email") ? "나 이메일이" : "가"}`
    : alumniView.fields.includes("email") && "이메일이";
  const hint =
    questions.length > 0
      ? `${questions.join("과 ")}을 어떻게 할지 정해 주십시오.`
      : used.length === 0
        ? `${files.sources.length === 0 ? "머리글 행을" : "가져올 시트를"} 골라 주십시오.`
        : isMapped
          ? `${formatCount(table?.rows.length ?? 0)}명 · 미리보기는 아무것도 저장하지 않습니다.`
          : "‘이름’ 또는 ‘ID’에 맞춘 열이 있어야 합니다.";
  return (
    <>
      <SourceList
        files={files}
        hidden={hidden}
        onFiles={state.changeFiles}
        onHidden={state.answerHidden}
        onPoint={state.point}
      />
      {state.remembered && (
        <Alert className="mt-4">
          같은 양식의 파일을 가져오신 적이 있어, 그때 정하신 대로 열과 시트를 맞추었습니다.
        </Alert>
      )}
      <ColumnMappingForm
        sources={used}
        mappings={state.mappings}
        hidden={hidden}
        alumniView={alumniView}
        canMakeField={canMakeField}
        onMappings={state.map}
      />
      <div className="mt-5">
        <RadioGroup
          legend="이미 있는 사람"
          hint={`ID가 ${contacts ? `같거나, 이름과 함께 ${contacts} ` : ""}같으면 같은 사람으로 봅니다. 이름과 기수, 또는 이름과 휴대전화 끝 네 자리가 같은 사람이 한 명뿐이어도 그렇습니다. 그 밖에는 한 사람씩 여쭙니다.`}
          name="mode"
          options={MODES}
          value={options.mode}
          onChange={(mode) => state.choose({ ...options, mode: mode as "upsert" | "insert" })}
        />
      </div>
      <ActionBar busy={busy} error={error} text={hint}>
        <Button
          variant="primary"
          busy={busy !== null}
          disabled={questions.length > 0 || used.length === 0 || !isMapped}
          onClick={state.look}
        >
          미리보기
        </Button>
      </ActionBar>
    </>
  );
}

function PreviewStep({
  state,
  preview,
  openImport,
  own,
}: {
  state: ImportState;
  preview: ShownPreview;
  openImport: OpenImport | null;
  own: readonly OwnField[];
}) {
  const [skipInvalid, setSkipInvalid] = useState(false);
  const { busy, error, corrections, options } = state;
  const { result } = preview;
  const source = state.table ?? openImport ?? { heads: [], columns: [], sources: [] };
  const { sources } = source;
  const changes = result.inserted + result.updated;
  const asksEmptied = result.emptied.count > 0 && options.emptied === "byId" && options.mode === "upsert";
  const facts = { result, sources, options, busy: busy !== null, onDecide: state.decide };
  const choices = { result, sources, options, busy: busy !== null, onChoose: state.choose };
  const isChanged = state.isCorrected || state.isChosen || Object.keys(state.people).length > 0;
  const isBlocked = (result.rejected > 0 && !skipInvalid) || asksEmptied;
  return (
    <>
      <ImportCounts result={result} />
      <ImportNameMarks {...facts} />
      <ImportFaultKinds {...facts} />
      <ImportPeople {...facts} answers={state.people} onAnswer={state.answer} onAskAgain={state.askAgain} />
      <ImportProblems result={result} source={source} corrections={corrections} own={own} onCorrect={state.correct} />
      <ImportMissingPeople {...choices} />
      <ImportEndedChoice {...choices} />
      <ImportConfirmedChoice {...facts} />
      <ImportEmptiedChoice {...facts} />
      <ImportRules result={result} sources={sources} sentences={state.table?.sentences ?? []} />
      <ImportChanges result={result} sources={sources} />
      <ActionBar
        busy={busy}
        error={error}
        text={
          changes === 0 && result.rejected === 0
            ? "가져올 내용이 없습니다. 주소록은 파일과 같습니다."
            : asksEmptied
              ? "비어 있는 칸을 어떻게 할지 정해 주십시오."
              : undefined
        }
      >
        {result.rejected > 0 && !isChanged && (
          <Checkbox
            label={`${result.people.asked + result.proposed > 0 ? "정하지 않았거나 " : ""}오류가 있는 ${formatCount(result.rejected)}명은 빼고 가져옵니다.`}
            checked={skipInvalid}
            onChange={(event) => setSkipInvalid(event.target.checked)}
          />
        )}
        {state.canUndoCorrection && (
          <Button variant="quiet" disabled={busy !== null} onClick={state.undoCorrection}>
            고침 취소
          </Button>
        )}
        <Button disabled={busy !== null} onClick={state.back}>
          {state.files ? "열 맞추기로" : "처음으로"}
        </Button>
        {isChanged ? (
          <Button variant="primary" busy={busy !== null} onClick={state.look}>
            {state.isCorrected ? "고친 내용으로" : "정한 대로"} 다시 확인
          </Button>
        ) : (
          changes > 0 && (
            <Button
              variant="primary"
              busy={busy !== null}
              disabled={isBlocked}
              onClick={() => state.commit(skipInvalid)}
            >
              {formatCount(changes)}명 가져오기
            </Button>
          )
        )}
      </ActionBar>
    </>
  );
}

function ImportSteps({ current }: { current: number }) {
  return (
    <ol className="mb-5 flex flex-wrap gap-x-6 gap-y-2">
      {STEPS.map((title, at) => (
        <li
          key={title}
          aria-current={at + 1 === current ? "step" : undefined}
          className={cx("flex items-center gap-2", at + 1 === current ? "font-bold text-gray-90" : "text-gray-60")}
        >
          <span
            aria-hidden="true"
            className={cx(
              "tabular inline-flex size-7 items-center justify-center rounded-full text-sm",
              at + 1 === current ? "bg-primary-60 text-white" : "bg-gray-20 text-gray-70",
            )}
          >
            {at + 1}
          </span>
          {title}
        </li>
      ))}
    </ol>
  );
}

function ImportDone({ result, undoDays }: { result: ImportResult; undoDays: number }) {
  const say = useWords();
  return (
    <Alert tone="success" title="가져왔습니다." className="mb-8">
      <p>
        {formatCount(result.inserted)}명을 추가하고 {formatCount(result.updated)}명을 바꾸었습니다.
        {result.kept > 0 && ` 그사이 다른 곳에서 고치거나 지운 ${formatCount(result.kept)}명은 그대로 두었습니다.`}
        {result.rejected > 0 && ` 오류가 있는 ${formatCount(result.rejected)}명은 뺐습니다.`} {undoUntilText(undoDays)}
      </p>
      {result.inserted > 0 && <DuplicateHint importId={result.importId} />}
      <ButtonLink to="/Alumni" size="sm" className="mt-3">
        {say("{동문주소록} 보기")}
      </ButtonLink>
    </Alert>
  );
}

/** Shows possible duplicates among new people; never merges them. */
function DuplicateHint({ importId }: { importId: string }) {
  const say = useWords();
  const [found, setFound] = useState(false);
  useEffect(() => {
    callApi(api.alumni.duplicate.$get({ query: { importId } })).then(
      ({ counts }) => setFound(Object.values(counts).some((count) => count > 0)),
      // The call fails for callers without write permission; they cannot merge anyway.
      () => setFound(false),
    );
  }, [importId]);
  if (!found) return null;
  return (
    <div className="mt-3">
      <p>새로 추가한 사람 가운데 이미 있는 사람과 같아 보이는 사람이 있습니다. 비교하여 합치실 수 있습니다.</p>
      <ButtonLink to={`/Alumni/Duplicates?importId=${importId}`} size="sm" className="mt-2">
        {say("중복 의심 {동문} 보기")}
      </ButtonLink>
    </div>
  );
}
