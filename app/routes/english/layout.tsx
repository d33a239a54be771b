import { Outlet, type ShouldRevalidateFunctionArgs, useLocation, useMatches } from "react-router";
import { ErrorPage, errorPageTitle } from "#app/features/site/shell/error-page.tsx";
import { SiteShell } from "#app/features/site/shell/site-shell.tsx";
import { PageLanguage, type RouteHandle } from "#app/lib/page-language.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { pageMeta, textsOf } from "#app/lib/page-meta.ts";
import { ENGLISH_SECTIONS, ENGLISH_TEXTS } from "#app/lib/texts/english.ts";
import { ENGLISH_ACCOUNT_SECTIONS } from "#app/lib/texts/english-account.ts";
import { getEnglishFrame } from "#worker/domain/site/site.server.ts";
import type { Route } from "./+types/layout";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { koreanPath } from "#worker/contract/kernel/language.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => ({
  ...(await getEnglishFrame(scope)),
  origin: scope.origin,
}));

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.href === nextUrl.href;
}

const SECTIONS = { ...ENGLISH_SECTIONS, ...ENGLISH_ACCOUNT_SECTIONS };

export const handle: RouteHandle = { ownFrame: true, texts: ENGLISH_TEXTS, sections: SECTIONS };

export const meta: Route.MetaFunction = ({ matches, error }) =>
  pageMeta({ matches, title: error ? errorPageTitle(error, textsOf(matches)) : [] });

interface LoadedPage {
  content?: { title: string };
  page?: { title: string };
  center?: { centerName: string };
  title?: string;
}
const isUnwritten = ({ content, page, center, title }: LoadedPage) =>
  (content?.title ?? page?.title ?? center?.centerName ?? title) === "";

export default function EnglishLayout({ loaderData: frame }: Route.ComponentProps) {
  const page = useMatches().at(-1)?.loaderData as LoadedPage | undefined;
  return (
    <PageLanguage value={{ texts: ENGLISH_TEXTS, sections: SECTIONS, frame }}>
      <SiteShell>{page && isUnwritten(page) ? <NotInEnglish /> : <Outlet />}</SiteShell>
    </PageLanguage>
  );
}

/** Without English pages, an English address is an ordinary 404. */
export function ErrorBoundary({ error, loaderData: frame }: Route.ErrorBoundaryProps) {
  const page = (
    <SiteShell>
      <ErrorPage error={error} />
    </SiteShell>
  );
  return frame ? <PageLanguage value={{ texts: ENGLISH_TEXTS, sections: SECTIONS, frame }}>{page}</PageLanguage> : page;
}

const TITLE = "This page has not been translated";

function NotInEnglish() {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title={TITLE} />
      <div className="container-page pb-16 md:pb-24">
        <Empty
          action={
            <ButtonLink to={koreanPath(pathname)} hrefLang="ko" variant="primary">
              Read it in Korean
            </ButtonLink>
          }
        >
          It is available in Korean only.
        </Empty>
      </div>
    </>
  );
}
