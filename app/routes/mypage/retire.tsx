import { RetireForm } from "#app/features/privacy/retire-form.tsx";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { signedIn } from "#worker/domain/kernel/authorize.server.ts";
import type { Route } from "./+types/retire";

export const loader = page(async (door, _args: Route.LoaderArgs) => {
  signedIn(await door.context());
  return null;
});

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["탈퇴", "마이페이지"] });
}

export default function Retire() {
  return <RetireForm />;
}
