import type { ReaderSections } from "#app/lib/page-language.ts";
import { ENGLISH_BOARD_TEXTS } from "#app/lib/texts/english-board.ts";
import { ENGLISH_CALENDAR_TEXTS } from "#app/lib/texts/english-calendar.ts";
import { ENGLISH_EVENT_TEXTS } from "#app/lib/texts/english-events.ts";
import { ENGLISH_ITEM_TEXTS } from "#app/lib/texts/english-item.ts";
import { ENGLISH_POST_TEXTS } from "#app/lib/texts/english-post.ts";
import { ENGLISH_CONTROL_TEXTS } from "#app/lib/texts/english-control.ts";
import { ENGLISH_CENTER_TEXTS } from "#app/lib/texts/english-center.ts";
import { ENGLISH_RESIDENCE_TEXTS } from "#app/lib/texts/english-residence.ts";
import { ENGLISH_FORM_TEXTS } from "#app/lib/texts/english-form.ts";

export const ENGLISH_SECTIONS: ReaderSections = {
  board: ENGLISH_BOARD_TEXTS,
  post: ENGLISH_POST_TEXTS,
  item: ENGLISH_ITEM_TEXTS,
  calendar: ENGLISH_CALENDAR_TEXTS,
  events: ENGLISH_EVENT_TEXTS,
  form: ENGLISH_FORM_TEXTS,
  control: ENGLISH_CONTROL_TEXTS,
  center: ENGLISH_CENTER_TEXTS,
  residence: ENGLISH_RESIDENCE_TEXTS,
};
