import { useState } from "react";
import { useNavigate } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { ArticleBody } from "#app/features/file/article.tsx";
import { LineDifferences } from "#app/features/content/version-comparison.tsx";
import { VersionList } from "#app/features/content/edit/version-list.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Empty } from "#app/ui/empty.tsx";
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

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta({ matches, title: [`${loaderData?.content.label ?? "페이지"} 이력`, "관리"] });
}

export default function ContentHistoryPage({ loaderData }: Route.ComponentProps) {
  const { content, versions, chosen } = loaderData;
  const path = `/Admin/Contents/${content.code}`;
  return (
    <>
      <ConsoleHeader
        title={`${content.label} 이력`}
        description="게시한 판은 모두 남습니다. 이전 판을 불러오면 초안이 되고, 게시해야 방문자에게 보입니다."
        action={
          <ButtonLink size="sm" to={path}>
            고치기
          </ButtonLink>
        }
      />
      {chosen === null ? (
        <Empty className="border-y border-gray-20">아직 게시한 적이 없는 페이지입니다.</Empty>
      ) : (
        <div className="grid gap-8 xl:grid-cols-[16rem_minmax(0,1fr)]">
          <VersionList path={`${path}/History`} versions={versions} chosen={chosen.versionNo} />
          <ChosenContentVersion key={chosen.versionNo} content={content} chosen={chosen} />
        </div>
      )}
    </>
  );
}

type ContentHistoryData = Route.ComponentProps["loaderData"];

function ChosenContentVersion({
  content,
  chosen,
}: {
  content: ContentHistoryData["content"];
  chosen: NonNullable<ContentHistoryData["chosen"]>;
}) {
  const { busy, run, clear, message } = useAction();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const changes = chosen.difference.filter((line) => line.kind !== "same").length;
  const restore = async () => {
    const json = { version: content.version, versionNo: chosen.versionNo };
    const work = () => callApi(api.admin.content[":code"].restore.$post({ param: { code: content.code }, json }));
    if (await run(work, `${chosen.versionNo}판을 초안으로 불러왔습니다.`))
      await navigate(`/Admin/Contents/${content.code}`);
  };
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-xl">{chosen.versionNo}판과 지금 글의 차이</h2>
        <Button size="sm" onClick={() => setAsking(true)}>
          이 판을 초안으로 불러오기
        </Button>
      </div>
      <p className="mt-1 text-gray-60">
        {changes === 0
          ? "달라진 문장이 없습니다."
          : `그 뒤로 달라진 문장은 ${changes}개입니다. 삭제는 이 판에만, 추가는 지금 글에만 있는 문장입니다.`}
      </p>
      {changes > 0 && <LineDifferences lines={chosen.difference} />}
      <details className="mt-6 rounded-lg border border-gray-20">
        <summary className="flex min-h-12 cursor-pointer items-center px-4 font-semibold">
          {chosen.versionNo}판 전문
        </summary>
        <div className="border-t border-gray-20 px-4">
          <p className="pt-4 text-lg font-bold text-gray-90">{chosen.title}</p>
          <ArticleBody html={chosen.content} />
        </div>
      </details>
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
        <p>{content.hasDraft ? "지금 저장된 초안을 이 판의 글로 바꿉니다." : "이 판의 글로 초안을 만듭니다."}</p>
      </ConfirmDialog>
    </div>
  );
}
