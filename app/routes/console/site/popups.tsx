import { useRef, useState } from "react";
import { DocumentEditor } from "#app/features/content/document-editor.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { findNewestRow } from "#app/features/list/find-newest-row.ts";
import { moveEntry, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { formText, useSave } from "#app/features/form/use-save.ts";
import { fromKoreanInputTime, toKoreanInputTime } from "#app/features/board/write/item-form-values.ts";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Field } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { Input } from "#app/ui/input.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Select } from "#app/ui/select.tsx";
import { Time } from "#app/ui/time.tsx";
import type { PopupPosition, PopupSize } from "#worker/contract/site/rules.ts";
import { listPopups } from "#worker/domain/site/popup.server.ts";
import type { Route } from "./+types/popups";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => ({
  popups: await listPopups(scope),
  now: scope.now().toISOString(),
}));

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["팝업", "관리"] });
}

type PopupData = Route.ComponentProps["loaderData"]["popups"][number];
const POSITIONS = [
  { value: "left", label: "왼쪽 아래" },
  { value: "center", label: "가운데 아래" },
  { value: "right", label: "오른쪽 아래" },
];
const SIZES = [
  { value: "sm", label: "작게" },
  { value: "md", label: "보통" },
  { value: "lg", label: "크게" },
];
const DAYS_SHOWN = 7;

