import { PasswordForm } from "#app/features/account/mypage/password-form.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import type { Route } from "./+types/password";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => ({
  userId: requireSignedIn(await scope.context()).userId,
}));

export const meta = titledMeta("비밀번호", "마이페이지");

export default function MypagePassword({ loaderData }: Route.ComponentProps) {
  return <PasswordForm userId={loaderData.userId} />;
}
