import { index, route, type RouteConfig } from "@react-router/dev/routes";

// In the order of the spec's table; paths match whatever their case.
export default [
  index("routes/home.tsx"),
  route("account/signin", "routes/account/signin.tsx"),
  route("account/signup", "routes/account/signup.tsx"),
  route("account/signup/welcome", "routes/account/welcome.tsx"),
  route("board/:boardCode/list", "routes/board/list.tsx"),
  route("board/:boardCode/view/:itemNo", "routes/board/view.tsx"),
  route("alumni", "routes/alumni/list.tsx"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
