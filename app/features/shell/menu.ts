import { listPath } from "#app/features/board/paths.ts";
import { INFO_PAGES, type InfoPageCode, infoPath } from "#worker/contract/info-pages.ts";
import type { Frame } from "#worker/contract/site.ts";

export interface MenuItem {
  label: string;
  /** Beside `children` it is the page of the whole group. */
  href?: string;
  children?: MenuItem[];
}

/** The main menu, in its order; a group has `children`. */
export function mainMenu(frame: Frame): MenuItem[] {
  const page = (code: InfoPageCode): MenuItem => ({
    label: INFO_PAGES[code].label,
    href: infoPath(frame.site.productCode, code),
  });
  const boards = frame.boards.map((board) => ({ label: board.boardName, href: listPath(board.boardCode) }));
  return [
    { label: "연구망", children: [page("about"), page("organization")] },
    { label: "환자 등록", children: [page("target"), page("registration"), page("residence"), page("registry")] },
    page("center"),
    { label: "연구", children: [page("proposal"), page("rules")] },
    ...(boards.length > 0 ? [{ label: "게시판", children: boards }] : []),
    ...(frame.alumni ? [{ label: "동문주소록", href: "/Alumni" }] : []),
  ];
}

/** What a member sees beside his name, before 로그아웃. */
export function memberMenu(frame: Frame): MenuItem[] {
  const mine = { label: "마이페이지", href: "/Mypage" };
  return frame.user?.isAdministrator ? [{ label: "관리", href: "/Admin" }, mine] : [mine];
}

export const GUEST_MENU = {
  signin: { label: "로그인", href: "/Account/Signin" },
  signup: { label: "회원가입", href: "/Account/Signup" },
} as const;

export const LEGAL_MENU = {
  terms: { label: "이용약관", href: "/terms" },
  privacy: { label: "개인정보처리방침", href: "/privacy" },
} as const;

/** Does the address lie at or below the item's? */
export function isCurrent(item: MenuItem, pathname: string): boolean {
  if (item.children?.some((child) => isCurrent(child, pathname))) return true;
  if (item.href === undefined) return false;
  const path = pathname.toLowerCase();
  const own = item.href.toLowerCase().replace(/(?:\/list)?\/$/, "");
  return path === own || path.startsWith(`${own}/`);
}
