import { ownValue } from "#worker/contract/kernel/labels.ts";
import ChevronRight from "lucide-react/icons/chevron-right";
import FileText from "lucide-react/icons/file-text";
import FolderOpen from "lucide-react/icons/folder-open";
import LogIn from "lucide-react/icons/log-in";
import MapPin from "lucide-react/icons/map-pin";
import Megaphone from "lucide-react/icons/megaphone";
import MessagesSquare from "lucide-react/icons/messages-square";
import UserPlus from "lucide-react/icons/user-plus";
import { useWords } from "#app/lib/use-words.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { cx } from "#app/ui/cx.ts";
import { Link } from "react-router";
import { boardListHref } from "#app/features/board/board-paths.ts";
import { GUEST_MENU } from "#app/features/site/shell/site-menu.ts";
import type { QuickLinkView, SiteFrame } from "#worker/contract/site/view.ts";

const BOARD_ICONS: Record<string, typeof Megaphone> = { notice: Megaphone, reference: FolderOpen };
const MAX_LINKS = 4;

const quickLinkIcon = (href: string) => {
  if (/\/center\b/i.test(href)) return MapPin;
  if (/^\/board\/reference\b/i.test(href)) return FolderOpen;
  if (/^\/board\//i.test(href)) return Megaphone;
  return FileText;
};

function defaultQuickLinks({ boards, user }: SiteFrame, say: (text: string) => string) {
  const own = user
    ? []
    : [
        { ...GUEST_MENU.signup, note: "새 회원 등록", Icon: UserPlus },
        { ...GUEST_MENU.signin, note: "회원 서비스 이용", Icon: LogIn },
      ];
  const notes: Record<string, string> = { notice: say("{연구망}의 새 소식"), reference: "서식과 지침" };
  const shown = boards.slice(0, MAX_LINKS - own.length).map((board) => ({
    label: board.boardName,
    href: boardListHref(board.boardCode),
    note: ownValue(notes, board.boardCode) ?? "함께 나누는 이야기",
    Icon: ownValue(BOARD_ICONS, board.boardCode) ?? MessagesSquare,
  }));
  return [...shown, ...own];
}

export function HomeQuickLinks({
  frame,
  chosen,
  isOverHero,
}: {
  frame: SiteFrame;
  chosen: readonly QuickLinkView[];
  isOverHero: boolean;
}) {
  const say = useWords();
  const { home, language } = useTexts();
  // The default links have only Korean names.
  const links =
    chosen.length > 0
      ? chosen.map((link) => ({ ...link, Icon: quickLinkIcon(link.href) }))
      : language === "ko"
        ? defaultQuickLinks(frame, say)
        : [];
  if (links.length === 0) return null;
  return (
    <nav
      aria-label={home.quickLinks}
      className={cx("container-page relative", isOverHero ? "-mt-16 md:-mt-18" : "py-10")}
    >
      <ul className="quick-links shadow-lg">
        {links.map(({ label, href, note, Icon }) => (
          <li key={href}>
            <Link to={href}>
              <span>
                <Icon aria-hidden="true" />
              </span>
              <span>
                <span>{label}</span>
                <span>{note}</span>
              </span>
              <ChevronRight aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