export default function PopupsPage({ loaderData }: Route.ComponentProps) {
  const { popups, now } = loaderData;
  const [editing, setEditing] = useState<PopupData | "new" | null>(null);
  const [chosen, setRemoving] = useState<PopupData | null>(null);
  const removing = findNewestRow(chosen, popups, popupId);
  const { busy, save, clear, message } = useSave();
  const move = (at: number, by: -1 | 1) => {
    const codes = moveEntry(popups, at, by).map(({ id }) => id);
    void save(() => callApi(api.admin.popup.order.$post({ json: { codes } })), "순서를 바꾸었습니다.");
  };
  const remove = async () => {
    if (!removing) return;
    const { id, version } = removing;
    const work = () => callApi(api.admin.popup[":id"].$delete({ param: { id }, query: { version: String(version) } }));
    if (await save(work, "팝업을 삭제하였습니다.")) setRemoving(null);
  };
  return (
    <>
      <ConsoleHeader
        title="팝업"
        description="첫 화면에 기간 동안 뜨는 알림입니다. 여럿이면 위에서부터 하나씩 나오고, 방문자는 24시간 동안 보지 않기를 고를 수 있습니다."
        action={
          <Button size="sm" variant="primary" onClick={() => setEditing("new")}>
            팝업 추가
          </Button>
        }
      />
      {message && !removing && (
        <Alert tone="error" className="mb-4">
          {message}
        </Alert>
      )}
      {popups.length === 0 ? (
        <Empty className="border-y border-gray-20">등록한 팝업이 없습니다.</Empty>
      ) : (
        <ul className="divide-y divide-gray-20 border-y border-gray-20">
          {popups.map((popup, at) => (
            <li key={popup.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
              <div className="min-w-0 flex-1 basis-64">
                <p className="flex flex-wrap items-center gap-2 font-semibold text-gray-90">
                  {popup.title}
                  <PopupState popup={popup} now={now} />
                </p>
                <p className="text-sm text-gray-60">
                  <Time date={popup.startDate} format="datetime" /> ~ <Time date={popup.endDate} format="datetime" />
                </p>
              </div>
              <div className="flex flex-wrap gap-2">
                <RowMoveButtons
                  name={popup.title}
                  index={at}
                  count={popups.length}
                  busy={busy}
                  onMove={(by) => move(at, by)}
                />
                <Button size="sm" onClick={() => setEditing(popup)}>
                  고치기<span className="sr-only"> {popup.title}</span>
                </Button>
                <Button size="sm" variant="danger" onClick={() => setRemoving(popup)}>
                  삭제<span className="sr-only"> {popup.title}</span>
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <PopupDialog
        key={editing === null || editing === "new" ? String(editing) : editing.id}
        editing={findNewestRow(editing, popups, popupId)}
        now={now}
        onClose={() => setEditing(null)}
      />
      <ConfirmDialog
        open={removing !== null}
        onClose={() => {
          setRemoving(null);
          clear();
        }}
        title="팝업을 삭제하시겠습니까?"
        confirmLabel="삭제"
        danger
        busy={busy}
        error={message}
        onConfirm={() => void remove()}
      >
        <p>
          '{removing?.title}'을 삭제합니다. 되살릴 수 없으니, 잠시 내리시려면 고치기에서 '보이지 않게'를 고르십시오.
        </p>
      </ConfirmDialog>
    </>
  );
}

const popupId = ({ id }: PopupData) => id;

function PopupState({ popup, now }: { popup: PopupData; now: string }) {
  if (popup.isShown) return <Badge tone="success">보이는 중</Badge>;
  if (popup.isClosed) return <Badge>내림</Badge>;
  return popup.startDate > now ? <Badge tone="primary">예정</Badge> : <Badge>기간 지남</Badge>;
}

interface PopupDialogProps {
  editing: PopupData | "new" | null;
  now: string;
  onClose: () => void;
}

function PopupDialog({ editing, now, onClose }: PopupDialogProps) {
  const { busy, save, fields, general } = useSave();
  const old = editing === "new" ? null : editing;
  const content = useRef(old?.content ?? "");
  const end = new Date(Date.parse(now) + DAYS_SHOWN * 86_400_000).toISOString();
  const submit = async (form: FormData) => {
    const json = {
      title: formText(form, "title"),
      content: content.current,
      linkUrl: formText(form, "linkUrl"),
      startDate: dayToDate(formText(form, "startDate")),
      endDate: dayToDate(formText(form, "endDate")),
      position: formText(form, "position") as PopupPosition,
      size: formText(form, "size") as PopupSize,
      isClosed: form.has("isClosed"),
    };
    const work = () =>
      old
        ? callApi(api.admin.popup[":id"].$patch({ param: { id: old.id }, json: { ...json, version: old.version } }))
        : callApi(api.admin.popup.$put({ json }));
    if (await save(work, "팝업을 저장하였습니다.")) onClose();
  };
  return (
    <FormDialog
      open={editing !== null}
      onClose={onClose}
      title={old ? "팝업 고치기" : "팝업 추가"}
      size="lg"
      submitLabel="저장"
      busy={busy}
      error={general}
      onSubmit={(form) => void submit(form)}
    >
      <Field label="제목" required error={fields.title}>
        <Input name="title" defaultValue={old?.title ?? ""} maxLength={100} autoComplete="off" />
      </Field>
      <DocumentEditor
        label="내용"
        initial={old?.content ?? ""}
        error={fields.content}
        onChange={(html) => {
          content.current = html;
        }}
      />
      <Field
        label="자세히 보기 주소"
        hint="없으면 비워 두십시오. 이 사이트의 주소는 /로, 다른 사이트는 https://로 시작합니다."
        error={fields.linkUrl}
      >
        <Input name="linkUrl" defaultValue={old?.linkUrl ?? ""} maxLength={300} autoCapitalize="none" />
      </Field>
      <div className="grid gap-5 md:grid-cols-2">
        <Field label="시작" required error={fields.startDate}>
          <Input name="startDate" type="datetime-local" defaultValue={toKoreanInputTime(old?.startDate ?? now)} />
        </Field>
        <Field label="끝" required error={fields.endDate}>
          <Input name="endDate" type="datetime-local" defaultValue={toKoreanInputTime(old?.endDate ?? end)} />
        </Field>
        <Field label="자리" hint="휴대전화에서는 언제나 화면 아래에 꽉 차게 나옵니다." error={fields.position}>
          <Select name="position" options={POSITIONS} defaultValue={old?.position ?? "right"} />
        </Field>
        <Field label="크기" hint="내용이 길면 안에서 스크롤됩니다." error={fields.size}>
          <Select name="size" options={SIZES} defaultValue={old?.size ?? "md"} />
        </Field>
      </div>
      <Checkbox name="isClosed" label="기간이 남아 있어도 보이지 않게" defaultChecked={old?.isClosed ?? false} />
    </FormDialog>
  );
}

/** What cannot be read is sent as it is: the answer names the field. */
function dayToDate(value: string): string {
  return Number.isNaN(Date.parse(value)) ? value : (fromKoreanInputTime(value.slice(0, 16)) ?? "");
}
