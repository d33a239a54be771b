import { PasswordForm } from "#app/features/account/mypage/password-form.tsx";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { signedIn } from "#worker/domain/kernel/authorize.server.ts";
import type { Route } from "./+types/password";

export const loader = page(async (door, _args: Route.LoaderArgs) => ({
  userId: signedIn(await door.context()).userId,
}));

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["비밀번호", "마이페이지"] });
}

export default function Password({ loaderData }: Route.ComponentProps) {
  return <PasswordForm userId={loaderData.userId} />;
}
