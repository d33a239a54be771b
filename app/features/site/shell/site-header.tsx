import Bell from "lucide-react/icons/bell";
import Phone from "lucide-react/icons/phone";
import Search from "lucide-react/icons/search";
import { Link, useLocation, useNavigation } from "react-router";
import { AccountLinks, GuestLinks, SignoutButton, UserNameLabel } from "#app/features/site/shell/account-links.tsx";
import { Logo } from "#app/features/site/shell/logo.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { isCurrentMenuItem, memberMenu, type MenuItem } from "#app/features/site/shell/site-menu.ts";
import { telephoneHref } from "#app/lib/format.ts";
import { useTexts } from "#app/lib/page-language.ts";
import type { Bell as BellView } from "#worker/contract/mail/mail.ts";
import { cx } from "#app/ui/cx.ts";
import type { SiteFrame } from "#worker/contract/site/view.ts";
import ChevronDown from "lucide-react/icons/chevron-down";
import MenuIcon from "lucide-react/icons/menu";
import X from "lucide-react/icons/x";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { listenToMenuDrawer, listenToMenuGroup } from "#app/features/site/shell/menu-listeners.ts";

function ActivityBell({ label, badge }: BellView) {
  return (
    <Link
      to="/Mypage/Activity"
      aria-label={label}
      title={label}
      className="relative inline-flex size-11 items-center justify-center rounded-md text-gray-70 hover:bg-gray-10 hover:text-gray-90"
    >
      <Bell aria-hidden="true" className="size-5.5" />
      <span
        aria-hidden="true"
        className="tabular absolute top-1 right-0.5 inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-accent-50 px-1 text-[0.6875rem]/none font-bold text-white empty:hidden"
      >
        {badge}
      </span>
    </Link>
  );
}

function LanguageLink({ productCode, isWhole = false }: { productCode: string; isWhole?: boolean }) {
  const { pathname, search } = useLocation();
  const { language, short, name, pathOf } = useTexts().shell.otherLanguage;
  return (
    <Link
      to={pathOf(productCode, pathname + search)}
      lang={language}
      hrefLang={language}
      aria-label={isWhole || short === name ? undefined : `${short}, ${name}`}
      className="language-link"
    >
      {isWhole ? name : short}
    </Link>
  );
}

export function SiteHeader({ frame }: { frame: SiteFrame | undefined }) {
  const { shell, language, pathOf, phone, hasWideNames } = useTexts();
  const isKorean = language === "ko";
  // The console and the pages of members exist in Korean alone.
  const memberItems = !frame?.user ? [] : isKorean ? memberMenu(frame) : [{ label: shell.mypage, href: "/Mypage" }];
  const userName = frame?.user?.userName ?? null;
  return (
    <header className="page-part sticky top-0 z-30 [@media(max-height:24rem)]:static border-b border-gray-20 bg-white/97 print:hidden">
      <div
        className={cx(
          "container-page flex min-h-(--header-height) items-center gap-2 @min-[40rem]/page:gap-4 @max-[20rem]/page:flex-wrap",
          hasWideNames ? "xl:gap-2!" : "@min-[88.9rem]/page:gap-6",
        )}
      >
        <Link
          to={pathOf("", "/")}
          className="-ml-1 flex min-h-11 min-w-0 items-center gap-2 rounded-md p-1 lg:gap-3 @max-[20rem]/page:basis-full"
        >
          <Logo className={cx("size-8 shrink-0 text-primary-60", !hasWideNames && "md:size-9 lg:size-10")} />
          <span className="min-w-0">
            <span
              className={cx(
                "block font-bold tracking-tight text-primary-90",
                hasWideNames
                  ? "text-xs/tight md:text-base/tight xl:max-w-52 xl:text-xs/tight @min-[88.9rem]/page:text-base/tight"
                  : "text-sm/tight @min-[28rem]/page:text-base/tight xl:text-lg/tight xl:whitespace-nowrap",
                !hasWideNames && userName === null && "@min-[88.9rem]/page:text-xl/tight",
              )}
            >
              {frame?.site.siteName ?? shell.home}
            </span>
          </span>
        </Link>
        <MainMenu items={frame?.menu ?? []} memberItems={memberItems} userName={userName}>
          {frame && (
            <p className="flex flex-wrap gap-x-2 px-4 pb-4 xl:hidden">
              <Link to={pathOf("", "/search")} className="drawer-link">
                <Search aria-hidden="true" />
                {shell.search}
              </Link>
              {frame.site.contact.phone && (
                <a href={telephoneHref(frame.site.contact.phone)} className="drawer-link">
                  <Phone aria-hidden="true" />
                  {phone(frame.site.contact.phone)}
                </a>
              )}
              {frame.look.hasEnglish && <LanguageLink productCode={frame.site.productCode} isWhole />}
            </p>
          )}
        </MainMenu>
        <div className="-mr-2 ml-auto flex items-center xl:mr-0">
          {frame?.look.hasEnglish && (
            <span className={isKorean && userName !== null ? "@max-[29rem]/page:hidden" : "@max-[23rem]/page:hidden"}>
              <LanguageLink productCode={frame.site.productCode} />
            </span>
          )}
          <Link
            to={pathOf("", "/search")}
            aria-label={shell.search}
            title={shell.search}
            className={cx(
              "inline-flex size-11 items-center justify-center rounded-md text-gray-70 hover:bg-gray-10 hover:text-gray-90",
              userName !== null && "@max-[22rem]/page:hidden",
              hasWideNames && "@max-[25rem]/page:hidden",
            )}
          >
            <Search aria-hidden="true" className="size-5.5" />
          </Link>
          {frame?.user && isKorean && <ActivityBell {...frame.user.bell} />}
          {frame && <AccountLinks userName={userName} items={memberItems} />}
          <IconButton label={shell.openMenu} aria-haspopup="dialog" popoverTarget={MENU_ID} className="xl:hidden">
            <MenuIcon aria-hidden="true" className="size-6" />
          </IconButton>
        </div>
      </div>
      <NavigationProgress />
    </header>
  );
}

