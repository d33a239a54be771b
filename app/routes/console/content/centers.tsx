import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { findNewestRow } from "#app/features/list/find-newest-row.ts";
import { moveEntry, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { formText, useSave } from "#app/features/form/use-save.ts";
import { ContentStateBadges } from "#app/features/content/edit/state-badges.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Field } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { Input } from "#app/ui/input.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Select } from "#app/ui/select.tsx";
import { PROVINCES } from "#worker/contract/content/provinces.ts";
import { listCenters } from "#worker/domain/content/center-edit.server.ts";
import type { Route } from "./+types/centers";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const centers = await listCenters(await scope.context());
  const codes = new Set(centers.map(({ regionCode }) => regionCode));
  const missing = PROVINCES.filter(({ regionCode }) => !codes.has(regionCode));
  return { centers, missing: missing.map(({ regionCode, regionName }) => ({ regionCode, regionName })) };
});

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["권역센터", "관리"] });
}

type CenterData = Route.ComponentProps["loaderData"]["centers"][number];

export default function CentersPage({ loaderData }: Route.ComponentProps) {
  const { centers, missing } = loaderData;
  const [adding, setAdding] = useState(false);
  const [chosen, setHiding] = useState<CenterData | null>(null);
  const hiding = findNewestRow(chosen, centers, ({ regionCode }) => regionCode);
  const { busy, save, clear, message } = useSave();
  const move = (at: number, by: -1 | 1) => {
    const codes = moveEntry(centers, at, by).map(({ regionCode }) => regionCode);
    void save(() => callApi(api.admin.center.order.$post({ json: { codes } })), "순서를 바꾸었습니다.");
  };
  const show = ({ regionCode, version }: CenterData) => {
    const work = () =>
      callApi(api.admin.center[":regionCode"].publish.$post({ param: { regionCode }, json: { version } }));
    void save(work, "센터를 게시하였습니다.");
  };
  const hide = async () => {
    if (!hiding) return;
    const { regionCode, version } = hiding;
    const work = () =>
      callApi(api.admin.center[":regionCode"].withdraw.$post({ param: { regionCode }, json: { version } }));
    if (await save(work, "센터를 숨겼습니다.")) setHiding(null);
  };
  return (
    <>
      <ConsoleHeader
        title="권역센터"
        description="위에서부터 목록에 나오는 차례입니다. 센터마다 담당자를 따로 두려면 역할과 권한에서 '센터 관리' 권한을 주십시오."
        action={
          <Button size="sm" variant="primary" onClick={() => setAdding(true)}>
            지역 추가
          </Button>
        }
      />
      {message && !hiding && (
        <Alert tone="error" className="mb-4">
          {message}
        </Alert>
      )}
      {centers.length === 0 && <Empty className="border-y border-gray-20">등록한 센터가 없습니다.</Empty>}
      <ul className="divide-y divide-gray-20 border-y border-gray-20">
        {centers.map((center, at) => (
          <li key={center.regionCode} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-72">
              <p className="flex flex-wrap items-center gap-2">
                <Link
                  to={`/Admin/Centers/${center.regionCode}`}
                  className="inline-flex min-h-8 items-center font-semibold text-primary-70 underline underline-offset-4"
                >
                  {center.regionName} · {center.centerName}
                </Link>
                <ContentStateBadges {...center} />
              </p>
              <p className="tabular text-sm text-gray-60">
                {[center.director, center.phone].filter(Boolean).join(" · ")}
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <RowMoveButtons
                name={center.regionName}
                index={at}
                count={centers.length}
                busy={busy}
                onMove={(by) => move(at, by)}
              />
              {center.status === "published" ? (
                <Button size="sm" onClick={() => setHiding(center)}>
                  숨기기<span className="sr-only"> {center.regionName}</span>
                </Button>
              ) : (
                <Button size="sm" busy={busy} onClick={() => show(center)}>
                  보이기<span className="sr-only"> {center.regionName}</span>
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      <NewRegionDialog key={String(adding)} open={adding} missing={missing} onClose={() => setAdding(false)} />
      <ConfirmDialog
        open={hiding !== null}
        onClose={() => {
          setHiding(null);
          clear();
        }}
        title="센터를 숨기시겠습니까?"
        confirmLabel="숨기기"
        danger
        busy={busy}
        error={message}
        onConfirm={() => void hide()}
      >
        <p>{hiding?.centerName}</p>
        <p className="mt-2">
          지도와 목록에서 사라지고 센터 페이지가 열리지 않습니다. 내용은 남아 있어 언제든지 다시 보이게 할 수 있습니다.
        </p>
      </ConfirmDialog>
    </>
  );
}

interface NewRegionDialogProps {
  open: boolean;
  missing: Route.ComponentProps["loaderData"]["missing"];
  onClose: () => void;
}

/** A province of the map that has no centre yet, or a region of one's own. */
function NewRegionDialog({ open, missing, onClose }: NewRegionDialogProps) {
  const { busy, save, fields, general } = useSave();
  const navigate = useNavigate();
  const [known, setKnown] = useState(missing[0]?.regionCode ?? "");
  const submit = async (form: FormData) => {
    const province = missing.find(({ regionCode }) => regionCode === known);
    const regionCode = province?.regionCode ?? (formText(form, "regionCode").trim() || "-");
    const regionName = province?.regionName ?? formText(form, "regionName");
    const json = { regionName, centerName: formText(form, "centerName"), version: 0 };
    const work = () => callApi(api.admin.center[":regionCode"].draft.$put({ param: { regionCode }, json }));
    if (await save(work, "지역을 추가하였습니다. 나머지를 적고 게시해 주십시오."))
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
            <Input name="regionName" maxLength={20} />
          </Field>
          <Field
            label="지역 코드"
            hint="주소에 쓰입니다. 영문 소문자 2~20자. 예: ulleung"
            required
            error={general && "영문 소문자 2~20자로, 다른 지역과 다르게 적어 주십시오."}
          >
            <Input name="regionCode" maxLength={20} autoCapitalize="none" />
          </Field>
        </>
      )}
      <Field label="센터 이름" required error={fields.centerName ?? (other ? null : general)}>
        <Input name="centerName" maxLength={100} />
      </Field>
    </FormDialog>
  );
}
