import { createContext, use } from "react";
import type { BoardTexts } from "#app/lib/texts/korean-board.ts";
import type { CalendarTexts } from "#app/lib/texts/korean-calendar.ts";
import type { ItemTexts } from "#app/lib/texts/korean-item.ts";
import type { PostTexts } from "#app/lib/texts/korean-post.ts";
import type { EventTexts } from "#app/lib/texts/korean-events.ts";
import type { FormTexts } from "#app/lib/texts/korean-form.ts";
import type { SigninTexts } from "#app/lib/texts/signin.ts";
import { KOREAN_TEXTS, type SiteTexts } from "#app/lib/texts/korean.ts";

/** Texts that some pages need; the Korean ones come with their parts, so that no other page loads them. */
export interface SectionTexts {
  board: BoardTexts;
  post: PostTexts;
  item: ItemTexts;
  calendar: CalendarTexts;
  events: EventTexts;
  form: FormTexts;
  signin: SigninTexts;
}

/** In which language a page speaks. Only the English pages, by their layout, change it. */
export interface PageLanguageState {
  texts: SiteTexts;
  sections?: SectionTexts;
  /** What stands around the page in place of what the root loaded. */
  frame?: object | undefined;
}

export const PageLanguage = createContext<PageLanguageState>({ texts: KOREAN_TEXTS });

export const useTexts = (): SiteTexts => use(PageLanguage).texts;

/** @param korean of the section, where the page is Korean */
export const useSection = <K extends keyof SectionTexts>(name: K, korean: SectionTexts[K]): SectionTexts[K] =>
  use(PageLanguage).sections?.[name] ?? korean;
