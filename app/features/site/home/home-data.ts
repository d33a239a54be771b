import { decorateArticle } from "#app/features/file/article-html.ts";
import { reservePicturePlaces } from "#app/features/file/picture-places.ts";
import { comingEventTexts } from "#app/features/site/home/coming-event-texts.ts";
import type { HomeData } from "#app/features/site/home/home-page.tsx";
import { type EventTexts, KOREAN_EVENT_TEXTS } from "#app/lib/texts/korean-events.ts";
import { KOREAN_TEXTS, type SiteTexts } from "#app/lib/texts/korean.ts";
import type { HomePage } from "#worker/contract/board/view.ts";
import type { HomeExtras } from "#worker/contract/site/view.ts";

interface HomeTexts {
  texts: Pick<SiteTexts, "article">;
  events: EventTexts;
}

/** What the home page is rendered from, made where it is loaded: dates and popups as words and HTML. */
export const homeData = (
  { boards }: HomePage,
  extras: HomeExtras,
  { texts, events }: HomeTexts = { texts: KOREAN_TEXTS, events: KOREAN_EVENT_TEXTS },
): HomeData => ({
  boards,
  events: extras.events.map((each) => comingEventTexts(each, events)),
  extras: {
    ...extras,
    events: [],
    popups: extras.popups.map((popup) => ({
      ...popup,
      content: decorateArticle(reservePicturePlaces(popup.content, popup.pictures), texts.article),
    })),
  },
});
