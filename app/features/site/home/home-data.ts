import { decorateArticle } from "#app/features/file/article.server.ts";
import { comingEventTexts } from "#app/features/site/home/coming-event-texts.ts";
import type { HomeData } from "#app/features/site/home/home-page.tsx";
import { EAST_ISLANDS, PROVINCE_SHAPES } from "#app/features/content/map/provinces.ts";
import { type EventTexts, KOREAN_EVENT_TEXTS } from "#app/lib/texts/korean-events.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import type { HomeExtras } from "#worker/contract/site/view.ts";
import type { HomePage } from "#worker/domain/site/home.server.ts";

const MAP_MARKS = [
  ...PROVINCE_SHAPES.map(({ code, name, x, y }) => ({ code, name, x, y })),
  ...EAST_ISLANDS.labels.map(({ island, x, y }) => ({ code: island, name: "", x, y })),
];

/** Formats dates and popups in the loader so that the browser needs no code for it. */
export const homeData = (
  { boards }: HomePage,
  extras: HomeExtras,
  { language, events }: { language: Language; events: EventTexts } = { language: "ko", events: KOREAN_EVENT_TEXTS },
): HomeData => ({
  boards,
  marks: extras.centers.length > 0 ? MAP_MARKS : [],
  events: extras.events.map((each) => comingEventTexts(each, events)),
  extras: {
    ...extras,
    events: [],
    popups: extras.popups.map((popup) => ({
      ...popup,
      content: decorateArticle(popup.content, { pictures: popup.pictures, language }),
    })),
  },
});
