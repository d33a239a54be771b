import type { DraftAct } from "#app/features/content/edit/draft-dialogs.tsx";
import { formatDateTime } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { useIsHydrated } from "#app/ui/use-is-hydrated.ts";

interface DraftBarProps {
  savedDate: string | null;
  canDrop: boolean;
  canWithdraw: boolean;
  busy: boolean;
  waits: boolean;
  onAct: (act: DraftAct) => void;
  onPreview: () => void;
  onPublish: () => void;
}

export function DraftBar(props: DraftBarProps) {
  const { savedDate, canDrop, canWithdraw, busy, waits, onAct, onPreview, onPublish } = props;
  const hydrated = useIsHydrated();
  const disabled = !hydrated || waits;
  return (
    <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap items-center gap-2 border-t border-gray-20 bg-white/97 px-1 py-4">
      <p role="status" className="mr-auto text-sm text-gray-60">
        {savedDate && `초안 저장됨 ${formatDateTime(savedDate).slice(11)}`}
      </p>
      {canWithdraw && (
        <Button size="sm" variant="quiet" onClick={() => onAct("withdraw")}>
          게시 내리기
        </Button>
      )}
      {canDrop && (
        <Button size="sm" variant="quiet" onClick={() => onAct("drop")}>
          초안 버리기
        </Button>
      )}
      <Button size="sm" onClick={onPreview} disabled={disabled}>
        미리보기
      </Button>
      <Button size="sm" type="submit" busy={busy} disabled={disabled}>
        초안 저장
      </Button>
      <Button size="sm" variant="primary" disabled={disabled} onClick={onPublish}>
        게시
      </Button>
    </div>
  );
}
