import { useWords } from "#app/lib/page-language.ts";
import Bookmark from "lucide-react/icons/bookmark";
import { useState } from "react";
import { Link, useRevalidator } from "react-router";
import {
  type AlumniListChoice,
  alumniListPath,
  alumniViewPath,
  viewContentOf,
} from "#app/features/alumni/list-choice.ts";
import { showUndoToast } from "#app/features/alumni/undo-toast.tsx";
import { formText, useAction } from "#app/features/form/action.tsx";
import { RowDialog, useEditedRow } from "#app/features/list/row-dialog.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { cx } from "#app/ui/cx.ts";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { toast } from "#app/ui/toast.tsx";
import { ALUMNI_VIEW_LIMITS } from "#worker/contract/alumni/list.ts";
import type { AlumniListPage } from "#worker/domain/alumni/list.server.ts";
import type { AlumniSavedView } from "#worker/domain/alumni/list-view.server.ts";

const calls = api.alumni.view;

interface SavedViewsProps extends Pick<AlumniListPage, "views" | "can"> {
  choice: AlumniListChoice;
}

const pathOf = (choice: AlumniListChoice) => alumniListPath(choice, { page: "1", person: "" });

export function SavedViews({ views, can, choice }: SavedViewsProps) {
  const [saving, setSaving] = useState(false);
  const here = pathOf(choice);
  const shown = views.map((view) => ({ view, path: alumniViewPath(view, choice.view) }));
  const current = shown.find(({ path }) => path === here)?.view;
  const isPlain = here === "/Alumni";
  if (views.length === 0 && isPlain) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      {views.length > 0 && (
        <nav aria-label="저장한 보기">
          <ul className="flex flex-wrap items-center gap-1.5">
            {shown.map(({ view, path }) => (
              <li key={view.id}>
                <Link
                  to={path}
                  preventScrollReset
                  aria-current={view.id === current?.id ? "true" : undefined}
                  className={cx(
                    "inline-flex min-h-11 items-center gap-1.5 rounded-md border px-3 md:min-h-9",
                    view.id === current?.id
                      ? "border-primary-60 bg-primary-5 font-semibold text-primary-80"
                      : "border-gray-30 text-gray-70 hover:border-primary-60 hover:text-primary-70",
                  )}
                >
                  {view.name}
                  {view.isShared && <span className="text-gray-60">공용</span>}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {current ? (
        current.canChange && <ViewActions key={current.id} view={current} views={views} canShare={can.write} />
      ) : (
        <>
          {!isPlain && (
            <Button size="sm" variant="quiet" className="needs-script" onClick={() => setSaving(true)}>
              <Bookmark aria-hidden="true" className="size-4.5" />
              현재 조건 저장
            </Button>
          )}
          <SaveViewDialog
            open={saving}
            views={views}
            choice={choice}
            canShare={can.write}
            onClose={() => setSaving(false)}
          />
        </>
      )}
    </div>
  );
}

const SHARE_LABEL = "주소록을 고치는 담당자와 볼 수 있는 회원에게도 보이기(공용)";

function NameField({ start, error }: { start?: string | undefined; error?: string | null | undefined }) {
  const say = useWords();
  return (
    <Field label="보기 이름" required error={error} hint={say("예: 이메일 없는 {동문}")}>
      <Input name="name" defaultValue={start} maxLength={ALUMNI_VIEW_LIMITS.name} autoComplete="off" />
    </Field>
  );
}

function ViewActions({
  view,
  views,
  canShare,
}: {
  view: AlumniSavedView;
  views: AlumniSavedView[];
  canShare: boolean;
}) {
  const { key, ...edited } = useEditedRow(views, "id");
  const { revalidate } = useRevalidator();
  const param = { id: view.id };
  const { busy, run } = useAction({
    onFailure: (failure) => {
      toast(failure.message, "error");
      return true;
    },
  });
  const undo = async () => {
    await callApi(calls[":id"].restore.$post({ param, json: {} }));
    return "보기를 되살렸습니다.";
  };
  const remove = () =>
    run(async () => {
      await callApi(calls[":id"].$delete({ param, query: { version: String(view.version) } }));
      showUndoToast({ text: `‘${view.name}’ 보기를 지웠습니다.`, undo, reload: revalidate });
    }, null);
  return (
    <div className="needs-script flex gap-1">
      <Button size="sm" variant="quiet" onClick={() => edited.edit(view)}>
        보기 수정
      </Button>
      <Button size="sm" variant="quiet" busy={busy} onClick={() => void remove()}>
        보기 삭제
      </Button>
      <RowDialog
        key={key}
        edited={edited}
        title="보기 수정"
        size="sm"
        read={(form) => ({ name: formText(form, "name"), isShared: form.has("isShared") })}
        describe={({ name, isShared }) => ({ "보기 이름": name, 공용: isShared ? "예" : "아니요" })}
        save={(values, row) =>
          callApi(calls[":id"].$patch({ param, json: { ...values, version: row?.version ?? view.version } }))
        }
        done="보기를 고쳤습니다."
      >
        {(row, errors) => (
          <>
            <NameField start={row?.name} error={errors.name} />
            {canShare && <Checkbox name="isShared" label={SHARE_LABEL} defaultChecked={row?.isShared} />}
          </>
        )}
      </RowDialog>
    </div>
  );
}

interface SaveViewDialogProps {
  open: boolean;
  views: AlumniSavedView[];
  choice: AlumniListChoice;
  canShare: boolean;
  onClose: () => void;
}

function SaveViewDialog({ open, views, choice, canShare, onClose }: SaveViewDialogProps) {
  const { busy, run, fields, general } = useAction();
  const [replaced, setReplaced] = useState("");
  const own = views.filter(({ canChange }) => canChange);
  const view = own.find(({ id }) => id === replaced);
  const save = async (form: FormData) => {
    const content = viewContentOf(choice);
    const json = { name: formText(form, "name"), isShared: form.has("isShared"), content };
    const work = view
      ? () => callApi(calls[":id"].$patch({ param: { id: view.id }, json: { content, version: view.version } }))
      : () => callApi(calls.$put({ json, header: ONCE }));
    if (await run<() => Promise<object>>(work, "지금 보기를 저장했습니다.")) onClose();
  };
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="현재 조건 저장"
      submitLabel="저장"
      busy={busy}
      error={general}
      onSubmit={(form) => void save(form)}
    >
      <p className="text-gray-70">검색 조건, 정렬, 열과 차례, 한 페이지의 수, 좁게 보기를 함께 저장합니다.</p>
      {own.length > 0 && (
        <Field label="저장할 곳">
          <Select
            value={replaced}
            options={[
              { value: "", label: "새 보기" },
              ...own.map(({ id, name }) => ({ value: id, label: `‘${name}’ 보기를 바꾸기` })),
            ]}
            onChange={(event) => setReplaced(event.target.value)}
          />
        </Field>
      )}
      {!view && (
        <>
          <NameField error={fields.name} />
          {canShare && <Checkbox name="isShared" label={SHARE_LABEL} />}
        </>
      )}
    </FormDialog>
  );
}
