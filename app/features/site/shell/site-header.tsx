import Bell from "lucide-react/icons/bell";
import Phone from "lucide-react/icons/phone";
import Search from "lucide-react/icons/search";
import { Link, useLocation } from "react-router";
import { AccountLinks } from "#app/features/site/shell/account-links.tsx";
import { Logo } from "#app/features/site/shell/logo.tsx";
import { MainMenu, MenuOpener } from "#app/features/site/shell/main-menu.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { GUEST_MENU, memberMenu } from "#app/features/site/shell/site-menu.ts";
import { NavigationProgress } from "#app/features/site/shell/navigation.tsx";
import { telephoneHref } from "#app/lib/format.ts";
import { useTexts } from "#app/lib/page-language.ts";
import type { Bell as BellView } from "#worker/contract/mail/mail.ts";
import { cx } from "#app/ui/cx.ts";
import type { SiteFrame } from "#worker/contract/site/view.ts";

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
  // Except sign-in, account pages exist only in Korean.
  const isKorean = language === "ko";
  const memberItems = isKorean && frame?.user ? memberMenu(frame) : [];
  const userName = frame?.user?.userName ?? null;
  return (
    <header className="sticky top-0 z-30 [@media(max-height:24rem)]:static border-b border-gray-20 bg-white/97 print:hidden">
      <div
        className={cx(
          "container-page flex h-(--header-height) items-center gap-2 sm:gap-4",
          !hasWideNames && "min-[90rem]:gap-6",
        )}
      >
        <Link
          to={pathOf("", "/")}
          className="-ml-1 flex min-h-11 min-w-0 items-center gap-2 rounded-md p-1 sm:gap-2.5 lg:gap-3"
        >
          <Logo className="size-8 shrink-0 text-primary-60 sm:size-9 lg:size-10" />
          <span className="min-w-0">
            <span
              className={cx(
                "block text-sm/tight font-bold tracking-tight text-primary-90",
                hasWideNames
                  ? "hyphens-auto md:text-base/tight xl:max-w-52"
                  : "min-[28rem]:text-base/tight xl:text-lg/tight xl:whitespace-nowrap",
                !hasWideNames && userName === null && "min-[90rem]:text-xl/tight",
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
            <span className={cx(isKorean && (userName === null ? "max-[23rem]:hidden" : "max-[29rem]:hidden"))}>
              <LanguageLink productCode={frame.site.productCode} />
            </span>
          )}
          <Link
            to={pathOf("", "/search")}
            aria-label={shell.search}
            title={shell.search}
            className={cx(
              "inline-flex size-11 items-center justify-center rounded-md text-gray-70 hover:bg-gray-10 hover:text-gray-90",
              userName !== null && "max-[22rem]:hidden",
            )}
          >
            <Search aria-hidden="true" className="size-5.5" />
          </Link>
          {!isKorean && userName === null && (
            <ButtonLink to={pathOf("", GUEST_MENU.signin.href)} variant="quiet" size="sm" className="hidden xl:flex">
              {shell.signin}
            </ButtonLink>
          )}
          {isKorean && (
            <>
              {frame?.user && <ActivityBell {...frame.user.bell} />}
              {frame && <AccountLinks userName={userName} items={memberItems} />}
            </>
          )}
          <MenuOpener />
        </div>
      </div>
      <NavigationProgress />
    </header>
  );
}
