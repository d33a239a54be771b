/** Built-in pages, whose addresses never change; free of zod for menus in the browser. */
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

export const PAGE_LOOKS = {
  "": "보통 글",
  timeline: "연혁(날짜로 시작하는 표)",
  chart: "조직도(목록)",
  steps: "절차(번호 목록)",
} as const;

export type PageLook = keyof typeof PAGE_LOOKS;

export interface InfoPage {
  code: string;
  label: string;
  /** The code of the parent page, or empty. */
  parent: string;
  look: PageLook;
  /** Also hides the page at its address. */
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

export const INFO_PAGE_LIMITS = { pages: 40, label: 30, code: 40 } as const;

export const INFO_PAGE_CODE = /^[a-z][a-z0-9-]{1,39}$/;

export const LEGAL_PAGES = {
  terms: { path: "/terms", label: "이용약관", bare: "/TOS/Content/TermsContent" },
  privacy: { path: "/privacy", label: "개인정보 처리방침", bare: "/TOS/Content/PrivacyContent" },
} as const;

export type LegalPageCode = keyof typeof LEGAL_PAGES;

export const isLegalPage = (code: string): code is LegalPageCode => Object.hasOwn(LEGAL_PAGES, code);

export type ContentCode = string;

export const TAKEN_PAGE_CODES: readonly string[] = [...Object.keys(LEGAL_PAGES), "banner", "agreement", "popup"];

/** Built-in pages keep the spec's case. */
export function infoPath(productCode: string, code: string): string {
  const page: { slug?: string; path?: string } = isFirstPage(code) ? INFO_PAGES[code] : { slug: code };
  return page.path ?? `/${productCode}/${page.slug}`;
}
