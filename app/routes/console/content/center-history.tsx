import { useWords } from "#app/lib/page-language.ts";
import { CenterDifference } from "#app/features/content/edit/center-difference.tsx";
import { toCenterValue } from "#app/features/content/edit/center-form.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { VersionHistory } from "#app/features/content/edit/version-history.tsx";
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

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [`${loaderData?.center.centerName ?? ""} 이력`, "관리"] });

export default function CenterHistoryPage({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const { center, versions, chosen } = loaderData;
  const { regionCode: code, version } = center;
  const path = `/Admin/Centers/${code}`;
  return (
    <VersionHistory
      title={say(`${center.regionName} {센터}`)}
      path={path}
      versions={versions}
      chosen={chosen?.versionNo}
      emptyText={say("아직 게시한 적이 없는 {센터}입니다.")}
      noun="내용"
      hasDraft={center.hasDraft}
      restore={(versionNo) =>
        callApi(
          api.admin.center[":regionCode"].restore.$post({ param: { regionCode: code }, json: { version, versionNo } }),
        )
      }
      className="grid gap-4"
    >
      {chosen && (
        <CenterDifference
          before={chosen.value}
          after={toCenterValue(center)}
          names={{ before: `버전 ${chosen.versionNo}`, after: "지금 내용" }}
        />
      )}
    </VersionHistory>
  );
}
