import { ALL_DEEDS_LINK, UndoHistory } from "#app/features/alumni/undo-history.tsx";
import { formatCount } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { ProgressBar } from "#app/ui/progress.tsx";
import { Time } from "#app/ui/inline.tsx";
import type { ImportEntry } from "#worker/domain/alumni/import/undo.server.ts";
import type { OpenImport } from "#worker/domain/alumni/import/parts.server.ts";

export function AlumniImportHistory({ imports, undoDays }: { imports: readonly ImportEntry[]; undoDays: number }) {
  const deeds = imports.map(({ importId, fileName, mode, inserted, updated, isUndoStarted, ...entry }) => ({
    ...entry,
    kind: mode === "change" ? ("change" as const) : ("import" as const),
    id: importId,
    name: fileName,
    added: inserted,
    changed: updated,
    isBegun: isUndoStarted,
  }));
  return (
    <UndoHistory
      title="가져오기와 한꺼번에 바꾸기 기록"
      deeds={deeds}
      headers={["작업", "한 사람", "추가", "변경"]}
      cells={({ name, userName, added, changed }) => [name, userName, formatCount(added), formatCount(changed)]}
      fallback={`${undoDays}일 지남`}
      link={ALL_DEEDS_LINK}
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
