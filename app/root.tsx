import { type ReactNode, use, useEffect, useLayoutEffect } from "react";
import {
  Links,
  type LinksFunction,
  Meta,
  Outlet,
  redirect,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useMatches,
} from "react-router";
import { SecondFactorPrompt } from "#app/features/account/second-factor/prompt.tsx";
import { ErrorPage, errorPageTitle } from "#app/features/site/shell/error-page.tsx";
import { ChunkWatch, PageKeeper } from "#app/features/site/shell/page-keeper.tsx";
import { TAB_STORAGE_GUARD } from "#app/lib/browser-store.ts";
import { SessionWatch, StorageNotice } from "#app/features/site/shell/session-watch.tsx";
import { SiteLookHead } from "#app/features/site/shell/site-look.tsx";
import { SiteShell } from "#app/features/site/shell/site-shell.tsx";
import { PageDocument, type RouteHandle, useSiteFrame } from "#app/lib/page-language.ts";
import { pageMeta, textsOf } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { SharedDrawings } from "#app/lib/markup/reader-markup.ts";
import { doPressedEarly } from "#app/lib/early-press.ts";
import { lendHangulFont } from "#app/lib/hangul-font.ts";
import { waitForActs } from "#app/lib/acts.ts";
import { isSignedIn } from "#app/lib/session-tokens.ts";
import { signinWithHash } from "#app/lib/destination.ts";
import { readPage } from "#app/lib/page-chunk.ts";
import { dispatchEarlyInput, restoreEarlyInput } from "#app/lib/early-input.ts";
// oxlint-disable-next-line import/default -- Vite gives the URL of the script
import readerScript from "#app/features/site/reader/reader-script.ts?worker&url";
import appCss from "#app/app.css?url";
import fontsCss from "pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css?url";
import type { Route } from "./+types/root";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const { searchParams } = new URL(request.url);
  return { ...(await getSiteFrame(scope, searchParams.has("preview"))), origin: scope.origin };
});

/** Waits for pending writes so that the next page shows their results. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  async ({ request }, next) => {
    const signin = signinWithHash(request.url, location);
    if (signin) throw redirect(signin);
    await waitForActs();
    return readPage(request.url, next);
  },
];

/** A navigation reloads the frame only if it shows a member who is not signed in any more. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.href === nextUrl.href || (!!document.documentElement.dataset.member && !isSignedIn());
}

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: appCss },
  // Phones have Hangul fonts, so ours would waste two thirds of a first visit. Without scripting it loads unchecked,
  // because a noscript would block the first paint.
  { rel: "stylesheet", href: fontsCss, media: "(min-width: 48rem), (scripting: none)" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

export function meta({ matches, error }: Route.MetaArgs) {
  return pageMeta({ matches, title: error ? errorPageTitle(error) : [] });
}

export function Layout({ children }: { children: ReactNode }) {
  const { nonce, headScript, readerRules } = use(PageDocument);
  const isReader = readerRules !== null;
  const frame = useSiteFrame();
  const { language, error } = textsOf(useMatches());
  // Runs before effects restore drafts and before early clicks are replayed.
  useLayoutEffect(() => dispatchEarlyInput(document), []);
  useEffect(() => {
    void doPressedEarly(() => restoreEarlyInput(document));
  }, []);
  useEffect(lendHangulFont, []);
  return (
    <html
      lang={language}
      data-guest-role={isReader ? frame?.roleCodeForGuest : undefined}
      data-member={frame?.user?.id}
    >
      <head>
        <meta charSet="utf-8" />
        <script nonce={nonce} suppressHydrationWarning>
          {headScript}
        </script>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <SiteLookHead />
        <meta name="format-detection" content="telephone=no" />
        <Meta />
        {/* Stylesheets of this origin need no nonce; browsers hide it, so hydration would see a mismatch. */}
        <Links nonce="" />
        {isReader && (
          <>
            {import.meta.env.DEV && <script type="module" src="/@vite/client" nonce={nonce} />}
            <script type="module" src={readerScript} nonce={nonce} />
            <script type="speculationrules" nonce={nonce}>
              {readerRules}
            </script>
          </>
        )}
      </head>
      <body>
        {children}
        {import.meta.env.SSR && isReader && <SharedDrawings />}
        {!isReader && (
          <>
            <p
              id="not-loaded"
              role="alert"
              hidden
              className="fixed inset-x-0 bottom-0 z-50 bg-danger-60 px-5 py-4 text-center text-white print:hidden"
            >
              {error.notLoaded}
            </p>
            <script nonce={nonce} suppressHydrationWarning>
              {TAB_STORAGE_GUARD}
            </script>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root() {
  const isReader = use(PageDocument).readerRules !== null;
  const handles = useMatches().map(({ handle }) => handle as RouteHandle | undefined);
  if (handles.some((handle) => handle?.bare))
    return (
      <div className="page-part">
        <Outlet />
      </div>
    );
  const page = isReader ? (
    <Outlet />
  ) : (
    <>
      <div className="page-part">
        <StorageNotice />
      </div>
      <Outlet />
      <div className="page-part">
        <SessionWatch />
        <ChunkWatch />
        <SecondFactorPrompt />
      </div>
    </>
  );
  return <PageKeeper>{handles.some((handle) => handle?.ownFrame) ? page : <SiteShell>{page}</SiteShell>}</PageKeeper>;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <SiteShell>
      <ErrorPage error={error} />
    </SiteShell>
  );
}
