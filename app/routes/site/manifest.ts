import { pageLoader } from "#app/lib/page-loader.server.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";

/** What a phone shows where the site was put on its first screen. */
export const loader = pageLoader(async (scope) => {
  const { site, look } = await getSiteFrame(scope, false);
  const manifest = {
    name: site.siteName,
    short_name: site.siteName.slice(0, 12),
    description: site.description,
    lang: "ko",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#ffffff",
    theme_color: look.themeColor ?? "#0f5f79",
    icons: look.logo
      ? [{ src: `/api/site-setting/logo/icon?v=${look.logo}`, type: "image/png", sizes: "192x192" }]
      : [
          { src: "/favicon.svg", type: "image/svg+xml", sizes: "any" },
          { src: "/apple-touch-icon.png", type: "image/png", sizes: "180x180" },
        ],
  };
  const headers = {
    "Content-Type": "application/manifest+json; charset=utf-8",
    "Cache-Control": "public, max-age=3600",
  };
  return new Response(JSON.stringify(manifest), { headers });
});
