import { KOREAN_TEXTS } from "#app/lib/texts/korean.ts";
import { fillWords } from "#worker/contract/kernel/wording.ts";
import type { MenuItem, SiteFrame } from "#worker/contract/site/view.ts";

export type { MenuItem };

export function memberMenu({ user, look }: SiteFrame): MenuItem[] {
  const mine = { label: KOREAN_TEXTS.shell.mypage, href: "/Mypage" };
  if (user?.isAdministrator) return [{ label: "관리", href: "/Admin" }, mine];
  return [
    ...(user?.consoleRights.includes("Inquiry_Answer") ? [{ label: "문의 답변", href: "/Admin/Inquiries" }] : []),
    ...(user?.centers ?? []).map(({ regionCode, regionName }) => ({
      label: fillWords(look.words, `${regionName} {센터} 관리`),
      href: `/Admin/Centers/${regionCode}`,
    })),
    mine,
  ];
}

export const GUEST_MENU = {
  signin: { label: "로그인", href: "/Account/Signin" },
  signup: { label: "회원가입", href: "/Account/Signup" },
} as const;

export const LEGAL_MENU = {
  terms: { label: "이용약관", href: "/terms" },
  privacy: { label: "개인정보 처리방침", href: "/privacy" },
} as const;

export function isCurrentMenuItem(item: MenuItem, pathname: string): boolean {
  if (item.children?.some((child) => isCurrentMenuItem(child, pathname))) return true;
  if (item.href === undefined) return false;
  const path = pathname.toLowerCase();
  const own = item.href.toLowerCase().replace(/(?:\/list)?\/$/, "");
  return path === own || path.startsWith(`${own}/`);
}
