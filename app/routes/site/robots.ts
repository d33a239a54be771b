import { pageLoader } from "#app/lib/page-loader.server.ts";

const CLOSED = [
  "/account",
  "/Account",
  "/mypage",
  "/Mypage",
  "/admin",
  "/Admin",
  "/alumni",
  "/Alumni",
  "/api",
  "/dev",
  "/search",
];

/** Pictures of public pages; closed ones return 404 to guests. */
const OPEN = ["/api/file/", "/api/site-setting/logo/"];

export const loader = pageLoader((scope) => {
  const lines = [
    "User-agent: *",
    ...OPEN.map((path) => `Allow: ${path}`),
    ...CLOSED.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${scope.origin}/sitemap.xml`,
    "",
  ];
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  return Promise.resolve(new Response(lines.join("\n"), { headers }));
});
