import { useEffect } from "react";
import { isRouteErrorResponse, useLocation, useRevalidator } from "react-router";
import { telephoneHref } from "#app/lib/format.ts";
import { useSiteFrame, useTexts } from "#app/lib/page-language.ts";
import { KOREAN_TEXTS, type SiteTexts } from "#app/lib/texts/korean.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";

const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

function toPageProblem(error: unknown) {
  if (!isRouteErrorResponse(error)) return { status: 500 };
  const data = (typeof error.data === "object" && error.data !== null ? error.data : {}) as Record<string, unknown>;
  return { status: error.status, message: nonEmptyText(data.message), requestId: nonEmptyText(data.requestId) };
}

/** Only client-side navigation can be offline; a page from the Worker has arrived. */
const isOffline = (error: unknown) =>
  typeof window !== "undefined" && !isRouteErrorResponse(error) && (!navigator.onLine || isFetchFailure(error));
/** Matches the error texts of Chromium, Firefox and WebKit. */
const isFetchFailure = (error: unknown) =>
  error instanceof TypeError && /fetch|network|load failed|imported module/i.test(error.message);

export function errorPageTitle(error: unknown, { error: texts }: SiteTexts = KOREAN_TEXTS): string {
  if (isOffline(error)) return texts.offline;
  return texts.titles[toPageProblem(error).status] ?? texts.title;
}

const RETRY_MS = 2000;

function OfflinePage() {
  const { revalidate, state } = useRevalidator();
  const { error: texts } = useTexts();
  // The first try after a break often fails, and no second event of the browser follows.
  useEffect(() => {
    const timer = state === "idle" ? setInterval(() => navigator.onLine && void revalidate(), RETRY_MS) : undefined;
    return () => clearInterval(timer);
  }, [revalidate, state]);
  return (
    <div className="container-page flex flex-col items-center py-20 text-center md:py-32">
      <h1 className="text-2xl">{texts.offline}</h1>
      <p className="mt-4 max-w-xl text-gray-60">{texts.offlineHelp}</p>
      <div className="mt-10 flex flex-wrap justify-center gap-3">
        <Button onClick={() => history.back()}>{texts.back}</Button>
        <Button variant="primary" busy={state === "loading"} onClick={() => void revalidate()}>
          {texts.retry}
        </Button>
      </div>
    </div>
  );
}

export function ErrorPage({ error }: { error: unknown }) {
  const siteTexts = useTexts();
  const contact = useSiteFrame()?.site.contact;
  const { pathname, search } = useLocation();
  if (isOffline(error)) return <OfflinePage />;
  const texts = siteTexts.error;
  const { status, message, requestId } = toPageProblem(error);
  const isClosed = status === 403 || status === 404;
  // A 400 message describes one parameter, so it is not shown for the page.
  const said =
    ((status > 400 && status < 500) || status === 503) && message !== undefined ? texts.said(message) : undefined;
  return (
    <div className="container-page flex flex-col items-center py-20 text-center md:py-32">
      <p aria-hidden="true" className="tabular text-display font-extrabold tracking-tight text-primary-40">
        {status}
      </p>
      <h1 className="mt-4 text-2xl">{errorPageTitle(error, siteTexts)}</h1>
      <p className="mt-4 max-w-xl text-gray-60">{said ?? texts.helps[status] ?? texts.help}</p>
      {isClosed && contact?.phone && (
        <p className="mt-2 text-gray-60">
          {contact.organization}{" "}
          <a href={telephoneHref(contact.phone)} className="underline">
            {siteTexts.phone(contact.phone)}
          </a>
        </p>
      )}
      {requestId && status >= 500 && <p className="mt-2 text-sm text-gray-60">{texts.requestId(requestId)}</p>}
      <div className="mt-10 flex flex-wrap justify-center gap-3">
        {(status >= 500 || status === 429) && (
          <ButtonLink to={pathname + search} reloadDocument>
            {texts.retry}
          </ButtonLink>
        )}
        {isClosed && <ButtonLink to={siteTexts.pathOf("", "/search")}>{texts.search}</ButtonLink>}
        {status === 401 && (
          <ButtonLink to={siteTexts.pathOf("", "/Account/Signin")}>{siteTexts.shell.signin}</ButtonLink>
        )}
        <ButtonLink to={siteTexts.pathOf("", "/")} variant="primary">
          {texts.home}
        </ButtonLink>
      </div>
    </div>
  );
}
