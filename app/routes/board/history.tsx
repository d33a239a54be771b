import { Link, useNavigate } from "react-router";
import { boardListHref, boardItemHref } from "#app/features/board/board-paths.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { Empty } from "#app/ui/empty.tsx";
import { Time } from "#app/ui/inline.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import { itemPath } from "#worker/contract/board/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { DiffLine } from "#worker/contract/kernel/text.ts";
import { getHistoryPage, type ItemHistoryPageData } from "#worker/domain/board/history.server.ts";
import type { Route } from "./+types/history";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const path = itemPath.safeParse({ ...params, boardCode: params.boardCode.toLowerCase() });
  if (!path.success) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  const asked = new URL(request.url).searchParams.get("version") ?? "";
  return getHistoryPage(scope, path.data, /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : null);
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: loaderData ? `${loaderData.item.title} 수정 이력` : "수정 이력" });

const LINE_STYLES: Record<DiffLine["kind"], { className: string; sign: string; word: string }> = {
  same: { className: "text-gray-70", sign: " ", word: "" },
  added: { className: "bg-success-5 text-success-60", sign: "+", word: "더해진 문장: " },
  removed: { className: "bg-danger-5 text-danger-60", sign: "−", word: "빠진 문장: " },
};

export default function BoardHistory({ loaderData }: Route.ComponentProps) {
  const { board, item, revisions, chosen } = loaderData;
  const path = `/board/${board.boardCode}/History/${item.itemNo}`;
  return (
    <>
      <PageHeader
        title="수정 이력"
        description={item.title}
        parents={[{ label: board.boardName, href: boardListHref(board.boardCode) }]}
      />
      <div className="container-page container-reading pt-8 pb-16 md:pt-10 md:pb-24">
        {revisions.length === 0 ? (
          <Empty className="border-y border-gray-20">아직 수정한 적이 없는 글입니다.</Empty>
        ) : (
          <div className="grid gap-8 lg:grid-cols-[18rem_1fr]">
            <nav aria-label="버전">
              <ol className="divide-y divide-gray-20 border-y border-gray-20">
                {revisions.map((row, at) => (
                  <li key={row.version}>
                    <Link
                      to={`${path}?version=${row.version}`}
                      preventScrollReset
                      aria-current={row.version === chosen?.version ? "true" : undefined}
                      className="block px-3 py-3 hover:bg-gray-5 aria-[current]:bg-primary-5 aria-[current]:font-semibold"
                    >
                      <Time date={row.modifiedDate} format="datetime" />
                      <span className="block text-sm text-gray-60">
                        {row.modifiedUserName}
                        {at === 0 && " · 지금 버전"}
                        {at === revisions.length - 1 && " · 처음 쓴 판"}
                      </span>
                    </Link>
                  </li>
                ))}
              </ol>
            </nav>
            {chosen ? (
              <ChosenItemVersion key={chosen.version} {...loaderData} chosen={chosen} />
            ) : (
              <Empty>그 버전을 찾을 수 없습니다.</Empty>
            )}
          </div>
        )}
        <ButtonLink to={boardItemHref(board.boardCode, item.itemNo)} size="sm" className="mt-8">
          글로 돌아가기
        </ButtonLink>
      </div>
    </>
  );
}

type ChosenItemVersionProps = Pick<ItemHistoryPageData, "board" | "item"> & {
  chosen: NonNullable<ItemHistoryPageData["chosen"]>;
};

function ChosenItemVersion({ board, item, chosen }: ChosenItemVersionProps) {
  const navigate = useNavigate();
  const { boardCode } = board;
  const param = { boardCode, itemNo: String(item.itemNo), revision: String(chosen.version) };
  const revision = api["board-item"][":boardCode"][":itemNo"].revision[":revision"];
  const question: Question = {
    label: "되돌리기",
    title: "이 버전으로 되돌리시겠습니까?",
    text: <p>제목, 분류, 본문이 이 버전의 것으로 바뀝니다. 지금 판도 이력에 남습니다.</p>,
    reloads: "never",
    work: () => callApi(revision.restore.$post({ param, json: { version: item.version } })),
    done: "이 버전으로 되돌렸습니다.",
    onDone: () => navigate(boardItemHref(boardCode, item.itemNo)),
  };
  return (
    <section aria-label="바뀐 내용" className="min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{chosen.before === null ? "처음 쓴 내용" : "바로 앞 버전과 다른 점"}</h2>
        {!chosen.isCurrent && <QuestionButton question={question}>이 버전으로 되돌리기</QuestionButton>}
      </div>
      <ol className="mt-4 rounded-lg border border-gray-20 py-2">
        {chosen.lines.map((line, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines of one text have no other name
          <li key={at} className={cx("flex gap-3 px-4 py-1", LINE_STYLES[line.kind].className)}>
            <span aria-hidden="true" className="tabular w-3 shrink-0 text-center">
              {LINE_STYLES[line.kind].sign}
            </span>
            <span className="min-w-0">
              {LINE_STYLES[line.kind].word && <span className="sr-only">{LINE_STYLES[line.kind].word}</span>}
              <span>{line.text}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
