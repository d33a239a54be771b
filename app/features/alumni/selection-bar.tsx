import { useWords } from "#app/lib/use-words.ts";
import { useState } from "react";
import { type AlumniListChoice, alumniListPath } from "#app/features/alumni/list-choice.ts";
import { DeleteAlumniDialog } from "#app/features/alumni/delete-dialog.tsx";
import { useSelectedAlumni } from "#app/features/alumni/selection-context.tsx";
import { copiedEmailsMessage, uniqueEmails, downloadText, renderVCards } from "#app/features/alumni/vcard.ts";
import { useToastedAction } from "#app/features/form/use-toasted-action.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.tsx";
import { MERGE_MAX } from "#worker/contract/alumni/duplicate.ts";
import { SELECTION_LIMITS } from "#worker/contract/alumni/list.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";
import type { AlumniListPage } from "#worker/domain/alumni/list.server.ts";

interface AlumniSelectionBarProps extends Pick<AlumniListPage, "binDays" | "can"> {
  choice: AlumniListChoice;
  /** The number of people who match the filter. */
  total: number;
}

export function AlumniSelectionBar({ choice, total, can, binDays }: AlumniSelectionBarProps) {
  const say = useWords();
  const selected = useSelectedAlumni();
  const { selection, count, elsewhere, isAll, clear } = selected;
  const [deleting, setDeleting] = useState<AlumniRow[] | null>(null);
  const { busy, run } = useToastedAction();
  if (selection === null) return null;
  const withPeople = (act: (people: AlumniRow[]) => unknown) =>
    void run(async () => {
      await act(await selected.people());
    }, null);
  const isFew = count <= SELECTION_LIMITS.people;
  const mayMerge = "ids" in selection && can.write && can.remove && count >= 2 && count <= MERGE_MAX;
  return (
    <div className="sticky top-[calc(var(--header-height)+0.25rem)] z-10 mb-2 flex flex-wrap items-center gap-2 rounded-lg bg-primary-5 px-3 py-2.5 shadow-sm md:px-4">
      <p className="tabular mr-auto font-semibold text-primary-80" role="status">
        {formatCount(count)}명 선택
        {elsewhere > 0 && <span className="font-normal"> (다른 페이지 {formatCount(elsewhere)}명)</span>}
      </p>
      {/* On phones it is placed next to the count, above the actions. */}
      <Button size="sm" variant="quiet" className="max-md:min-h-8 md:order-last" onClick={clear}>
        선택 해제
      </Button>
      <div className="flex flex-wrap items-center gap-2 max-md:basis-full max-md:[&>*]:px-2.5">
        {can.write && !isAll && count < total && (
          <Button size="sm" onClick={selected.selectAll}>
            조건에 맞는 {formatCount(total)}명 모두 선택
          </Button>
        )}
        {!isFew && (
          <span className="text-sm text-gray-70">
            복사와 삭제는 한 번에 {formatCount(SELECTION_LIMITS.people)}명까지 할 수 있습니다.
          </span>
        )}
        {isFew && choice.view.fields.includes("email") && (
          <Button size="sm" disabled={busy} onClick={() => withPeople(copyEmails)}>
            이메일 복사
          </Button>
        )}
        {isFew && (
          <Button
            size="sm"
            disabled={busy}
            onClick={() =>
              withPeople((people) =>
                downloadText(renderVCards(people, choice.view.own), say(`{동문} ${people.length}명.vcf`), "text/vcard"),
              )
            }
          >
            연락처 저장
          </Button>
        )}
        {mayMerge && (
          <ButtonLink size="sm" to={mergeSelectionPath(selection.ids, choice)}>
            <span className="max-md:hidden">비교하여 </span>합치기
          </ButtonLink>
        )}
        {isFew && can.remove && (
          <Button size="sm" variant="danger" disabled={busy} onClick={() => withPeople(setDeleting)}>
            삭제
          </Button>
        )}
      </div>
      <DeleteAlumniDialog
        people={deleting ?? []}
        binDays={binDays}
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        onDone={clear}
      />
    </div>
  );
}

const mergeSelectionPath = (ids: readonly string[], choice: AlumniListChoice) =>
  `/Alumni/Merge?${new URLSearchParams({ ids: ids.join(","), back: alumniListPath(choice) })}`;

async function copyEmails(people: readonly AlumniRow[]): Promise<void> {
  const emails = uniqueEmails(people);
  if (emails.length === 0) return toast("볼 수 있는 이메일 주소가 없습니다.", "error");
  try {
    await navigator.clipboard.writeText(emails.join("; "));
    toast(copiedEmailsMessage(people), "success");
  } catch {
    toast("복사하지 못했습니다. 브라우저의 클립보드 권한을 확인해 주십시오.", "error");
  }
}
