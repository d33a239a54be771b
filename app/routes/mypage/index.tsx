import { pageLoader } from "#app/lib/page-loader.server.ts";
import { getMypageOverview, type MypageOverview } from "#worker/domain/site/mypage-overview.server.ts";
import type { Route } from "./+types/index";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { boardItemHref, boardListHref, boardWriteHref } from "#app/features/board/board-paths.ts";
import { formatCount } from "#app/lib/format.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { formatWon } from "#worker/contract/alumni/dues/dues.ts";
import { AskedLater } from "#app/features/account/mypage/asked-later.tsx";
import { Badge, Time } from "#app/ui/inline.tsx";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getMypageOverview(scope));

export default function MypageHome({ loaderData }: Route.ComponentProps) {
  return <Overview overview={loaderData} />;
}

const LINK =
  "min-w-0 flex-1 truncate text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline";

function Overview({ overview }: { overview: MypageOverview }) {
  const { userName, asked, waiting, counts, items, comments, drafts, following } = overview;
  const unread = useSiteFrame()?.user?.bell.badge || "0";
  return (
    <div className="space-y-10">
      <section aria-label="한눈에 보기" className="rounded-xl bg-primary-5 p-5 md:p-7">
        <p className="text-lg">
          <strong className="font-bold text-gray-90">{userName}</strong>님, 안녕하십니까.
        </p>
        <dl className="mt-4 grid grid-cols-2 gap-3 @max-[20rem]/page:grid-cols-1 md:grid-cols-[repeat(auto-fit,minmax(11rem,1fr))]">
          {waiting.openDues > 0 && <Figure name="납부할 회비" value={formatWon(waiting.openDues)} to="/Mypage/Dues" />}
          <Figure name="읽지 않은 알림" value={`${unread}건`} to="/Mypage/Activity" />
          <Figure name="답변을 기다리는 문의" value={`${formatCount(waiting.inquiries)}건`} to="/Mypage/Inquiries" />
        </dl>
        <dl className="mt-3 grid grid-cols-2 gap-3 @max-[20rem]/page:grid-cols-1 md:grid-cols-4">
          <Figure name="작성한 글" value={`${formatCount(counts.items)}건`} />
          <Figure name="작성한 댓글" value={`${formatCount(counts.comments)}건`} />
          <Figure name="알림 받는 게시판" value={`${following.length}곳`} to="/Mypage/Notices" />
          <Figure name="로그인 기기" value={`${counts.devices}대`} to="/Mypage/Sessions" />
        </dl>
      </section>
      <AskedLater fields={asked} path="/Mypage/Info" />
      {drafts.length > 0 && (
        <Block title="작성하던 글">
          {drafts.map(({ boardCode, boardName, itemNo, title, modifiedDate }) => (
            <Row key={`${boardCode}-${itemNo ?? 0}`} board={boardName} date={modifiedDate}>
              <Link to={boardWriteHref(boardCode, itemNo ?? undefined)} className={LINK}>
                {title || "제목 없는 글"}
                <span className="sr-only"> 이어 쓰기</span>
              </Link>
            </Row>
          ))}
        </Block>
      )}
      <Block title="작성한 글" none="작성한 글이 없습니다.">
        {items.map(({ boardCode, boardName, itemNo, title, createdDate, commentCount }) => (
          <Row key={`${boardCode}-${itemNo}`} board={boardName} date={createdDate}>
            <Link to={boardItemHref(boardCode, itemNo)} className={LINK}>
              {title}
            </Link>
            {commentCount > 0 && (
              <span className="shrink-0 text-sm text-primary-60">댓글 {formatCount(commentCount)}</span>
            )}
          </Row>
        ))}
      </Block>
      <Block title="작성한 댓글" none="작성한 댓글이 없습니다.">
        {comments.map(({ boardCode, boardName, itemNo, title, content, createdDate }) => (
          <Row key={`${boardCode}-${itemNo}-${createdDate}`} board={boardName} date={createdDate}>
            <Link to={boardItemHref(boardCode, itemNo)} className={LINK}>
              {content}
              <span className="ml-2 text-sm text-gray-60">{title}</span>
            </Link>
          </Row>
        ))}
      </Block>
      {following.length > 0 && (
        <Block title="알림 받는 게시판">
          {following.map(({ boardCode, boardName }) => (
            <li key={boardCode} className="relative flex min-h-12 items-center px-1">
              <Link to={boardListHref(boardCode)} className={LINK}>
                {boardName}
              </Link>
            </li>
          ))}
        </Block>
      )}
    </div>
  );
}

function Figure({ name, value, to }: { name: string; value: string; to?: string }) {
  return (
    <div className="relative rounded-lg bg-white px-4 py-3">
      <dt className="text-sm text-gray-60">
        {to ? (
          <Link
            to={to}
            className="underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline"
          >
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className="tabular mt-1 text-xl font-bold text-primary-70">{value}</dd>
    </div>
  );
}

function Block({ title, none, children }: { title: string; none?: string; children: ReactNode[] }) {
  return (
    <section aria-label={title}>
      <h2 className="border-b-2 border-primary-80 pb-2 text-lg">{title}</h2>
      {children.length === 0 ? (
        <p className="border-b border-gray-20 px-1 py-5 text-gray-60">{none}</p>
      ) : (
        <ul className="divide-y divide-gray-20 border-b border-gray-20">{children}</ul>
      )}
    </section>
  );
}

function Row({ board, date, children }: { board: string; date: string; children: ReactNode }) {
  return (
    <li className="relative flex flex-wrap items-center gap-x-3 gap-y-0.5 px-1 py-3 hover:bg-gray-5">
      <Badge>{board}</Badge>
      <span className="order-last flex w-full min-w-0 items-center gap-2 md:order-none md:w-auto md:flex-1">
        {children}
      </span>
      <span className="text-sm text-gray-60">
        <Time date={date} />
      </span>
    </li>
  );
}
