import {
  CalendarBoards,
  CalendarMonth,
  calendarTextsOf,
  ComingEvents,
  MonthLinks,
  useCalendarTexts,
} from "#app/features/board/event/calendar.tsx";
import { KoreanOnly } from "#app/features/board/korean-only.tsx";
import { usePostTexts } from "#app/features/board/post-texts.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { calendarPageQuery } from "#worker/contract/board/input.ts";
import { getCalendarPage } from "#worker/domain/board/calendar.server.ts";
import type { Route } from "./+types/calendar";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const { pathname, searchParams } = new URL(request.url);
  return getCalendarPage(scope, calendarPageQuery.parse(Object.fromEntries(searchParams)), languageOf(pathname));
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const texts = calendarTextsOf(matches);
  const [year, month] = loaderData?.month.split("-").map(Number) ?? [];
  return pageMeta({
    matches,
    title: year && month ? texts.titleOf(year, month) : texts.title,
    path: "/calendar",
  });
}

export const handle = { isForReaders: true };

export default function CalendarRoute({ loaderData }: Route.ComponentProps) {
  const texts = useCalendarTexts();
  const { onlyInKorean } = usePostTexts();
  const { langOf } = useTexts();
  const isInKorean = [...loaderData.events, ...loaderData.coming].some(({ title }) => langOf(title));
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <div className="container-page pt-8 pb-16 md:pt-10 md:pb-24">
        {isInKorean && <KoreanOnly className="mb-6">{onlyInKorean.list}</KoreanOnly>}
        <CalendarBoards page={loaderData} />
        <MonthLinks page={loaderData} />
        <CalendarMonth page={loaderData} />
        <ComingEvents page={loaderData} />
      </div>
    </>
  );
}
