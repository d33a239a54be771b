import { formatPeopleCount, UndoHistory } from "#app/features/alumni/undo-history.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { retryLostCalls } from "./send-import.ts";
import type { ImportEntry } from "#worker/contract/alumni/view.ts";

const joinSentences = (...sentences: (string | false)[]) => sentences.filter(Boolean).join(" ");

export function AlumniImportHistory({ imports, undoDays }: { imports: readonly ImportEntry[]; undoDays: number }) {
  return (
    <UndoHistory
      title="가져오기 기록"
      entries={imports}
      keyOf={(entry) => entry.importId}
      headers={["파일", "한 사람", "추가", "변경"]}
      cells={(entry) => [entry.fileName, entry.userName, formatCount(entry.inserted), formatCount(entry.updated)]}
      canUndo={(entry) => entry.undoable}
      fallback={<span className="text-sm text-gray-60">{undoDays}일 지남</span>}
      question="가져오기를 되돌리시겠습니까?"
      text={({ inserted, updated }) =>
        joinSentences(
          inserted > 0 && `추가한 ${formatPeopleCount(inserted)}은 주소록에서 지웁니다.`,
          updated > 0 && `변경한 ${formatPeopleCount(updated)}은 가져오기 전의 내용으로 돌아갑니다.`,
        )
      }
      danger
      isBegun={(entry) => entry.isUndoStarted}
      undo={async ({ importId }, onProgress) => {
        const sum = { removed: 0, restored: 0, kept: [] as { name: string }[] };
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
      done="가져오기를 되돌렸습니다."
    />
  );
}
