import { createContext, use } from "react";
import type { AccountTexts } from "#app/lib/texts/account.ts";
import type { BoardTexts } from "#app/lib/texts/korean-board.ts";
import type { SearchTexts } from "#app/lib/texts/korean-search.ts";
import type { CalendarTexts } from "#app/lib/texts/korean-calendar.ts";
import type { ItemTexts } from "#app/lib/texts/korean-item.ts";
import type { PostTexts } from "#app/lib/texts/korean-post.ts";
import type { EventTexts } from "#app/lib/texts/korean-events.ts";
import type { RegisterTexts } from "#app/lib/texts/korean-register.ts";
import type { RegistrationTexts } from "#app/lib/texts/korean-registration.ts";
import { type ControlTexts, KOREAN_TEXTS, type SiteTexts } from "#app/lib/texts/korean.ts";
import type { FormTexts } from "#app/lib/texts/korean-form.ts";
import type { CenterTexts } from "#app/lib/texts/korean-center.ts";
import type { ContentTexts } from "#app/lib/texts/korean-content.ts";
import type { ResidenceTexts } from "#app/lib/texts/korean-residence.ts";
import type { RecoveryTexts, SecondFactorTexts, SigninTexts } from "#app/lib/texts/signin.ts";
import { useRouteLoaderData } from "react-router";
import type { MenuItem, SiteFrame } from "#worker/contract/site/view.ts";
import { fillWords, type SiteWords } from "#worker/contract/kernel/wording.ts";

export interface ReaderSections {
  board: BoardTexts;
  search: SearchTexts;
  post: PostTexts;
  item: ItemTexts;
  calendar: CalendarTexts;
  events: EventTexts;
  registration: RegistrationTexts;
  form: FormTexts;
  control: ControlTexts;
  center: CenterTexts;
  content: ContentTexts;
  residence: ResidenceTexts;
}

export interface AccountSections {
  signin: SigninTexts;
  account: AccountTexts;
  recovery: RecoveryTexts;
  secondFactor: SecondFactorTexts;
  register: RegisterTexts;
}

export type SectionTexts = ReaderSections & AccountSections;

interface PageLanguageState {
  texts: SiteTexts;
  sections?: Partial<SectionTexts> | undefined;
  frame?: object | undefined;
}

export const PageLanguage = createContext<PageLanguageState>({ texts: KOREAN_TEXTS });

export const useTexts = (): SiteTexts => use(PageLanguage).texts;

/** @param korean the section's texts on a Korean page */
export const useSection = <K extends keyof SectionTexts>(name: K, korean: SectionTexts[K]): SectionTexts[K] =>
  use(PageLanguage).sections?.[name] ?? korean;

export interface RouteHandle {
  bare?: boolean;
  ownFrame?: boolean;
  /** Guests get plain HTML with one small script; members get the application. */
  isForReaders?: boolean;
  texts?: SiteTexts;
  sections?: Partial<SectionTexts>;
}

interface PageDocumentState {
  nonce: string;
  /** Runs before the page's modules and records early clicks. */
  headScript: string;
  /** The speculation rules of a guest's page; null if the page loads the application. */
  readerRules: string | null;
}

export const PageDocument = createContext<PageDocumentState>({ nonce: "", headScript: "", readerRules: null });

/** Is undefined only if the root loader failed. */
export function useRootData<T extends object>(): T | undefined {
  const loaded = useRouteLoaderData("root") as T | undefined;
  return (use(PageLanguage).frame as T | undefined) ?? loaded;
}

/** `origin` makes canonical URLs absolute. */
export type RootLoaderData = SiteFrame & { origin: string };

/** Is undefined only if the root loader failed. */
export const useSiteFrame = (): RootLoaderData | undefined => useRootData<RootLoaderData>();

export function findMenuGroup(menu: readonly MenuItem[], href: string): MenuItem | undefined {
  return menu.find((item) => item.children?.some((child) => child.href?.toLowerCase() === href.toLowerCase()));
}

export function menuParents(menu: readonly MenuItem[] = [], ...hrefs: (string | undefined)[]): { label: string }[] {
  const group = hrefs.map((href = "") => findMenuGroup(menu, href.replace(/\?.*/, ""))).find(Boolean);
  return group ? [{ label: group.label }] : [];
}

/** `say("{동문:을/를} 추가")` inserts the society's own word. */
export function useWords(): (text: string) => string {
  const words = useRootData<{ look: { words: SiteWords } }>()?.look.words ?? {};
  return (text) => fillWords(words, text);
}
