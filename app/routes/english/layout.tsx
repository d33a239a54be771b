import { Outlet, type ShouldRevalidateFunctionArgs, useMatches } from "react-router";
import { NotInEnglish } from "#app/features/site/english/not-in-english.tsx";
import { ErrorPage, errorPageTitle } from "#app/features/site/shell/error-page.tsx";
import { SiteShell } from "#app/features/site/shell/site-shell.tsx";
import { PageLanguage } from "#app/lib/page-language.ts";
import type { RouteHandle } from "#app/lib/page-document.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { pageMeta, textsOf } from "#app/lib/page-meta.ts";
import { ENGLISH_SECTIONS } from "#app/lib/texts/english-sections.ts";
import { ENGLISH_TEXTS } from "#app/lib/texts/english.ts";
import { getEnglishFrame } from "#worker/domain/site/site.server.ts";
import type { Route } from "./+types/layout";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => ({
  ...(await getEnglishFrame(scope)),
  origin: scope.origin,
}));

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.href === nextUrl.href;
}

export const handle: RouteHandle = { ownFrame: true, texts: ENGLISH_TEXTS, sections: ENGLISH_SECTIONS };

export function meta({ matches, error }: Route.MetaArgs) {
  return pageMeta({ matches, title: error ? errorPageTitle(error, textsOf(matches)) : [] });
}

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
    <PageLanguage value={{ texts: ENGLISH_TEXTS, sections: ENGLISH_SECTIONS, frame }}>
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
  return frame ? (
    <PageLanguage value={{ texts: ENGLISH_TEXTS, sections: ENGLISH_SECTIONS, frame }}>{page}</PageLanguage>
  ) : (
    page
  );
}
