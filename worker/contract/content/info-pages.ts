/** The pages whose text an administrator edits; zod-free, because menus and links are made of them in the browser. */
export const INFO_PAGES = {
  about: { slug: "about", label: "연구망 소개", group: "연구망" },
  organization: { slug: "organization", label: "조직 구성", group: "연구망" },
  target: { slug: "target", label: "연구 대상", group: "환자 등록" },
  registration: { slug: "registration", label: "등록 절차", group: "환자 등록" },
  residence: { slug: "residence", label: "거주지별 등록 현황", group: "환자 등록" },
  registry: { path: "/Registry", label: "레지스트리", group: "환자 등록" },
  center: { slug: "center", label: "권역센터", group: "센터" },
  proposal: { path: "/research/proposal", label: "연구 제안", group: "연구" },
  rules: { path: "/research/rules", label: "연구 규정", group: "연구" },
} as const satisfies Record<string, { label: string; group: string } & ({ slug: string } | { path: string })>;

export type InfoPageCode = keyof typeof INFO_PAGES;

export const LEGAL_PAGES = {
  terms: { path: "/terms", label: "이용약관", bare: "/TOS/Content/TermsContent" },
  privacy: { path: "/privacy", label: "개인정보 처리방침", bare: "/TOS/Content/PrivacyContent" },
} as const;

export type LegalPageCode = keyof typeof LEGAL_PAGES;

/** Information pages, legal texts, and the home page's banner. */
export type ContentCode = InfoPageCode | LegalPageCode | "banner";

/** The page's one address, in the spec's case. */
export function infoPath(productCode: string, code: InfoPageCode): string {
  const page = INFO_PAGES[code];
  return "slug" in page ? `/${productCode}/${page.slug}` : page.path;
}

export const centerPath = (productCode: string, regionCode: string) => `/${productCode}/center/${regionCode}`;
