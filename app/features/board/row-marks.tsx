import Lock from "lucide-react/icons/lock";
import Paperclip from "lucide-react/icons/paperclip";
import { formatCount } from "#app/lib/format.ts";
import type { ItemRow } from "#worker/contract/board/view.ts";

export function NewMark() {
  return (
    <span className="new-mark">
      <span aria-hidden="true">N</span>
      <span className="sr-only">새 글</span>
    </span>
  );
}

export function SecretMark() {
  return (
    <span className="inline-flex shrink-0 text-gray-60">
      <Lock aria-hidden="true" className="size-4" />
      <span className="sr-only">비밀글</span>
    </span>
  );
}

/** What stands behind a title: comments, file, new. */
export function RowMarks({ row }: { row: ItemRow }) {
  return (
    <>
      {row.commentCount > 0 && (
        <span className="comment-count">
          <span className="sr-only">댓글 </span>
          <span aria-hidden="true">[</span>
          {formatCount(row.commentCount)}
          <span aria-hidden="true">]</span>
          <span className="sr-only">개</span>
        </span>
      )}
      {row.fileCount > 0 && (
        <span className="file-mark">
          <Paperclip aria-hidden="true" />
          <span className="sr-only">첨부파일 있음</span>
        </span>
      )}
      {row.isNew && <NewMark />}
    </>
  );
}