const MENU_ID = "main-menu";

interface MainMenuProps {
  items: readonly MenuItem[];
  memberItems: readonly MenuItem[];
  userName: string | null;
  children?: ReactNode;
}

/**
 * One markup for wide and narrow screens (main-menu.css). Groups use `<details>`, so the menu works without JavaScript.
 */
function MainMenu({ items, memberItems, userName, children }: MainMenuProps) {
  const ref = useRef<HTMLDivElement>(null);
  const { shell } = useTexts();
  useEffect(() => (ref.current ? listenToMenuDrawer(ref.current) : undefined), []);
  return (
    <div ref={ref} id={MENU_ID} popover="auto" className="main-menu">
      <div className="flex h-16 shrink-0 items-center justify-between border-b border-gray-20 pr-2 pl-4 xl:hidden">
        {userName === null ? (
          <span className="px-2 font-semibold text-gray-90">{shell.allMenu}</span>
        ) : (
          <UserNameLabel name={userName} />
        )}
        <IconButton label={shell.closeMenu} popoverTarget={MENU_ID} popoverTargetAction="hide">
          <X aria-hidden="true" className="size-6" />
        </IconButton>
      </div>
      <nav aria-label={shell.mainMenu}>
        <ul>
          {items.map((item) => (
            <li key={item.label}>{item.children ? <MenuGroup item={item} /> : <MenuLink item={item} />}</li>
          ))}
          {memberItems.map((item) => (
            <li key={item.label} className="xl:hidden">
              <MenuLink item={item} />
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid grid-cols-2 gap-2 border-t border-gray-20 p-4 xl:hidden">
        {userName === null ? <GuestLinks /> : <SignoutButton className="col-span-2" />}
      </div>
      {children}
    </div>
  );
}

function MenuGroup({ item }: { item: MenuItem }) {
  const ref = useRef<HTMLDetailsElement>(null);
  const { pathname } = useLocation();
  const { shell } = useTexts();
  useEffect(() => (ref.current ? listenToMenuGroup(ref.current) : undefined), []);
  const pages = [
    ...(item.href ? [{ label: shell.groupHome(item.label), href: item.href }] : []),
    ...(item.children ?? []),
  ];
  return (
    <details ref={ref} name="menu" data-current={isCurrentMenuItem(item, pathname) ? "" : undefined}>
      <summary>
        {item.label}
        <ChevronDown aria-hidden="true" />
      </summary>
      <ul>
        {pages.map((page) => (
          <li key={page.label}>
            <MenuLink item={page} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function MenuLink({ item }: { item: MenuItem }) {
  const { pathname } = useLocation();
  const current = isCurrentMenuItem(item, pathname) ? (pathname === item.href ? "page" : "true") : undefined;
  return (
    <Link to={item.href ?? "/"} aria-current={current}>
      {item.label}
    </Link>
  );
}

export function NavigationProgress() {
  const busy = useNavigation().state !== "idle";
  return (
    <>
      {busy && (
        <div aria-hidden="true" className="absolute inset-x-0 -bottom-px h-0.75 overflow-hidden bg-primary-10">
          <div className="h-full w-2/5 animate-progress bg-primary-50 motion-reduce:w-full" />
        </div>
      )}
      <TitleAnnouncer />
    </>
  );
}

function TitleAnnouncer() {
  const { pathname } = useLocation();
  const first = useRef(pathname);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (first.current === pathname) return;
    first.current = "";
    setTitle(document.title);
  }, [pathname]);
  return (
    <p className="sr-only" aria-live="polite">
      {title}
    </p>
  );
}
