import { redirect } from "react-router";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import type { Route } from "./+types/index";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  requireSignedIn(await scope.context());
  throw redirect("/Mypage/Info");
});
