import { Link } from "react-router";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { StateBadge, Time } from "#app/ui/inline.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Pager, pagesOf } from "#app/ui/pager.tsx";
import { listOwnInquiriesQuery } from "#worker/contract/inquiry/input.ts";
import { INQUIRY_CATEGORY_NAMES, INQUIRY_DESK } from "#worker/contract/inquiry/inquiry.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { listOwnInquiries } from "#worker/domain/inquiry/inquiry.server.ts";
import type { Route } from "./+types/inquiries";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  return listOwnInquiries(
    ctx,
    parseInput(listOwnInquiriesQuery, Object.fromEntries(new URL(request.url).searchParams)),
  );
});

const NEW = "/Mypage/Inquiries/New";

export default function MypageInquiries({ loaderData: list }: Route.ComponentProps) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="text-gray-70">사무국에 보내신 문의와 답변입니다. 다른 회원에게는 보이지 않습니다.</p>
        {list.totalElements > 0 && (
          <ButtonLink to={NEW} variant="primary" size="sm">
            문의하기
          </ButtonLink>
        )}
      </div>
      {list.content.length === 0 ? (
        <Empty
          className="mt-5 border-y border-gray-20"
          action={
            <ButtonLink to={NEW} variant="primary">
              문의하기
            </ButtonLink>
          }
        >
          보내신 문의가 없습니다.
        </Empty>
      ) : (
        <ul aria-label="문의" className="mt-5 divide-y divide-gray-20 border-y border-gray-20">
          {list.content.map(({ id, subject, category, status, createdDate }) => (
            <li
              key={id}
              className="relative flex flex-wrap items-center gap-x-3 gap-y-1 px-1 py-3.5 hover:bg-gray-5 md:flex-nowrap"
            >
              <StateBadge desk={INQUIRY_DESK} state={status} />
              <Link
                to={`/Mypage/Inquiries/${id}`}
                className="order-last w-full min-w-0 text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline md:order-none md:w-auto md:flex-1 md:truncate"
              >
                {subject}
              </Link>
              <span className="ml-auto text-sm whitespace-nowrap text-gray-60">
                {INQUIRY_CATEGORY_NAMES[category]} · <Time date={createdDate} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Pager list={list} href={pagesOf("/Mypage/Inquiries")} label="문의 페이지 이동" />
    </>
  );
}
