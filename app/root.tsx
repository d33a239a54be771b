import { type ReactNode, use, useEffect, useLayoutEffect } from "react";
import {
  Links,
  type LinksFunction,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useMatches,
} from "react-router";
import { ErrorPage, errorTitle } from "#app/features/shell/error-page.tsx";
import { SessionWatch } from "#app/features/shell/session-watch.tsx";
import { Shell } from "#app/features/shell/shell.tsx";
import { doPressedEarly, EarlyScript } from "#app/lib/early.ts";
import { actsAnswered } from "#app/lib/in-flight.ts";
import { pageMeta } from "#app/lib/meta.ts";
import { forbidCompiling } from "#app/lib/no-eval.ts";
import { page } from "#app/lib/page.server.ts";
import { tellTypedEarly } from "#app/lib/typed-early.ts";
import { siteFrame } from "#worker/domain/site.server.ts";
import appCss from "#app/app.css?url";
import fontsCss from "#app/fonts.css?url";
import type { Route } from "./+types/root";

forbidCompiling();

export const loader = page(async (door, { request }: Route.LoaderArgs) => {
  const { searchParams } = new URL(request.url);
  return { ...(await siteFrame(door, searchParams.has("preview"))), origin: door.origin };
});

/** The next page is read when what was done on this one is there, or it would not show it. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  async (_args, next) => {
    await actsAnswered();
    await next();
  },
];

/** The frame changes with who is signed in, not with the page: only a revalidation in place asks for it again. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.href === nextUrl.href;
}

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: appCss },
  // Phones have a good Hangul letter of their own; ours would be two thirds of what a first visit costs them.
  // Without a script nothing can ask whether a small screen has Hangul. In a noscript it would hold up the first paint.
  { rel: "stylesheet", href: fontsCss, media: "(min-width: 48rem), (scripting: none)" },
  { rel: "icon", href: "/favicon.ico", sizes: "16x16 32x32 48x48" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
];

export function meta({ matches, error }: Route.MetaArgs) {
  return error ? pageMeta({ matches, title: errorTitle(error) }) : pageMeta({ matches, title: [] });
}

export function Layout({ children }: { children: ReactNode }) {
  const early = use(EarlyScript);
  // Before any effect takes up a draft, and before what was pressed is done.
  useLayoutEffect(() => tellTypedEarly(document), []);
  useEffect(() => {
    void doPressedEarly();
  }, []);
  useEffect(() => {
    // Its own file, so that it is no part of what a wide screen loads.
    if (innerWidth < 768)
      document.head.appendChild(Object.assign(document.createElement("script"), { src: "/letters.js" }));
  }, []);
  return (
    <html lang="ko">
      <head>
        <meta charSet="utf-8" />
        <script nonce={early.nonce} suppressHydrationWarning>
          {early.text}
        </script>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#0f5f79" />
        <meta name="format-detection" content="telephone=no" />
        <Meta />
        {/* Styles come from here and need no nonce; React would find the hidden one changed. */}
        <Links nonce="" />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** A route whose `handle` says `bare` stands alone, without the shell. */
export default function Root() {
  const bare = useMatches().some((match) => (match.handle as { bare?: boolean } | undefined)?.bare);
  return bare ? (
    <Outlet />
  ) : (
    <Shell>
      <Outlet />
      <SessionWatch />
    </Shell>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Shell>
      <ErrorPage error={error} />
    </Shell>
  );
}
