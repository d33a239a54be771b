import { useState } from "react";
import { useNavigate } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { CenterDifference } from "#app/features/content/edit/center-difference.tsx";
import { toCenterValue } from "#app/features/content/edit/center-form.tsx";
import { VersionList } from "#app/features/content/edit/version-list.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { regionCode } from "#worker/contract/content/center-input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { listCenterHistory, getCenterToEdit } from "#worker/domain/content/center-edit.server.ts";
import type { Route } from "./+types/center-history";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const code = regionCode.safeParse(params.regionCode.toLowerCase());
  const center = await getCenterToEdit(ctx, code.data ?? "");
  if (!code.success) throw new AppError("NOT_FOUND");
  const versions = await listCenterHistory(ctx, code.data);
  const asked = Number(new URL(request.url).searchParams.get("version") ?? versions[0]?.versionNo);
  return { center, versions, chosen: versions.find(({ versionNo }) => versionNo === asked) ?? null };
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta({ matches, title: [`${loaderData?.center.centerName ?? "센터"} 이력`, "관리"] });
}

type CenterHistoryData = Route.ComponentProps["loaderData"];

export default function CenterHistoryPage({ loaderData }: Route.ComponentProps) {
  const { center, versions, chosen } = loaderData;
  const path = `/Admin/Centers/${center.regionCode}`;
  return (
    <>
      <ConsoleHeader
        title={`${center.regionName} 센터 이력`}
        description="게시한 판은 모두 남습니다. 이전 판을 불러오면 초안이 되고, 게시해야 방문자에게 보입니다."
        action={
          <ButtonLink size="sm" to={path}>
            고치기
          </ButtonLink>
        }
      />
      {versions.length === 0 ? (
        <Empty className="border-y border-gray-20">아직 게시한 적이 없는 센터입니다.</Empty>
      ) : (
        <div className="grid gap-8 xl:grid-cols-[16rem_minmax(0,1fr)]">
          <VersionList path={`${path}/History`} versions={versions} chosen={chosen?.versionNo ?? 0} />
          {chosen ? (
            <ChosenCenterVersion key={chosen.versionNo} center={center} chosen={chosen} />
          ) : (
            <Empty>그 판을 찾을 수 없습니다.</Empty>
          )}
        </div>
      )}
    </>
  );
}

function ChosenCenterVersion({
  center,
  chosen,
}: {
  center: CenterHistoryData["center"];
  chosen: NonNullable<CenterHistoryData["chosen"]>;
}) {
  const { busy, run, clear, message } = useAction();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const { regionCode: code, version } = center;
  const restore = async () => {
    const json = { version, versionNo: chosen.versionNo };
    const work = () => callApi(api.admin.center[":regionCode"].restore.$post({ param: { regionCode: code }, json }));
    if (await run(work, `${chosen.versionNo}판을 초안으로 불러왔습니다.`)) await navigate(`/Admin/Centers/${code}`);
  };
  return (
    <div className="min-w-0">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-xl">{chosen.versionNo}판과 지금 내용의 차이</h2>
        <Button size="sm" onClick={() => setAsking(true)}>
          이 판을 초안으로 불러오기
        </Button>
      </div>
      <CenterDifference
        before={chosen.value}
        after={toCenterValue(center)}
        names={{ before: `${chosen.versionNo}판`, after: "지금 내용" }}
      />
      <ConfirmDialog
        open={asking}
        onClose={() => {
          setAsking(false);
          clear();
        }}
        title={`${chosen.versionNo}판을 불러오시겠습니까?`}
        confirmLabel="불러오기"
        busy={busy}
        error={message}
        onConfirm={() => void restore()}
      >
        <p>{center.hasDraft ? "지금 저장된 초안을 이 판의 내용으로 바꿉니다." : "이 판의 내용으로 초안을 만듭니다."}</p>
      </ConfirmDialog>
    </div>
  );
}
