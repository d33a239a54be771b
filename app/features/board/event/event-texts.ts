import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_EVENT_TEXTS } from "#app/lib/texts/korean-events.ts";

export const useEventTexts = () => useSection("events", KOREAN_EVENT_TEXTS);
