import { useWords } from "#app/lib/use-words.ts";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { type AlumniListChoice, alumniListPath } from "#app/features/alumni/list-choice.ts";
import { AlumniColumnChooser } from "#app/features/alumni/column-chooser.tsx";
import { DeleteAlumniDialog } from "#app/features/alumni/delete-dialog.tsx";
import { copiedEmailsMessage, uniqueEmails, downloadText, renderVCards } from "#app/features/alumni/vcard.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { toast } from "#app/ui/toast.tsx";
import { MERGE_MAX } from "#worker/contract/alumni/merge-rules.ts";
import type { AlumniListPage, AlumniRow } from "#worker/contract/alumni/view.ts";

const SIZES = ["20", "50", "100"];

/** How many there are, and how the list is shown. */
export function AlumniListBar({
  people,
  choice,
  can,
}: Pick<AlumniListPage, "people" | "can"> & { choice: AlumniListChoice }) {
  const say = useWords();
  const sizes = can.write ? SIZES : SIZES.slice(0, 2);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <p className="tabular text-gray-70" role="status">
        총 <strong className="text-primary-60">{formatCount(people.totalElements)}</strong>명
        <span aria-hidden="true" className="text-gray-40">
          {" · "}
        </span>
        {formatCount(people.page)}/{formatCount(people.totalPages)} 페이지
      </p>
      <div className="flex items-center gap-2">
        <nav aria-label={say("한 페이지에 볼 {동문} 수")}>
          <ul className="tabular flex items-center text-sm">
            {sizes.map((size) => (
              <li key={size}>
                <Link
                  to={alumniListPath(choice, { size, page: "1" })}
                  aria-current={size === String(people.size) ? "true" : undefined}
                  preventScrollReset
                  className={cx(
                    "inline-flex min-h-11 items-center rounded-md px-2.5",
                    size === String(people.size) ? "font-bold text-primary-60" : "text-gray-60 hover:text-primary-60",
                  )}
                >
                  {size}
                  <span className="sr-only md:not-sr-only">명씩</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Link
          to={alumniListPath(choice, { density: choice.density === "dense" ? "" : "dense" })}
          aria-current={choice.density === "dense" ? "true" : undefined}
          preventScrollReset
          className={cx(
            "hidden min-h-11 items-center rounded-md px-2.5 text-sm md:inline-flex",
            choice.density === "dense" ? "font-bold text-primary-60" : "text-gray-60 hover:text-primary-60",
          )}
        >
          촘촘히
        </Link>
        <AlumniColumnChooser key={choice.columns.join()} choice={choice} />
      </div>
    </div>
  );
}

interface AlumniSelectionBarProps extends Pick<AlumniListPage, "binDays"> {
  people: readonly AlumniRow[];
  /** How many of them this page does not show. */
  elsewhere: number;
  choice: AlumniListChoice;
  can: AlumniListPage["can"];
  onClear: () => void;
  /** For what is done with all that match, beside those that are ticked. */
  children?: ReactNode;
}

/** What can be done with the people that are ticked. */
export function AlumniSelectionBar({
  people,
  elsewhere,
  choice,
  can,
  binDays,
  onClear,
  children,
}: AlumniSelectionBarProps) {
  const say = useWords();
  const [deleting, setDeleting] = useState(false);
  if (people.length === 0) return null;
  return (
    <div className="sticky top-[calc(var(--header-height)+0.25rem)] z-10 mb-2 flex flex-wrap items-center gap-2 rounded-lg bg-primary-5 px-3 py-2.5 shadow-sm md:px-4">
      <p className="tabular mr-auto font-semibold text-primary-80" role="status">
        {formatCount(people.length)}명 선택
        {elsewhere > 0 && <span className="font-normal"> (다른 페이지 {formatCount(elsewhere)}명)</span>}
      </p>
      {/* On a phone beside the count, above what is done with them. */}
      <Button size="sm" variant="quiet" className="max-md:min-h-8 md:order-last" onClick={onClear}>
        선택 해제
      </Button>
      <div className="flex flex-wrap gap-2 max-md:basis-full max-md:[&>*]:px-2.5">
        {children}
        {choice.view.fields.includes("email") && (
          <Button size="sm" onClick={() => copyEmails(people)}>
            이메일 복사
          </Button>
        )}
        <Button
          size="sm"
          onClick={() =>
            downloadText(renderVCards(people, choice.view.own), say(`{동문} ${people.length}명.vcf`), "text/vcard")
          }
        >
          연락처 저장
        </Button>
        {can.write && can.remove && people.length >= 2 && people.length <= MERGE_MAX && (
          <ButtonLink size="sm" to={mergeSelectionPath(people, choice)}>
            <span className="max-md:hidden">견주어 </span>합치기
          </ButtonLink>
        )}
        {can.remove && (
          <Button size="sm" variant="danger" onClick={() => setDeleting(true)}>
            삭제
          </Button>
        )}
      </div>
      <DeleteAlumniDialog
        people={people}
        binDays={binDays}
        open={deleting}
        onClose={() => setDeleting(false)}
        onDone={onClear}
      />
    </div>
  );
}

function mergeSelectionPath(people: readonly AlumniRow[], choice: AlumniListChoice): string {
  const ids = people.map((person) => person.id).join(",");
  return `/Alumni/Merge?${new URLSearchParams({ ids, back: alumniListPath(choice) })}`;
}

async function copyEmails(people: readonly AlumniRow[]): Promise<void> {
  const emails = uniqueEmails(people);
  if (emails.length === 0) return toast("볼 수 있는 이메일 주소가 없습니다.", "error");
  try {
    await navigator.clipboard.writeText(emails.join("; "));
    toast(copiedEmailsMessage(people), "success");
  } catch {
    toast("복사하지 못하였습니다. 브라우저의 클립보드 권한을 확인해 주십시오.", "error");
  }
}
