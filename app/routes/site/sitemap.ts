import { pageLoader } from "#app/lib/page-loader.server.ts";
import { listSitemapEntries } from "#worker/domain/site/sitemap.server.ts";

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

export const loader = pageLoader(async (scope) => {
  const entries = await listSitemapEntries(scope);
  const urls = entries.map(({ path, modifiedDate }) => {
    const lastmod = modifiedDate ? `<lastmod>${modifiedDate}</lastmod>` : "";
    return `<url><loc>${escapeXml(scope.origin + path)}</loc>${lastmod}</url>`;
  });
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join("\n")}\n</urlset>\n`;
  return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
});
