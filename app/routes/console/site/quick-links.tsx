import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { AddRowButton, OrderedRows } from "#app/features/list/ordered-rows.tsx";
import { RowDialog, useEditedRow } from "#app/features/list/row-dialog.tsx";
import { formText } from "#app/features/form/form-values.ts";
import { EnglishField } from "#app/features/form/english-field.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { LINK_URL_MAX, QUICK_LINK_LIMITS, QUICK_LINKS_MAX } from "#worker/contract/site/rules.ts";
import { listQuickLinks } from "#worker/domain/site/quick-link.server.ts";
import type { Route } from "./+types/quick-links";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => listQuickLinks(scope));

export const meta = titledMeta("첫 화면 바로가기", "관리");

const calls = api.admin["quick-link"];

export default function QuickLinksPage({ loaderData: links }: Route.ComponentProps) {
  const { key, ...edited } = useEditedRow(links, "id");
  return (
    <>
      <ConsoleHeader
        title="첫 화면 바로가기"
        description={
          <>
            첫 화면 배너 아래의 단추입니다. {QUICK_LINKS_MAX}개까지 두며, 하나도 없으면 게시판과 회원가입이 대신
            나옵니다. 배너의 글은 <TextLink to="/Admin/Contents/banner">첫 화면 배너</TextLink>
            에서 고칩니다.
          </>
        }
        action={
          <AddRowButton disabled={links.length >= QUICK_LINKS_MAX} onClick={edited.add}>
            바로가기 추가
          </AddRowButton>
        }
      />
      <OrderedRows
        rows={links}
        rowName="label"
        emptyText="등록한 바로가기가 없습니다."
        onEdit={edited.edit}
        question={({ id, label, version }) => ({
          label: "삭제",
          title: "바로가기를 삭제하시겠습니까?",
          text: <p>첫 화면에서 '{label}' 단추가 사라집니다. 페이지는 그대로 있습니다.</p>,
          danger: true,
          work: () => callApi(calls[":id"].$delete({ param: { id }, query: { version: String(version) } })),
          done: "바로가기를 삭제하였습니다.",
        })}
        saveOrder={calls.order}
      >
        {({ label, note, href }) => (
          <>
            <p className="font-semibold text-gray-90">{label}</p>
            <p className="text-sm text-gray-60">
              {note && `${note} · `}
              {href}
            </p>
          </>
        )}
      </OrderedRows>
      <RowDialog
        key={key}
        edited={edited}
        title={edited.row ? "바로가기 고치기" : "바로가기 추가"}
        read={(form) => ({
          label: formText(form, "label"),
          note: formText(form, "note"),
          englishLabel: formText(form, "englishLabel"),
          englishNote: formText(form, "englishNote"),
          href: formText(form, "href"),
        })}
        describe={({ label, note, href, englishLabel, englishNote }) => ({
          이름: label,
          설명: note,
          주소: href,
          "영문 이름": englishLabel,
          "영문 설명": englishNote,
        })}
        save={(json, row) =>
          row
            ? callApi(calls[":id"].$patch({ param: { id: row.id }, json: { ...json, version: row.version } }))
            : callApi(calls.$put({ json }))
        }
        done="바로가기를 저장하였습니다."
      >
        {(row, errors) => (
          <>
            <Field label="이름" required error={errors.label}>
              <Input
                name="label"
                defaultValue={row?.label ?? ""}
                maxLength={QUICK_LINK_LIMITS.label}
                autoComplete="off"
              />
            </Field>
            <Field label="설명" hint="이름 아래에 작게 나옵니다." error={errors.note}>
              <Input name="note" defaultValue={row?.note ?? ""} maxLength={QUICK_LINK_LIMITS.note} autoComplete="off" />
            </Field>
            <Field
              label="주소"
              hint="이 사이트의 주소는 /로, 다른 사이트는 https://로 시작합니다. 예: /research/proposal"
              required
              error={errors.href}
            >
              <Input
                name="href"
                defaultValue={row?.href ?? ""}
                maxLength={LINK_URL_MAX}
                autoCapitalize="none"
                autoComplete="off"
              />
            </Field>
            <EnglishField
              name="englishLabel"
              label="영문 이름"
              hint="비워 두면 영문 첫 화면에는 나오지 않습니다."
              of={row}
              maxLength={QUICK_LINK_LIMITS.englishLabel}
              errors={errors}
            />
            <EnglishField
              name="englishNote"
              label="영문 설명"
              of={row}
              maxLength={QUICK_LINK_LIMITS.englishNote}
              errors={errors}
            />
          </>
        )}
      </RowDialog>
    </>
  );
}
