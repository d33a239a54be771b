import { pageLoader } from "#app/lib/page-loader.server.ts";
import { xmlResponse, xmlText } from "#app/lib/xml.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { readSitemapPartName, SITEMAP_PAGES } from "#worker/contract/site/rules.ts";
import { listSitemapItems, listSitemapPages } from "#worker/domain/site/sitemap.server.ts";
import type { Route } from "./+types/sitemap-part";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const part = readSitemapPartName(params.part);
  if (!part && params.part !== SITEMAP_PAGES)
    throw new AppError("NOT_FOUND", { message: "사이트맵의 이 부분은 없습니다." });
  const entries = part ? await listSitemapItems(scope, part) : await listSitemapPages(scope);
  const urls = entries.flatMap(({ path, english, modifiedDate }) => {
    const lastmod = modifiedDate ? `<lastmod>${modifiedDate}</lastmod>` : "";
    const others = english
      ? [
          ["ko", path],
          ["en", english],
          ["x-default", path],
        ]
          .map(([language, other]) => {
            const href = xmlText(scope.origin + other);
            return `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`;
          })
          .join("")
      : "";
    return [path, ...(english ? [english] : [])].map(
      (each) => `<url><loc>${xmlText(scope.origin + each)}</loc>${lastmod}${others}</url>`,
    );
  });
  return xmlResponse("urlset", urls);
});
