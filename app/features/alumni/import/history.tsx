import { useState } from "react";
import { useRevalidator } from "react-router";
import { api, call } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Table, Td, Th } from "#app/ui/table.tsx";
import { Time } from "#app/ui/time.tsx";
import type { ImportEntry, UndoResult } from "#worker/contract/alumni.ts";
import { AppError, ERRORS } from "#worker/contract/errors.ts";

/** What came in, and the way back for as long as the settings leave. */
export function ImportHistory({ imports, undoDays }: { imports: readonly ImportEntry[]; undoDays: number }) {
  const [undoing, setUndoing] = useState<ImportEntry | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [undone, setUndone] = useState<UndoResult | null>(null);
  const { revalidate } = useRevalidator();
  const undo = async () => {
    if (!undoing) return;
    setBusy(true);
    setError(null);
    try {
      const { importId } = undoing;
      setUndone(await call(api.alumni.import[":importId"].undo.$post({ param: { importId }, json: {} })));
      setUndoing(null);
      await revalidate();
    } catch (thrown) {
      setError(thrown instanceof AppError ? thrown.message : ERRORS.INTERNAL_ERROR.message);
    } finally {
      setBusy(false);
    }
  };
  if (imports.length === 0) return null;
  return (
    <section aria-labelledby="import-history" className="mt-14">
      <h2 id="import-history" className="mb-4 text-xl">
        가져오기 기록
      </h2>
      {undone && <Undone result={undone} />}
      <Table caption="가져오기 기록" className="min-w-160">
        <thead>
          <tr>
            <Th>일시</Th>
            <Th>파일</Th>
            <Th>한 사람</Th>
            <Th>추가</Th>
            <Th>변경</Th>
            <Th>되돌리기</Th>
          </tr>
        </thead>
        <tbody>
          {imports.map((entry) => (
            <tr key={entry.importId}>
              <Td>
                <Time date={entry.createdDate} format="datetime" />
              </Td>
              <Td>{entry.fileName}</Td>
              <Td>{entry.userName}</Td>
              <Td>{formatCount(entry.inserted)}</Td>
              <Td>{formatCount(entry.updated)}</Td>
              <Td>
                {entry.undoneDate ? (
                  <Badge>되돌림</Badge>
                ) : entry.undoable ? (
                  <Button size="sm" className="needs-script" onClick={() => setUndoing(entry)}>
                    되돌리기
                  </Button>
                ) : (
                  <span className="text-sm text-gray-60">{undoDays}일 지남</span>
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <ConfirmDialog
        open={undoing !== null}
        onClose={() => setUndoing(null)}
        title="가져오기를 되돌리시겠습니까?"
        confirmLabel="되돌리기"
        danger
        busy={busy}
        error={error}
        onConfirm={undo}
      >
        <p>
          추가한 {formatCount(undoing?.inserted ?? 0)}명은 지워지고 변경한 {formatCount(undoing?.updated ?? 0)}명은
          가져오기 전의 내용으로 돌아갑니다. 그 뒤에 손으로 고친 사람은 그대로 둡니다.
        </p>
      </ConfirmDialog>
    </section>
  );
}

function Undone({ result }: { result: UndoResult }) {
  return (
    <Notice tone="success" title="가져오기를 되돌렸습니다." className="mb-4">
      <p>
        {formatCount(result.removed)}명을 지우고 {formatCount(result.restored)}명을 전의 내용으로 돌려놓았습니다.
        {result.kept.length > 0 &&
          ` 그 뒤에 고친 ${result.kept.map((person) => person.name).join(", ")} 님은 그대로 두었습니다.`}
      </p>
    </Notice>
  );
}
