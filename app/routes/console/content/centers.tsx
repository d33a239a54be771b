import { useWords } from "#app/lib/page-language.ts";
import { useState } from "react";
import { useNavigate } from "react-router";
import { CodeField } from "#app/features/form/code-field.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { AddRowButton, OrderedRows, RowButton } from "#app/features/list/ordered-rows.tsx";
import { formText, useAction } from "#app/features/form/action.tsx";
import { ContentStateBadges } from "#app/features/content/edit/state-badges.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { TextLink } from "#app/ui/inline.tsx";
import { PROVINCES } from "#worker/contract/kernel/provinces.ts";
import { listCenters } from "#worker/domain/content/center-edit.server.ts";
import type { Route } from "./+types/centers";
import { CENTER_LIMITS } from "#worker/contract/content/rules.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const centers = await listCenters(await scope.context());
  const codes = new Set(centers.map(({ regionCode }) => regionCode));
  return { centers, missing: PROVINCES.filter(({ regionCode }) => !codes.has(regionCode)) };
});

const calls = api.admin.center;

export default function CentersPage({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const { centers, missing } = loaderData;
  const [adding, setAdding] = useState(false);
  return (
    <>
      <ConsoleHeader
        description={say(
          "위에서부터 목록에 나오는 차례입니다. {센터}마다 담당자를 따로 두려면 역할과 권한에서 '{센터} 관리' 권한을 주십시오.",
        )}
        action={<AddRowButton onClick={() => setAdding(true)}>지역 추가</AddRowButton>}
      />
      <OrderedRows
        rows={centers}
        rowKey="regionCode"
        rowName="regionName"
        emptyText={say("등록한 {센터:이/가} 없습니다.")}
        renderActions={({ regionCode, regionName, status, version }, { busy, run }) => {
          if (status === "published") return null;
          const work = () => callApi(calls[":regionCode"].publish.$post({ param: { regionCode }, json: { version } }));
          return (
            <RowButton name={regionName} busy={busy} onClick={() => run(work, say("{센터:을/를} 게시하였습니다."))}>
              보이기
            </RowButton>
          );
        }}
        question={({ regionCode, centerName, status, version }) =>
          status !== "published"
            ? null
            : {
                label: "숨기기",
                title: say("{센터:을/를} 숨기시겠습니까?"),
                text: (
                  <>
                    <p>{centerName}</p>
                    <p className="mt-2">
                      지도와 목록에서 사라지고 그 페이지가 열리지 않습니다. 내용은 남아 있어 언제든지 다시 보이게 할 수
                      있습니다.
                    </p>
                  </>
                ),
                work: () => callApi(calls[":regionCode"].withdraw.$post({ param: { regionCode }, json: { version } })),
                done: say("{센터:을/를} 숨겼습니다."),
              }
        }
        saveOrder={calls.order}
      >
        {(center) => (
          <>
            <p className="flex flex-wrap items-center gap-2">
              <TextLink
                to={`/Admin/Centers/${center.regionCode}`}
                className="inline-flex min-h-8 items-center font-semibold"
              >
                {center.regionName} · {center.centerName}
              </TextLink>
              <ContentStateBadges {...center} />
            </p>
            <p className="tabular text-sm text-gray-60">
              {[center.director, center.phone].filter(Boolean).join(" · ")}
            </p>
          </>
        )}
      </OrderedRows>
      <NewRegionDialog key={String(adding)} open={adding} missing={missing} onClose={() => setAdding(false)} />
    </>
  );
}

interface NewRegionDialogProps {
  open: boolean;
  missing: Route.ComponentProps["loaderData"]["missing"];
  onClose: () => void;
}

function NewRegionDialog({ open, missing, onClose }: NewRegionDialogProps) {
  const say = useWords();
  const { busy, run, fields, general } = useAction();
  const navigate = useNavigate();
  const [known, setKnown] = useState(missing[0]?.regionCode ?? "");
  const submit = async (form: FormData) => {
    const province = missing.find(({ regionCode }) => regionCode === known);
    const regionCode = province?.regionCode ?? (formText(form, "regionCode").trim() || "-");
    const regionName = province?.regionName ?? formText(form, "regionName");
    const json = { regionName, centerName: formText(form, "centerName"), version: 0 };
    const work = () => callApi(calls[":regionCode"].draft.$put({ param: { regionCode }, json }));
    if (await run(work, "지역을 추가하였습니다. 나머지를 적고 게시해 주십시오."))
      await navigate(`/Admin/Centers/${regionCode}`);
  };
  const other = known === "";
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="지역 추가"
      submitLabel="추가"
      busy={busy}
      onSubmit={(form) => void submit(form)}
    >
      <Field label="지역">
        <Select
          value={known}
          onChange={(event) => setKnown(event.target.value)}
          options={[
            ...missing.map(({ regionCode, regionName }) => ({ value: regionCode, label: regionName })),
            { value: "", label: "직접 입력" },
          ]}
        />
      </Field>
      {other && (
        <>
          <Field label="지역 이름" required error={fields.regionName}>
            <Input name="regionName" maxLength={CENTER_LIMITS.regionName} />
          </Field>
          <CodeField
            name="regionCode"
            label="지역 코드"
            hint="주소에 쓰입니다. 영문 소문자 2~20자. 예: ulleung"
            maxLength={CENTER_LIMITS.regionCode}
            error={general && "영문 소문자 2~20자로, 다른 지역과 다르게 적어 주십시오."}
          />
        </>
      )}
      <Field label={say("{센터} 이름")} required error={fields.centerName ?? (other ? null : general)}>
        <Input name="centerName" maxLength={CENTER_LIMITS.centerName} />
      </Field>
    </FormDialog>
  );
}
