import ChevronDown from "lucide-react/icons/chevron-down";
import MenuIcon from "lucide-react/icons/menu";
import X from "lucide-react/icons/x";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { SignoutButton, UserNameLabel } from "#app/features/site/shell/account-links.tsx";
import { GUEST_MENU, isCurrentMenuItem, type MenuItem } from "#app/features/site/shell/site-menu.ts";
import { listenToDrawer } from "#app/features/site/shell/menu-listeners.ts";
import { ButtonLink, IconButton } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";

const DRAWER_ID = "site-menu";
const ROW = "drawer-row";
const TOP = "text-lg font-semibold";

interface MenuDrawerProps {
  items: readonly MenuItem[];
  memberItems: readonly MenuItem[];
  userName: string | null;
}

/** The menu of narrow screens: a native modal dialog, opened by the browser itself where it can (`command`). */
export function MenuDrawer({ items, memberItems, userName }: MenuDrawerProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const { pathname } = useLocation();
  useEffect(() => (ref.current ? listenToDrawer(ref.current) : undefined), []);
  const invoke = (command: string) => ({ command, commandfor: DRAWER_ID });
  return (
    <div className="xl:hidden">
      <IconButton label="메뉴 열기" aria-haspopup="dialog" {...invoke("show-modal")}>
        <MenuIcon aria-hidden="true" className="size-6" />
      </IconButton>
      <dialog
        ref={ref}
        id={DRAWER_ID}
        aria-label="전체 메뉴"
        {...{ closedby: "any" }}
        className="my-0 mr-0 ml-auto h-dvh max-h-none w-[min(22rem,88vw)] max-w-none bg-white p-0 shadow-lg backdrop:bg-primary-90/60 open:animate-rise"
      >
        <div className="flex min-h-full flex-col">
          <div className="flex h-16 shrink-0 items-center justify-between border-b border-gray-20 pr-2 pl-4">
            {userName === null ? (
              <span className="px-2 font-semibold text-gray-90">전체 메뉴</span>
            ) : (
              <UserNameLabel name={userName} />
            )}
            <IconButton label="메뉴 닫기" {...invoke("close")}>
              <X aria-hidden="true" className="size-6" />
            </IconButton>
          </div>
          <nav aria-label="전체 메뉴" className="flex-1 p-3">
            <ul>
              {[...items, ...memberItems].map((item) => (
                <li key={item.label}>
                  {item.children ? (
                    <details className="group" open={isCurrentMenuItem(item, pathname)}>
                      <summary className={cx(ROW, TOP)}>
                        {item.label}
                        <ChevronDown aria-hidden="true" className="size-5 transition-transform group-open:rotate-180" />
                      </summary>
                      <ul className="mb-2 ml-4 border-l border-gray-20 pl-2">
                        {[...(item.href ? [{ label: `${item.label} 홈`, href: item.href }] : []), ...item.children].map(
                          (child) => (
                            <li key={child.label}>
                              <DrawerLink item={child} pathname={pathname} className="font-medium" />
                            </li>
                          ),
                        )}
                      </ul>
                    </details>
                  ) : (
                    <DrawerLink item={item} pathname={pathname} className={TOP} />
                  )}
                </li>
              ))}
            </ul>
          </nav>
          <div className="grid grid-cols-2 gap-2 border-t border-gray-20 p-4">
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
        </div>
      </dialog>
    </div>
  );
}

function DrawerLink({ item, pathname, className }: { item: MenuItem; pathname: string; className: string }) {
  return (
    <Link
      to={item.href ?? "/"}
      aria-current={isCurrentMenuItem(item, pathname) ? (pathname === item.href ? "page" : "true") : undefined}
      className={cx(ROW, className)}
    >
      {item.label}
    </Link>
  );
}
