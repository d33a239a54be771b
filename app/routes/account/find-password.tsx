import { AccountPage } from "#app/features/account/account-page.tsx";
import { ResetPassword } from "#app/features/account/reset-password.tsx";
import { AUTH_ADDRESS } from "#app/features/account/texts.ts";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { authenticationInfo } from "#worker/domain/account/signup.server.ts";
import type { Route } from "./+types/find-password";

export const loader = page(async (door, _args: Route.LoaderArgs) => {
  const { authType } = await authenticationInfo(door);
  return { authType };
});

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: "비밀번호 찾기", path: "/Account/FindPassword" });
}

export default function FindPassword({ loaderData: { authType } }: Route.ComponentProps) {
  return (
    <AccountPage title="비밀번호 찾기">
      <ResetPassword addressType={AUTH_ADDRESS[authType]} />
    </AccountPage>
  );
}
