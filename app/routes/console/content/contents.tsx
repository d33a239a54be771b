import { Link } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { ContentStateBadges } from "#app/features/content/edit/state-badges.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Time } from "#app/ui/inline.tsx";
import { listContents } from "#worker/domain/content/content-edit.server.ts";
import type { Route } from "./+types/contents";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => listContents(await scope.context()));

const LINK = "inline-flex min-h-8 items-center text-primary-70 underline underline-offset-4";

export default function ContentsPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader description="안내 페이지와 첫 화면 배너, 이용약관과 개인정보 처리방침을 고칩니다. 게시하기 전에는 방문자에게 보이지 않습니다." />
      <ul className="divide-y divide-gray-20 border-y border-gray-20">
        {loaderData.map((content) => (
          <li key={content.code} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-4 list-row">
            <div className="min-w-0 flex-1 basis-64">
              <p className="flex flex-wrap items-center gap-2">
                <Link to={`/Admin/Contents/${content.code}`} className={`${LINK} text-lg font-semibold`}>
                  {content.label}
                </Link>
                <ContentStateBadges {...content} />
              </p>
              <p className="text-sm text-gray-60">
                {content.modifiedDate === null ? (
                  "아직 쓰지 않은 페이지입니다."
                ) : (
                  <>
                    <Time date={content.modifiedDate} format="datetime" /> {content.modifiedUserName}
                    {content.versionNo !== null && ` · 버전 ${content.versionNo}`}
                  </>
                )}
              </p>
            </div>
            <p className="flex gap-x-4 text-sm">
              <Link to={`/Admin/Contents/${content.code}/History`} className={LINK}>
                이력<span className="sr-only">: {content.label}</span>
              </Link>
              <Link to={content.path} className={LINK}>
                페이지 보기<span className="sr-only">: {content.label}</span>
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
