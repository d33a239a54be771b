import { pageLoader } from "#app/lib/page-loader.server.ts";
import { xmlResponse, xmlText } from "#app/lib/xml.server.ts";
import { listSitemapParts } from "#worker/domain/site/sitemap.server.ts";

export const loader = pageLoader(async (scope) => {
  const parts = (await listSitemapParts(scope)).map(
    (name) => `<sitemap><loc>${xmlText(`${scope.origin}/sitemap/${name}`)}</loc></sitemap>`,
  );
  return xmlResponse("sitemapindex", parts);
});
