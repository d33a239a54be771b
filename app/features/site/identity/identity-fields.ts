import type { BoardLink } from "#worker/contract/board/view.ts";
import { PALETTES } from "#worker/contract/kernel/palette.ts";
import type { EnglishSite, IdentitySettings } from "#worker/contract/kernel/site-setting.ts";

export type IdentityValue = Omit<IdentitySettings, "logo">;

export interface IdentityFieldsProps {
  value: IdentityValue;
  errors: Record<string, string>;
  onChange: (value: IdentityValue) => void;
}

export const HOME_PART_NAMES = {
  quickLinks: "바로가기",
  events: "다가오는 일정",
  boards: "게시판의 새 글",
  centers: "지역 기관 찾기",
} as const;

export const ENGLISH_SITE_NAMES: Record<keyof EnglishSite, string> = {
  siteName: "영문 사이트 이름",
  productName: "영문 사업 이름",
  description: "영문 소개",
  organization: "영문 기관명",
  address: "영문 주소",
  copyright: "영문 저작권 표시",
  footerText: "영문 바닥글 문구",
};

export function describeIdentity(value: IdentityValue, boards: readonly BoardLink[]): Record<string, string> {
  const links = (list: readonly { label: string; href: string; english: string }[] | null) =>
    list?.map(({ label, href, english }) => `${[label, english].filter(Boolean).join(" / ")} (${href})`).join("\n") ??
    "처음 그대로";
  const flag = (on: boolean) => (on ? "씀" : "쓰지 않음");
  return {
    용어: Object.entries(value.words)
      .filter(([name, word]) => word && word !== name)
      .map(([name, word]) => `${name}: ${word}`)
      .join("\n"),
    색: PALETTES[value.color].label,
    "지역 기관": flag(value.hasCenters),
    "연계 서비스": flag(value.hasCaseReport),
    "첫 화면 구성": value.home
      .map(({ part, isHidden }) => HOME_PART_NAMES[part] + (isHidden ? " (숨김)" : ""))
      .join("\n"),
    "첫 화면 단추": links(value.actions),
    "첫 화면 게시판": value.homeBoards
      .map((code) => boards.find(({ boardCode }) => boardCode === code)?.boardName ?? code)
      .join(", "),
    "바닥글 링크": links(value.footerLinks),
    "바닥글 문구": value.footerText,
    "같은 뜻의 말": value.synonyms,
    ...Object.fromEntries(
      Object.entries(ENGLISH_SITE_NAMES).map(([name, label]) => [label, value.english[name as keyof EnglishSite]]),
    ),
  };
}
