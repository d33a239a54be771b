import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_RESIDENCE_TEXTS } from "#app/lib/texts/korean-residence.ts";

export const useResidenceTexts = () => useSection("residence", KOREAN_RESIDENCE_TEXTS);
