import type { Route } from "./+types/robots";

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

export function loader({ request }: Route.LoaderArgs) {
  const { origin } = new URL(request.url);
  const lines = [
    "User-agent: *",
    ...CLOSED.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ];
  return new Response(lines.join("\n"), { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
