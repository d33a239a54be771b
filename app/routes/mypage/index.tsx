import { redirect } from "react-router";
import { page } from "#app/lib/page.server.ts";
import { signedIn } from "#worker/domain/kernel/authorize.server.ts";
import type { Route } from "./+types/index";

export const loader = page(async (door, _args: Route.LoaderArgs) => {
  signedIn(await door.context());
  throw redirect("/Mypage/Info");
});
