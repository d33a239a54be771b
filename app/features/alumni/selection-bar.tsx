import { useWords } from "#app/lib/page-language.ts";
import { useState } from "react";
import { type AlumniListChoice, alumniListPath } from "#app/features/alumni/list-choice.ts";
import { DeleteAlumniDialog } from "#app/features/alumni/delete-dialog.tsx";
import { useSelectedAlumni } from "#app/features/alumni/selection-context.tsx";
import { copiedEmailsMessage, downloadText, renderVCards, uniqueEmails } from "#app/features/alumni/vcard.ts";
import { useToastedAction } from "#app/features/form/use-toasted-action.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.tsx";
import { MERGE_MAX } from "#worker/contract/alumni/duplicate.ts";
import type { AlumniSelection } from "#worker/contract/alumni/conditions.ts";
import { SELECTION_LIMITS } from "#worker/contract/alumni/list.ts";
import { letterCause } from "#worker/contract/mail/letters.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";
import type { AlumniListPage } from "#worker/domain/alumni/list.server.ts";
import { useRevalidator } from "react-router";
import { BookFieldControl, readBookField } from "#app/features/alumni/book-field-control.tsx";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { PersonOwnField, readOwnField } from "#app/features/alumni/own-field-control.tsx";
import { undoAndTell, undoUntilText } from "#app/features/alumni/undo-deed.ts";
import { showUndoToast } from "#app/features/alumni/undo-toast.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Field, Select } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import type { AlumniSettingsView } from "#worker/contract/alumni/alumni-settings.ts";
import { type AlumniField, EMPTY_ALUMNI_VALUES, SHARED_FIELDS } from "#worker/contract/alumni/columns.ts";
import { type AlumniFieldCode, isOwnFieldCode, ownFieldPath } from "#worker/contract/alumni/own-fields.ts";
import { EndedPeople } from "#app/features/alumni/ended-people.tsx";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import type { AlumniChange } from "#worker/domain/alumni/change.server.ts";

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
  const [changing, setChanging] = useState(false);
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
        {can.write && (
          <Button size="sm" disabled={busy} onClick={() => setChanging(true)}>
            항목 바꾸기
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
      <ChangeAlumniDialog
        selection={selection}
        view={choice.view}
        open={changing}
        onClose={() => setChanging(false)}
        onDone={clear}
      />
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
  const reached = people.filter((person) => letterCause(person, "email") === "");
  const emails = uniqueEmails(reached);
  const left = people.length - reached.length;
  if (emails.length === 0) return toast("볼 수 있는 이메일 주소가 없습니다.", "error");
  try {
    await navigator.clipboard.writeText(emails.join("; "));
    toast(
      [copiedEmailsMessage(reached), left > 0 && `보내면 안 되는 ${formatCount(left)}명은 뺐습니다.`]
        .filter(Boolean)
        .join(" "),
      "success",
    );
  } catch {
    toast("복사하지 못했습니다. 브라우저의 클립보드 권한을 확인해 주십시오.", "error");
  }
}

interface ChangeAlumniDialogProps {
  selection: AlumniSelection;
  view: AlumniSettingsView;
  open: boolean;
  onClose: () => void;
  /** Empties the selection. */
  onDone: () => void;
}

/** Sets one field for all selected people: first tells how many, then changes them; the toast undoes it. */
function ChangeAlumniDialog({ selection, view, open, onClose, onDone }: ChangeAlumniDialogProps) {
  const labelOf = useColumnLabel();
  const { busy, run, fields: errors, message, clear } = useAction({ reloads: "success" });
  const { revalidate } = useRevalidator();
  const own = view.own.filter(({ kind }) => kind !== "file");
  const shared = SHARED_FIELDS.filter((each) => view.fields.includes(each));
  const choices: AlumniFieldCode[] = [...shared, ...own.map(({ code }) => code)];
  const [field, setField] = useState<AlumniFieldCode>(choices.includes("state") ? "state" : (choices[0] ?? "memo"));
  const [plan, setPlan] = useState<AlumniChange | null>(null);
  const [ended, setEnded] = useState<string[]>([]);
  const ownField = own.find(({ code }) => code === field);
  const extra: AlumniField[] = field === "state" && view.fields.includes("stateDate") ? ["stateDate"] : [];
  const valuesOf = (form: FormData) =>
    isOwnFieldCode(field)
      ? { set: {}, own: ownField ? { [field]: readOwnField(ownField, form) } : {} }
      : {
          set: Object.fromEntries(
            [field, ...extra]
              .map((each) => [each, readBookField(each, form)] as const)
              .filter(([each, text]) => each === field || text !== ""),
          ),
          own: {},
        };
  const close = () => {
    setPlan(null);
    setEnded([]);
    clear();
    onClose();
  };
  const isTicked = plan !== null && plan.ended.some(({ id, isTaken }) => ended.includes(id) !== isTaken);
  const submit = async (form: FormData) => {
    const json = { segment: selection, ...valuesOf(form), ended };
    const count = isTicked ? undefined : plan?.count;
    const results: AlumniChange[] = [];
    const isDone = await run(async () => {
      results.push(await callApi(api.alumni.bulk.$post({ json: count ? { ...json, count } : json })));
    }, null);
    const [result] = results;
    if (!isDone || !result) return setPlan(null);
    const { importId } = result;
    if (importId === null) return setPlan(result);
    close();
    onDone();
    showUndoToast({
      text: `${formatCount(result.count)}명의 정보를 바꾸었습니다. ${undoUntilText(result.undoDays)}`,
      undo: () => undoAndTell("change", importId),
      reload: revalidate,
    });
  };
  const names = plan?.names.join(", ") ?? "";
  const more = (plan?.count ?? 0) - (plan?.names.length ?? 0);
  return (
    <FormDialog
      open={open}
      onClose={close}
      title="선택한 사람의 항목 바꾸기"
      submitLabel={plan && !isTicked ? `${formatCount(plan.count)}명 바꾸기` : "몇 명인지 확인"}
      busy={busy}
      disabled={plan?.count === 0 && !isTicked}
      error={message}
      onSubmit={(form) => void submit(form)}
    >
      <div className="space-y-4">
        <Field label="바꿀 항목">
          <Select
            name="field"
            value={field}
            options={choices.map((each) => ({ value: each, label: labelOf(each) }))}
            onChange={(event) => {
              setField(event.target.value as AlumniFieldCode);
              setPlan(null);
            }}
          />
        </Field>
        <div className="space-y-4" onInput={() => setPlan(null)}>
          {ownField ? (
            <PersonOwnField
              key={field}
              field={ownField}
              value={undefined}
              error={errors[ownFieldPath(ownField.code)]}
            />
          ) : (
            [field as AlumniField, ...extra].map((each) => (
              <BookFieldControl
                key={each}
                field={each}
                value={EMPTY_ALUMNI_VALUES[each]}
                error={errors[each] ?? errors[`set.${each}`]}
                hint={each === "stateDate" ? "비우면 오늘로 적습니다." : undefined}
              />
            ))
          )}
        </div>
        {plan && plan.ended.length > 0 && (
          <EndedPeople ended={plan.ended} ticked={ended} busy={busy} onTick={setEnded} />
        )}
        {plan && (
          <Alert>
            {plan.count === 0
              ? plan.ended.some(({ isTaken }) => !isTaken)
                ? "바뀔 사람이 없습니다."
                : "바뀔 사람이 없습니다. 모두 이미 이 값입니다."
              : `${formatCount(plan.count)}명의 ${withParticle(`‘${labelOf(field)}’`, "을/를")} ${plan.empties ? "비웁니다" : "바꿉니다"}: ${names}${more > 0 ? ` 외 ${formatCount(more)}명` : ""}.`}
            {plan.count > 0 && plan.unchanged > 0 && ` 이미 이 값인 ${formatCount(plan.unchanged)}명은 그대로 둡니다.`}
            {plan.count > 0 &&
              plan.absorbed > 0 &&
              ` 이들에게 합친 기록 ${formatCount(plan.absorbed)}건에서도 함께 지웁니다.`}
          </Alert>
        )}
      </div>
    </FormDialog>
  );
}
