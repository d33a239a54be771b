/** The pages that every site begins with, and whose addresses stay; zod-free, because menus and links are made of them in the browser. */
export const INFO_PAGES = {
  about: { slug: "about", label: "{연구망} 소개", look: "timeline" },
  organization: { slug: "organization", label: "조직 구성", look: "chart" },
  target: { slug: "target", label: "연구 대상", look: "" },
  registration: { slug: "registration", label: "등록 절차", look: "steps" },
  residence: { slug: "residence", label: "거주지별 등록 현황", look: "" },
  registry: { path: "/Registry", label: "레지스트리", look: "" },
  center: { slug: "center", label: "{권역센터}", look: "" },
  proposal: { path: "/research/proposal", label: "연구 제안", look: "steps" },
  rules: { path: "/research/rules", label: "연구 규정", look: "" },
} as const satisfies Record<string, { label: string; look: PageLook } & ({ slug: string } | { path: string })>;

export type InfoPageCode = keyof typeof INFO_PAGES;

/** How the lists under a heading look, where they are more than lists. */
export const PAGE_LOOKS = {
  "": "보통 글",
  timeline: "연혁(날짜로 시작하는 표)",
  chart: "조직도(목록)",
  steps: "절차(번호 목록)",
} as const;

export type PageLook = keyof typeof PAGE_LOOKS;

/** One information page of a site: from the beginning, or the office's own. */
export interface InfoPage {
  code: string;
  label: string;
  /** Code of the page that it stands under, or empty. */
  parent: string;
  look: PageLook;
  /** Nobody finds it, at its address neither. */
  isHidden: boolean;
}

export const DEFAULT_INFO_PAGES: InfoPage[] = Object.entries(INFO_PAGES).map(([code, { label, look }]) => ({
  code,
  label,
  parent: "",
  look,
  isHidden: false,
}));

export const isFirstPage = (code: string): code is InfoPageCode => Object.hasOwn(INFO_PAGES, code);

/** A site has so many information pages, a page so long a name and address. */
export const INFO_PAGE_LIMITS = { pages: 40, label: 30, code: 40 } as const;

/** The last part of the address of an office's own page. */
export const INFO_PAGE_CODE = /^[a-z][a-z0-9-]{1,39}$/;

export const LEGAL_PAGES = {
  terms: { path: "/terms", label: "이용약관", bare: "/TOS/Content/TermsContent" },
  privacy: { path: "/privacy", label: "개인정보 처리방침", bare: "/TOS/Content/PrivacyContent" },
} as const;

export type LegalPageCode = keyof typeof LEGAL_PAGES;

export const isLegalPage = (code: string): code is LegalPageCode => Object.hasOwn(LEGAL_PAGES, code);

/** An information page, a legal text, or the home page's banner. */
export type ContentCode = string;

/** Codes that are something else than an information page. */
export const TAKEN_PAGE_CODES: readonly string[] = [...Object.keys(LEGAL_PAGES), "banner", "agreement", "popup"];

/** The page's one address; that of a page from the beginning in the spec's case. */
export function infoPath(productCode: string, code: string): string {
  const page: { slug?: string; path?: string } = isFirstPage(code) ? INFO_PAGES[code] : { slug: code };
  return page.path ?? `/${productCode}/${page.slug}`;
}
