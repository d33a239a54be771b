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

export const loader = pageLoader((scope) => {
  const lines = [
    "User-agent: *",
    ...CLOSED.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${scope.origin}/sitemap.xml`,
    "",
  ];
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  return Promise.resolve(new Response(lines.join("\n"), { headers }));
});
