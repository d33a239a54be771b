import { DocumentEditor } from "#app/features/content/document-editor.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { AddRowButton, OrderedRows } from "#app/features/list/ordered-rows.tsx";
import { type EditedRow, RowDialog, useEditedRow } from "#app/features/list/row-dialog.tsx";
import { formText } from "#app/features/form/form-values.ts";
import { fromKoreanInputTime, toKoreanInputTime } from "#app/features/board/write/item-form-values.ts";
import { EnglishField } from "#app/features/form/english-field.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Select } from "#app/ui/select.tsx";
import { Time } from "#app/ui/time.tsx";
import { formatDateTime } from "#app/lib/format.ts";
import { withParticle } from "#worker/contract/kernel/particles.ts";
import { LINK_URL_MAX, POPUP_TITLE_MAX, type PopupPosition, type PopupSize } from "#worker/contract/site/rules.ts";
import { listPopups } from "#worker/domain/site/popup.server.ts";
import type { Route } from "./+types/popups";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => ({
  popups: await listPopups(scope),
  now: scope.now().toISOString(),
}));

export const meta = titledMeta("팝업", "관리");

const calls = api.admin.popup;
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
  const { key, ...edited } = useEditedRow(popups, "id");
  return (
    <>
      <ConsoleHeader
        title="팝업"
        description="정한 기간 동안 첫 화면에 뜨는 알림입니다. 여러 개이면 위에서부터 하나씩 나오고, 방문자는 ‘24시간 동안 보지 않기’를 고를 수 있습니다."
        action={<AddRowButton onClick={edited.add}>팝업 추가</AddRowButton>}
      />
      <OrderedRows
        rows={popups}
        rowName="title"
        emptyText="등록한 팝업이 없습니다."
        onEdit={edited.edit}
        question={({ id, title, version }) => ({
          label: "삭제",
          title: "팝업을 삭제하시겠습니까?",
          text: (
            <p>
              {withParticle(`'${title}'`, "을/를")} 삭제합니다. 되살릴 수 없으니, 잠시 내리시려면 ‘고치기’에서 ‘보이지
              않게’를 고르십시오.
            </p>
          ),
          danger: true,
          work: () => callApi(calls[":id"].$delete({ param: { id }, query: { version: String(version) } })),
          done: "팝업을 삭제하였습니다.",
        })}
        saveOrder={calls.order}
      >
        {(popup) => (
          <>
            <p className="flex flex-wrap items-center gap-2 font-semibold text-gray-90">
              {popup.title}
              <PopupState popup={popup} now={now} />
            </p>
            <p className="text-sm text-gray-60">
              <Time date={popup.startDate} format="datetime" /> ~ <Time date={popup.endDate} format="datetime" />
            </p>
          </>
        )}
      </OrderedRows>
      <PopupDialog key={key} edited={edited} now={now} />
    </>
  );
}

function PopupState({ popup, now }: { popup: PopupData; now: string }) {
  if (popup.isShown) return <Badge tone="success">보이는 중</Badge>;
  if (popup.isClosed) return <Badge>내림</Badge>;
  return popup.startDate > now ? <Badge tone="primary">예정</Badge> : <Badge>기간 지남</Badge>;
}

type PopupValues = Omit<PopupData, "id" | "version" | "isShown" | "modifiedDate">;
const textOf = (html: string) => new DOMParser().parseFromString(html, "text/html").body.textContent;
const describePopup = (popup: PopupValues) => ({
  제목: popup.title,
  내용: textOf(popup.content),
  "영문 제목": popup.englishTitle,
  "영문 내용": textOf(popup.englishContent),
  "자세히 보기 주소": popup.linkUrl,
  시작: formatDateTime(popup.startDate),
  끝: formatDateTime(popup.endDate),
  자리: POSITIONS.find(({ value }) => value === popup.position)?.label ?? "",
  크기: SIZES.find(({ value }) => value === popup.size)?.label ?? "",
  "보이지 않게": popup.isClosed ? "예" : "아니요",
});

