import { useState } from "react";
import { useRevalidator } from "react-router";
import { useAct } from "#app/features/alumni/use-act.ts";
import { api, call } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Table, Td, Th } from "#app/ui/table.tsx";
import { Time } from "#app/ui/time.tsx";
import type { MergeEntry, MergeUndo } from "#worker/contract/alumni-merge.ts";

/** What was merged and can be parted again. */
export function MergeHistory({ merges, canUndo }: { merges: readonly MergeEntry[]; canUndo: boolean }) {
  const [undoing, setUndoing] = useState<MergeEntry | null>(null);
  const [undone, setUndone] = useState<MergeUndo | null>(null);
  const { busy, error, act } = useAct();
  const { revalidate } = useRevalidator();
  const undo = () =>
    act(async () => {
      if (!undoing) return;
      const { mergeId } = undoing;
      setUndone(await call(api.alumni.merge[":mergeId"].undo.$post({ param: { mergeId }, json: {} })));
      setUndoing(null);
      await revalidate();
    });
  if (merges.length === 0) return null;
  return (
    <section aria-labelledby="merge-history" className="mt-14">
      <h2 id="merge-history" className="mb-4 text-xl">
        합친 기록
      </h2>
      {undone && (
        <Notice tone="success" title="합치기를 되돌렸습니다." className="mb-4">
          <p>
            {formatCount(undone.restored)}명을 전의 내용으로 돌려놓았습니다.
            {undone.kept.length > 0 &&
              ` 그 뒤에 고친 ${undone.kept.map((person) => person.name).join(", ")} 님은 그대로 두었습니다.`}
          </p>
        </Notice>
      )}
      <Table caption="합친 기록" className="min-w-160">
        <thead>
          <tr>
            <Th>일시</Th>
            <Th>남은 동문</Th>
            <Th>합친 수</Th>
            <Th>한 사람</Th>
            <Th>되돌리기</Th>
          </tr>
        </thead>
        <tbody>
          {merges.map((entry) => (
            <tr key={entry.mergeId}>
              <Td>
                <Time date={entry.createdDate} format="datetime" />
              </Td>
              <Td className="font-semibold text-gray-90">{entry.name || "지워진 동문"}</Td>
              <Td>{formatCount(entry.people)}명을 하나로</Td>
              <Td>{entry.userName}</Td>
              <Td>
                {entry.undoneDate ? (
                  <Badge>되돌림</Badge>
                ) : (
                  canUndo && (
                    <Button size="sm" className="needs-script" onClick={() => setUndoing(entry)}>
                      되돌리기
                    </Button>
                  )
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <ConfirmDialog
        open={undoing !== null}
        onClose={() => setUndoing(null)}
        title="합치기를 되돌리시겠습니까?"
        confirmLabel="되돌리기"
        busy={busy}
        error={error}
        onConfirm={undo}
      >
        <p>
          합치기 전의 {formatCount(undoing?.people ?? 0)}명으로 돌아갑니다. 그 뒤에 손으로 고친 사람은 그대로 둡니다.
        </p>
      </ConfirmDialog>
    </section>
  );
}
