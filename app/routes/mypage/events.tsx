import { Link } from "react-router";
import { useEventTexts } from "#app/features/board/event/event-mark.tsx";
import { RegistrationBadge } from "#app/features/event/registration-state.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge } from "#app/ui/inline.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Pager, pagesOf } from "#app/ui/pager.tsx";
import { FEE_STATES, registrationHref } from "#worker/contract/event/event.ts";
import { ownRegistrationsQuery } from "#worker/contract/event/input.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { listOwnRegistrations } from "#worker/domain/event/own-registrations.server.ts";
import type { Route } from "./+types/events";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  listOwnRegistrations(scope, parseInput(ownRegistrationsQuery, Object.fromEntries(new URL(request.url).searchParams))),
);

export default function MypageEvents({ loaderData: list }: Route.ComponentProps) {
  const { dayText } = useEventTexts();
  return (
    <>
      <p className="text-gray-70">신청하신 행사입니다. 행사를 누르면 답을 고치거나 신청을 취소하실 수 있습니다.</p>
      {list.content.length === 0 ? (
        <Empty className="mt-5 border-y border-gray-20">신청하신 행사가 없습니다.</Empty>
      ) : (
        <ul aria-label="신청한 행사" className="mt-5 divide-y divide-gray-20 border-y border-gray-20">
          {list.content.map(({ id, boardCode, itemNo, title, event, status, isUnpaid, queue, ticket }) => (
            <li
              key={id}
              className="relative flex flex-wrap items-center gap-x-3 gap-y-1 px-1 py-3.5 hover:bg-gray-5 md:flex-nowrap"
            >
              <RegistrationBadge status={status} queue={queue} />
              {isUnpaid && <Badge tone="danger">{FEE_STATES.unpaid}</Badge>}
              {title ? (
                <Link
                  to={registrationHref(boardCode, itemNo)}
                  className="order-last w-full min-w-0 text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline md:order-none md:w-auto md:flex-1 md:truncate"
                >
                  {title}
                </Link>
              ) : (
                <span className="order-last w-full text-gray-60 md:order-none md:w-auto md:flex-1">
                  지금은 볼 수 없는 글입니다.
                </span>
              )}
              {ticket && event && !event.isOver && (
                <Link to={ticket} className="relative z-10 text-sm text-primary-60 underline underline-offset-4">
                  입장권<span className="sr-only">: {title}</span>
                </Link>
              )}
              {event && (
                <span className="tabular ml-auto text-sm whitespace-nowrap text-gray-60">{dayText(event)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      <Pager list={list} href={pagesOf("/Mypage/Events")} label="신청한 행사 페이지 이동" />
    </>
  );
}
