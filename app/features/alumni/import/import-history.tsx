import { formatPeopleCount, UndoHistory } from "#app/features/alumni/undo-history.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { retryLostCalls } from "./send-import.ts";
import { Button } from "#app/ui/button.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { ProgressBar } from "#app/ui/progress.tsx";
import { Time } from "#app/ui/inline.tsx";
import type { ImportEntry, UndoneImport } from "#worker/domain/alumni/import/undo.server.ts";
import type { OpenImport } from "#worker/domain/alumni/import/parts.server.ts";

const joinSentences = (...sentences: (string | false)[]) => sentences.filter(Boolean).join(" ");

export function AlumniImportHistory({ imports, undoDays }: { imports: readonly ImportEntry[]; undoDays: number }) {
  return (
    <UndoHistory
      title="가져오기와 한꺼번에 바꾸기 기록"
      entries={imports}
      keyOf={(entry) => entry.importId}
      headers={["작업", "한 사람", "추가", "변경"]}
      cells={(entry) => [entry.fileName, entry.userName, formatCount(entry.inserted), formatCount(entry.updated)]}
      canUndo={(entry) => entry.undoable}
      fallback={<span className="text-sm text-gray-60">{undoDays}일 지남</span>}
      question="이 작업을 되돌리시겠습니까?"
      text={({ fileName, mode, inserted, updated }) =>
        joinSentences(
          `‘${fileName}’을 되돌립니다.`,
          inserted > 0 && `추가한 ${formatPeopleCount(inserted)}은 주소록에서 지웁니다.`,
          updated > 0 &&
            `${mode === "change" ? "바꾼" : "변경한"} ${formatPeopleCount(updated)}은 ${mode === "change" ? "바꾸기" : "가져오기"} 전의 내용으로 돌아갑니다.`,
        )
      }
      leaves="바뀐 값을 그 뒤에 다시 고친 사람, 회비나 증명서가 있는 새 사람은 그대로 두고 알려 드립니다."
      danger
      isBegun={(entry) => entry.isUndoStarted}
      undo={async ({ importId }, onProgress) => {
        const sum = { removed: 0, restored: 0, kept: [] as UndoneImport["kept"] };
        for (;;) {
          const step = await retryLostCalls(() =>
            callApi(api.alumni.import[":importId"].undo.$post({ param: { importId }, json: {} })),
          );
          sum.removed += step.removed;
          sum.restored += step.restored;
          sum.kept.push(...step.kept);
          if (step.left === 0) break;
          const done = sum.removed + sum.restored + sum.kept.length;
          onProgress((done / (done + step.left)) * 100);
        }
        const { removed, restored, kept } = sum;
        return {
          text: joinSentences(
            removed > 0 && `${formatPeopleCount(removed)}을 지웠습니다.`,
            restored > 0 && `${formatPeopleCount(restored)}을 전의 내용으로 돌려놓았습니다.`,
          ),
          kept,
        };
      }}
      done="되돌렸습니다."
    />
  );
}

interface UnfinishedImportProps {
  openImport: OpenImport;
  busy: boolean;
  onPreview: () => void;
  onDiscard: () => void;
  onFinish: () => void;
}

export function UnfinishedImport({ openImport, busy, onPreview, onDiscard, onFinish }: UnfinishedImportProps) {
  const { fileName, createdDate, parts, received, left } = openImport;
  if (left > 0)
    return (
      <Alert tone="warning" title="가져오다 만 파일이 있습니다." className="mb-8">
        <p>
          <strong>{fileName}</strong> · <Time date={createdDate} format="datetime" /> · 일부만 주소록에 저장했습니다.
          이어서 가져오시거나, 아래 기록에서 되돌리실 수 있습니다.
        </p>
        <Button size="sm" variant="primary" busy={busy} className="mt-3" onClick={onFinish}>
          이어서 가져오기
        </Button>
      </Alert>
    );
  const isComplete = received.length === parts;
  const percent = Math.round((received.length / parts) * 100);
  return (
    <Alert title={isComplete ? "가져오지 않은 파일이 있습니다." : "보내던 파일이 있습니다."} className="mb-8">
      <p>
        <strong>{fileName}</strong> · <Time date={createdDate} format="datetime" /> ·{" "}
        {isComplete ? "다 보냈습니다" : `${formatCount(percent)}% 보냈습니다`}. 아직 주소록에는 아무것도 저장하지
        않았습니다.
      </p>
      {!isComplete && (
        <>
          <ProgressBar label="보낸 정도" value={percent} className="my-3" />
          <p>같은 파일을 다시 고르고 미리보기를 누르시면 보내던 곳부터 이어서 보냅니다.</p>
        </>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {isComplete && (
          <Button size="sm" variant="primary" busy={busy} onClick={onPreview}>
            미리보기
          </Button>
        )}
        <Button size="sm" disabled={busy} onClick={onDiscard}>
          버리기
        </Button>
      </div>
    </Alert>
  );
}
