import type { DraftStatus } from "#app/features/form/use-draft.ts";
import { formatDateTime } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Time } from "#app/ui/inline.tsx";

function draftStatusText(status: DraftStatus): string {
  switch (status.kind) {
    case "saved":
      return `임시저장됨 ${formatDateTime(status.date).slice(11)}`;
    case "aside":
      return `이 브라우저에 임시저장됨 ${formatDateTime(status.date).slice(11)}`;
    case "saving":
      return "임시저장하는 중";
    case "local":
      return status.signedOut
        ? "로그인 시간이 지나 이 브라우저에만 임시저장하였습니다."
        : `이 브라우저에만 임시저장하였습니다. ${status.reason}`;
    case "failed":
      return `임시저장하지 못했습니다. ${status.reason}`;
    default:
      return "";
  }
}

export function DraftStatusLine({ status, onSignin }: { status: DraftStatus; onSignin: () => void }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-2 text-sm text-gray-60">
      <p role="status">{draftStatusText(status)}</p>
      {status.kind === "local" && status.signedOut && (
        <Button size="sm" variant="quiet" onClick={onSignin}>
          다시 로그인
        </Button>
      )}
    </div>
  );
}

interface DraftOfferProps {
  draftTitle: string;
  date: string;
  /** True if the item was saved by someone else after the draft was started. */
  outdated: boolean;
  /** The subject of that sentence. */
  changed?: string;
  busy: boolean;
  onTake: () => void;
  onDrop: () => void;
}

/** The writer restores or discards a draft; it is never applied automatically. */
export function DraftOffer(props: DraftOfferProps) {
  const { draftTitle, date, outdated, changed = "게시된 글이", busy, onTake, onDrop } = props;
  return (
    <Alert title="작성하던 글이 있습니다." className="mb-6">
      <p className="mt-1">
        <Time date={date} format="datetime" />에 임시저장한 글입니다.
        {draftTitle && ` 제목: ${draftTitle}`} 지금 작성하는 글은 별도로 임시저장됩니다.
        {outdated && ` 임시저장한 뒤에 ${changed} 수정되었습니다.`}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" variant="primary" onClick={onTake}>
          이어 쓰기
        </Button>
        <Button size="sm" busy={busy} onClick={onDrop}>
          버리기
        </Button>
      </div>
    </Alert>
  );
}
