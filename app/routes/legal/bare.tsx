import { Article } from "#app/features/file/article.tsx";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { Time } from "#app/ui/time.tsx";
import type { LegalPageCode } from "#worker/contract/content/info-pages.ts";
import { MESSAGES } from "#worker/contract/kernel/messages.ts";
import { legalPage } from "#worker/domain/content/page.server.ts";
import type { Route } from "./+types/bare";

export const handle = { bare: true };

/** /TOS/Content/*: the text alone, for a frame or dialog of this site. */
export const loader = page(async (door, { request }: Route.LoaderArgs) => {
  const code: LegalPageCode = /\/termscontent/i.test(new URL(request.url).pathname) ? "terms" : "privacy";
  return legalPage(door, { code });
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta({ matches, title: loaderData?.title ?? "" });
}

export default function BareDocument({ loaderData }: Route.ComponentProps) {
  const { title, content, pictures, effectiveDate } = loaderData;
  return (
    <main id="main" className="mx-auto max-w-4xl px-5 py-6">
      <h1 className="text-xl">{title}</h1>
      {effectiveDate && (
        <p className="mt-1 text-sm text-gray-60">
          시행일 <Time date={effectiveDate} format="long" />
        </p>
      )}
      {content ? <Article html={content} pictures={pictures} /> : <p className="py-6">{MESSAGES.preparing}</p>}
    </main>
  );
}
