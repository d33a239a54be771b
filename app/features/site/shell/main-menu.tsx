import ChevronDown from "lucide-react/icons/chevron-down";
import MenuIcon from "lucide-react/icons/menu";
import X from "lucide-react/icons/x";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { SignoutButton, UserNameLabel } from "#app/features/site/shell/account-links.tsx";
import { listenToMenuDrawer, listenToMenuGroup } from "#app/features/site/shell/menu-listeners.ts";
import { GUEST_MENU, isCurrentMenuItem, type MenuItem } from "#app/features/site/shell/site-menu.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { ButtonLink, IconButton } from "#app/ui/button.tsx";

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
export function MainMenu({ items, memberItems, userName, children }: MainMenuProps) {
  const ref = useRef<HTMLDivElement>(null);
  const { shell, language, pathOf } = useTexts();
  useEffect(() => (ref.current ? listenToMenuDrawer(ref.current) : undefined), []);
  return (
    <div ref={ref} id={MENU_ID} popover="auto" className="main-menu">
      <div className="flex h-16 shrink-0 items-center justify-between border-b border-gray-20 pr-2 pl-4 xl:hidden">
        {userName === null || language === "en" ? (
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
      {language === "en" && userName === null && (
        <div className="border-t border-gray-20 p-4 xl:hidden">
          <ButtonLink to={pathOf("", GUEST_MENU.signin.href)} className="w-full">
            {shell.signin}
          </ButtonLink>
        </div>
      )}
      {language === "ko" && (
        <div className="grid grid-cols-2 gap-2 border-t border-gray-20 p-4 xl:hidden">
          {userName === null ? (
            <>
              <ButtonLink to={GUEST_MENU.signin.href}>{GUEST_MENU.signin.label}</ButtonLink>
              <ButtonLink to={GUEST_MENU.signup.href} variant="primary">
                {GUEST_MENU.signup.label}
              </ButtonLink>
            </>
          ) : (
            <SignoutButton className="col-span-2" />
          )}
        </div>
      )}
      {children}
    </div>
  );
}

export function MenuOpener() {
  const { shell } = useTexts();
  return (
    <IconButton label={shell.openMenu} aria-haspopup="dialog" popoverTarget={MENU_ID} className="xl:hidden">
      <MenuIcon aria-hidden="true" className="size-6" />
    </IconButton>
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
