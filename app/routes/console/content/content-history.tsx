import { ArticleBody } from "#app/ui/article.tsx";
import { LineDifferences } from "#app/features/content/version-comparison.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { VersionHistory } from "#app/features/content/edit/version-history.tsx";
import { contentPath } from "#worker/contract/content/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { listContentHistory, getContentToEdit, getContentVersion } from "#worker/domain/content/content-edit.server.ts";
import type { Route } from "./+types/content-history";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const path = contentPath.safeParse({ code: params.code.toLowerCase() });
  const content = await getContentToEdit(ctx, path.data?.code ?? "about");
  if (!path.success) throw new AppError("NOT_FOUND");
  const { code } = path.data;
  const versions = await listContentHistory(ctx, code);
  const asked = new URL(request.url).searchParams.get("version");
  const versionNo = /^[1-9]\d{0,5}$/.test(asked ?? "") ? Number(asked) : versions[0]?.versionNo;
  const chosen = versionNo === undefined ? null : await getContentVersion(ctx, { code, versionNo });
  return { content, versions, chosen };
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [`${loaderData?.content.label ?? "페이지"} 이력`, "관리"] });

export default function ContentHistoryPage({ loaderData }: Route.ComponentProps) {
  const { content, versions, chosen } = loaderData;
  const { code, version } = content;
  const path = `/Admin/Contents/${code}`;
  const changesIn = (lines: readonly { kind: string }[] = []) => lines.filter(({ kind }) => kind !== "same").length;
  const [changes, englishChanges] = [changesIn(chosen?.difference), changesIn(chosen?.englishDifference)];
  return (
    <VersionHistory
      title={content.label}
      path={path}
      versions={versions}
      chosen={chosen?.versionNo}
      emptyText="아직 게시한 적이 없는 페이지입니다."
      noun="글"
      hasDraft={content.hasDraft}
      restore={(versionNo) =>
        callApi(api.admin.content[":code"].restore.$post({ param: { code }, json: { version, versionNo } }))
      }
    >
      {chosen && (
        <>
          <p className="mt-1 text-gray-60">
            {changes === 0
              ? "달라진 문장이 없습니다."
              : `그 뒤로 달라진 문장은 ${changes}개입니다. 삭제는 이 버전에만, 추가는 지금 글에만 있는 문장입니다.`}
          </p>
          {changes > 0 && <LineDifferences lines={chosen.difference} />}
          {englishChanges > 0 && (
            <section className="mt-6">
              <h3 className="text-lg">영문에서 달라진 문장 {englishChanges}개</h3>
              <LineDifferences lines={chosen.englishDifference} />
            </section>
          )}
          <details className="mt-6 rounded-lg border border-gray-20">
            <summary className="flex min-h-12 cursor-pointer items-center px-4 font-semibold">
              버전 {chosen.versionNo} 전문
            </summary>
            <div className="border-t border-gray-20 px-4">
              <p className="pt-4 text-lg font-bold text-gray-90">{chosen.title}</p>
              <ArticleBody html={chosen.content} />
              {chosen.englishTitle && (
                <div lang="en" className="border-t border-gray-20">
                  <p className="pt-4 text-lg font-bold text-gray-90">{chosen.englishTitle}</p>
                  <ArticleBody html={chosen.englishContent} />
                </div>
              )}
            </div>
          </details>
        </>
      )}
    </VersionHistory>
  );
}
