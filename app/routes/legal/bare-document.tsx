import { withSections } from "#app/features/file/article.server.ts";
import { ArticleBody } from "#app/ui/article.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Time } from "#app/ui/inline.tsx";
import type { LegalPageCode } from "#worker/contract/content/info-pages.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { getLegalPage } from "#worker/domain/content/legal-page.server.ts";
import type { Route } from "./+types/bare-document";

export const handle = { bare: true, isForReaders: true };

/** /TOS/Content/*: the bare text, for a frame or dialog of this site. */
export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const code: LegalPageCode = /\/termscontent/i.test(new URL(request.url).pathname) ? "terms" : "privacy";
  return withSections(await getLegalPage(scope, { code }));
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: loaderData?.title ?? "" });

export default function BareLegalDocument({ loaderData }: Route.ComponentProps) {
  const { title, content, effectiveDate } = loaderData;
  return (
    <main id="main" className="mx-auto max-w-4xl px-5 py-6">
      <h1 className="text-xl">{title}</h1>
      {effectiveDate && (
        <p className="mt-1 text-sm text-gray-60">
          시행일 <Time date={effectiveDate} format="long" />
        </p>
      )}
      {content ? <ArticleBody html={content} /> : <p className="py-6">{UI_MESSAGES.preparing}</p>}
    </main>
  );
}
