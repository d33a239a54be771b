import { useWords } from "#app/lib/use-words.ts";
import { formatPeopleCount, UndoHistory } from "#app/features/alumni/undo-history.tsx";
import { api, callApi } from "#app/lib/api.ts";
import type { MergeEntry } from "#worker/contract/alumni/merge-view.ts";

export function AlumniMergeHistory({ merges, canUndo }: { merges: readonly MergeEntry[]; canUndo: boolean }) {
  const say = useWords();
  return (
    <UndoHistory
      title="합친 기록"
      entries={merges}
      keyOf={(entry) => entry.mergeId}
      headers={[say("남은 {동문}"), "합친 수", "한 사람"]}
      cells={(entry) => [
        entry.name || say("지워진 {동문}"),
        `${formatPeopleCount(entry.people)}을 하나로`,
        entry.userName,
      ]}
      canUndo={() => canUndo}
      question="합치기를 되돌리시겠습니까?"
      text={(entry) => `합치기 전의 ${formatPeopleCount(entry.people)}으로 돌아갑니다.`}
      undo={async ({ mergeId }) => {
        const { restored, kept } = await callApi(
          api.alumni.merge[":mergeId"].undo.$post({ param: { mergeId }, json: {} }),
        );
        return { text: `${formatPeopleCount(restored)}을 전의 내용으로 돌려놓았습니다.`, kept };
      }}
      done="합치기를 되돌렸습니다."
    />
  );
}
