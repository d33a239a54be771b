import { CalendarBoards, CalendarMonth, ComingEvents, MonthLinks } from "#app/features/board/event/calendar.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { calendarPageQuery } from "#worker/contract/board/calendar-input.ts";
import { getCalendarPage } from "#worker/domain/board/calendar.server.ts";
import type { Route } from "./+types/calendar";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  getCalendarPage(scope, calendarPageQuery.parse(Object.fromEntries(new URL(request.url).searchParams))),
);

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const [year, month] = loaderData?.month.split("-").map(Number) ?? [];
  return pageMeta({ matches, title: year ? `일정 (${year}년 ${month}월)` : "일정", path: "/calendar" });
}

export const handle = { isForReaders: true };

export default function CalendarRoute({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="일정" description="행사와 교육, 모집 마감을 한눈에 보실 수 있습니다." />
      <div className="container-page pt-8 pb-16 md:pt-10 md:pb-24">
        <CalendarBoards page={loaderData} />
        <MonthLinks page={loaderData} />
        <CalendarMonth page={loaderData} />
        <ComingEvents page={loaderData} />
      </div>
    </>
  );
}
