import type { BoardLink } from "#worker/contract/board/view.ts";
import { describeRow } from "#app/features/form/row-fields.tsx";
import { IDENTITY_FIELDS } from "#worker/contract/kernel/setting/site-fields.ts";
import type { IdentitySettings } from "#worker/contract/kernel/setting/site-setting.ts";

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

export function describeIdentity(value: IdentityValue, boards: readonly BoardLink[]): Record<string, string> {
  const links = (list: readonly { label: string; href: string; english: string }[] | null) =>
    list?.map(({ label, href, english }) => `${[label, english].filter(Boolean).join(" / ")} (${href})`).join("\n") ??
    "처음 그대로";
  return {
    용어: Object.entries(value.words)
      .filter(([name, word]) => word && word !== name)
      .map(([name, word]) => `${name}: ${word}`)
      .join("\n"),
    "첫 화면 구성": value.home
      .map(({ part, isHidden }) => HOME_PART_NAMES[part] + (isHidden ? " (숨김)" : ""))
      .join("\n"),
    "첫 화면 버튼": links(value.actions),
    "첫 화면 게시판": value.homeBoards
      .map((code) => boards.find(({ boardCode }) => boardCode === code)?.boardName ?? code)
      .join(", "),
    "바닥글 링크": links(value.footerLinks),
    "같은 뜻의 말": value.synonyms,
    ...describeRow(IDENTITY_FIELDS, value),
  };
}
