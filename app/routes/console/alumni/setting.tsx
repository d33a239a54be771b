import { useWords } from "#app/lib/page-language.ts";
import { AlumniSettingsForm } from "#app/features/alumni/setting/setting-form.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { type AdminAlumniField, alumniFields } from "#worker/domain/alumni/own-field.server.ts";
import { getAlumniSetting } from "#worker/domain/alumni/setting.server.ts";
import type { Route } from "./+types/setting";
import { useRevalidator } from "react-router";
import { OwnFieldFields, type OwnFieldForm, readOwnFieldForm } from "#app/features/alumni/setting/own-field-fields.tsx";
import { FieldRows } from "#app/features/list/field-rows.tsx";
import { RowEditor } from "#app/features/list/rows-screen.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { showUndoToast } from "#app/features/alumni/undo-toast.tsx";
import { OWN_FIELD_ACCESS_LABELS, OWN_FIELD_KIND_LABELS } from "#worker/contract/alumni/own-fields.ts";
import { alumniFieldRow } from "#worker/contract/alumni/rows.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [setting, fields] = await Promise.all([getAlumniSetting(scope), alumniFields.list(scope)]);
  return { setting, fields };
});

export default function AlumniSettingPage({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const { fields } = loaderData;
  return (
    <>
      <ConsoleHeader
        description="주소록에서 어떤 항목을 쓰고, 회원이 무엇을 할 수 있으며, 자료를 얼마나 보관하는지 정합니다."
        links={[{ label: say("{동문주소록} 보기"), href: "/Alumni" }]}
      />
      <AlumniSettingsForm setting={loaderData.setting} own={fields.filter(({ isClosed }) => !isClosed)} />
      <OwnFieldList fields={fields} />
    </>
  );
}

const calls = api.admin.setting.alumni.field;

function OwnFieldList({ fields }: { fields: AdminAlumniField[] }) {
  const { revalidate } = useRevalidator();
  /** Reverts only renamed choices, in the list and in stored values. */
  const offerRenameBack = ({ code, choices, isClosed }: AdminAlumniField, saved: OwnFieldForm, version: number) =>
    showUndoToast({
      text: "고른 사람의 값도 함께 바꾸었습니다.",
      undo: async () => {
        const renames = saved.renames.map(({ from, to }) => ({ from: to, to: from }));
        const json = { ...saved, choices, renames, isClosed, version };
        await callApi(calls[":id"].$patch({ param: { id: code }, json }));
        return "말을 되돌렸습니다.";
      },
      reload: revalidate,
    });
  return (
    <FieldRows
      title="더한 항목"
      rows={fields}
      calls={calls}
      emptyText="더한 항목이 없습니다. 생년월일이나 회비처럼 기본 항목에 없는 것을 여기서 만듭니다."
      closing={{
        text: ({ valueCount }) =>
          `${formatCount(valueCount)}명의 값은 지우지 않고, 화면과 파일에서 뺍니다. 언제든 다시 열 수 있습니다.`,
        done: "항목을 닫았습니다. 적힌 값은 남아 있습니다.",
      }}
      deleting={{
        text: "값이 하나도 없는 항목입니다. 가져오기를 되돌릴 때 필요한 항목이면 닫기만 합니다.",
        done: "항목을 없앴습니다.",
      }}
      renderEditor={(edited, key) => (
        <RowEditor
          key={key}
          type={alumniFieldRow}
          calls={calls}
          edited={edited}
          title={edited.row ? "항목 수정" : "항목 추가"}
          read={readOwnFieldForm}
          done="항목을 저장하였습니다."
          onChanged={(from, saved, version) => saved.renames.length > 0 && offerRenameBack(from, saved, version)}
          controls={OwnFieldFields}
        />
      )}
    >
      {({ kind, access, valueCount, choices }) => (
        <>
          {OWN_FIELD_KIND_LABELS[kind]} · {OWN_FIELD_ACCESS_LABELS[access]} · {formatCount(valueCount)}명
          {choices.length > 0 && ` · ${choices.join(", ")}`}
        </>
      )}
    </FieldRows>
  );
}
