import { index, route, type RouteConfig } from "@react-router/dev/routes";

// In the order of the spec's table; paths match whatever their case.
export default [
  index("routes/home.tsx"),
  route("account/signin", "routes/account/signin.tsx"),
  route("account/signup", "routes/account/signup.tsx"),
  route("account/signup/welcome", "routes/account/welcome.tsx"),
  route("account/findid", "routes/account/find-id.tsx"),
  route("account/findpassword", "routes/account/find-password.tsx"),
  route("account/password/process/success", "routes/account/password-success.tsx"),
  ...["about", "target", "registration"].map((slug) => route(`:product/${slug}`, "routes/info/page.tsx", { id: slug })),
  route(":product/center", "routes/center/overview.tsx"),
  route(":product/center/:region", "routes/center/region.tsx"),
  route(":product/residence", "routes/info/residence.tsx"),
  route(":product/organization", "routes/info/page.tsx", { id: "organization" }),
  route("registry", "routes/info/page.tsx", { id: "registry" }),
  ...["proposal", "rules"].map((slug) => route(`research/${slug}`, "routes/info/page.tsx", { id: slug })),
  route("terms", "routes/legal/document.tsx", { id: "terms" }),
  route("privacy", "routes/legal/document.tsx", { id: "privacy" }),
  route("tos/content/privacycontent", "routes/legal/bare.tsx", { id: "privacy-content" }),
  route("tos/content/termscontent", "routes/legal/bare.tsx", { id: "terms-content" }),
  route("board/:boardCode/list", "routes/board/list.tsx"),
  route("board/:boardCode/view/:itemNo", "routes/board/view.tsx"),
  route("board/:boardCode/write/:itemNo?", "routes/board/write.tsx"),
  route("alumni", "routes/alumni/list.tsx"),
  route("search", "routes/search.tsx"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