function PopupDialog({ edited, now }: { edited: EditedRow<PopupData>; now: string }) {
  const old = edited.row;
  const end = new Date(Date.parse(now) + DAYS_SHOWN * 86_400_000).toISOString();
  const read = (form: FormData) => ({
    title: formText(form, "title"),
    content: formText(form, "content"),
    englishTitle: formText(form, "englishTitle"),
    englishContent: formText(form, "englishContent"),
    linkUrl: formText(form, "linkUrl"),
    startDate: dayToDate(formText(form, "startDate")),
    endDate: dayToDate(formText(form, "endDate")),
    position: formText(form, "position") as PopupPosition,
    size: formText(form, "size") as PopupSize,
    isClosed: form.has("isClosed"),
  });
  const save = (json: PopupValues, popup: PopupData | null) =>
    popup
      ? callApi(calls[":id"].$patch({ param: { id: popup.id }, json: { ...json, version: popup.version } }))
      : callApi(calls.$put({ json }));
  return (
    <RowDialog
      title={old ? "팝업 고치기" : "팝업 추가"}
      done="팝업을 저장하였습니다."
      edited={edited}
      read={read}
      describe={describePopup}
      save={save}
      size="lg"
    >
      {(_, errors) => (
        <>
          <Field label="제목" required error={errors.title}>
            <Input name="title" defaultValue={old?.title ?? ""} maxLength={POPUP_TITLE_MAX} autoComplete="off" />
          </Field>
          <DocumentEditor name="content" label="내용" initial={old?.content ?? ""} error={errors.content} />
          <details
            open={old?.englishTitle || errors.englishTitle || errors.englishContent ? true : undefined}
            className="rounded-lg border border-gray-20 px-4"
          >
            <summary className="min-h-11 cursor-pointer content-center font-semibold text-gray-90">영문 팝업</summary>
            <div className="grid gap-5 pt-2 pb-4">
              <EnglishField
                name="englishTitle"
                label="영문 제목"
                hint="영문 제목과 내용을 적으시면 영문 첫 화면에도 뜹니다."
                of={old}
                maxLength={POPUP_TITLE_MAX}
                errors={errors}
              />
              <DocumentEditor
                id="english-document"
                name="englishContent"
                label="영문 내용"
                initial={old?.englishContent ?? ""}
                error={errors.englishContent}
                isOptional
              />
            </div>
          </details>
          <Field
            label="자세히 보기 주소"
            hint="없으면 비워 두십시오. 이 사이트의 주소는 /로, 다른 사이트는 https://로 시작합니다."
            error={errors.linkUrl}
          >
            <Input name="linkUrl" defaultValue={old?.linkUrl ?? ""} maxLength={LINK_URL_MAX} autoCapitalize="none" />
          </Field>
          <div className="grid gap-5 md:grid-cols-2">
            <Field label="시작" required error={errors.startDate}>
              <Input name="startDate" type="datetime-local" defaultValue={toKoreanInputTime(old?.startDate ?? now)} />
            </Field>
            <Field label="끝" required error={errors.endDate}>
              <Input name="endDate" type="datetime-local" defaultValue={toKoreanInputTime(old?.endDate ?? end)} />
            </Field>
            <Field label="자리" hint="휴대전화에서는 언제나 화면 아래에 꽉 차게 나옵니다." error={errors.position}>
              <Select name="position" options={POSITIONS} defaultValue={old?.position ?? "right"} />
            </Field>
            <Field label="크기" hint="내용이 길면 안에서 스크롤됩니다." error={errors.size}>
              <Select name="size" options={SIZES} defaultValue={old?.size ?? "md"} />
            </Field>
          </div>
          <Checkbox name="isClosed" label="기간이 남아 있어도 보이지 않게" defaultChecked={old?.isClosed ?? false} />
        </>
      )}
    </RowDialog>
  );
}

/** Sends an unreadable date unchanged, so that the API error names the field. */
function dayToDate(value: string): string {
  return Number.isNaN(Date.parse(value)) ? value : (fromKoreanInputTime(value.slice(0, 16)) ?? "");
}
