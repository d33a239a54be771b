import Lock from "lucide-react/icons/lock";
import Paperclip from "lucide-react/icons/paperclip";
import { useTexts } from "#app/lib/page-language.ts";
import { formatCount } from "#app/lib/format.ts";
import type { ItemRow } from "#worker/contract/board/view.ts";

export function NewMark() {
  const { marks } = useTexts();
  return (
    <span className="new-mark">
      <span aria-hidden="true">N</span>
      <span className="sr-only">{marks.isNew}</span>
    </span>
  );
}

/** Tells readers of an English page that a text is in Korean. */
export function KoreanMark({ text }: { text: string }) {
  const { langOf, marks } = useTexts();
  return (
    langOf(text) && (
      <abbr title={marks.inKorean} className="text-xs font-semibold text-gray-60 no-underline">
        KO
      </abbr>
    )
  );
}

export function SecretMark() {
  const { marks } = useTexts();
  return (
    <span className="inline-flex shrink-0 text-gray-60">
      <Lock aria-hidden="true" className="size-4" />
      <span className="sr-only">{marks.secret}</span>
    </span>
  );
}

export function RowMarks({ row }: { row: ItemRow }) {
  const { marks } = useTexts();
  return (
    <>
      <KoreanMark text={row.title} />
      {row.commentCount > 0 && (
        <span className="comment-count">
          <span className="sr-only">{marks.comments.before}</span>
          <span aria-hidden="true">[</span>
          {formatCount(row.commentCount)}
          <span aria-hidden="true">]</span>
          <span className="sr-only">{marks.comments.after}</span>
        </span>
      )}
      {row.fileCount > 0 && (
        <span className="file-mark">
          <Paperclip aria-hidden="true" />
          <span className="sr-only">{marks.hasFiles}</span>
        </span>
      )}
      {row.isNew && <NewMark />}
    </>
  );
}
