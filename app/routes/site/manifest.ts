import { logoAddress } from "#app/features/site/shell/logo.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { initialMarkAddress, NETWORK_MARK } from "#worker/contract/site/initial-mark.ts";
import type { SiteLook } from "#worker/contract/site/view.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";

function iconsOf(siteName: string, { logo, themeColor }: SiteLook) {
  if (logo === NETWORK_MARK)
    return [
      { src: "/network-mark.svg", type: "image/svg+xml", sizes: "any" },
      { src: "/network-icon.png", type: "image/png", sizes: "180x180" },
    ];
  return logo
    ? [{ src: logoAddress("icon", logo), type: "image/png", sizes: "192x192" }]
    : [{ src: initialMarkAddress(siteName, themeColor), type: "image/svg+xml", sizes: "any" }];
}

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
    icons: iconsOf(site.siteName, look),
  };
  const headers = {
    "Content-Type": "application/manifest+json; charset=utf-8",
    "Cache-Control": "public, max-age=3600",
  };
  return new Response(JSON.stringify(manifest), { headers });
});
