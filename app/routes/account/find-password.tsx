import { AccountPage } from "#app/features/account/account-page.tsx";
import { ResetPasswordForm } from "#app/features/account/reset-password.tsx";
import { ADDRESS_TYPE_BY_AUTH_TYPE } from "#app/features/account/error-messages.ts";
import { pageMetaOf } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { getAuthenticationInfo } from "#worker/domain/account/signup-form.server.ts";
import type { Route } from "./+types/find-password";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const { authType } = await getAuthenticationInfo(scope);
  return { authType };
});

export const meta = pageMetaOf({ title: "비밀번호 찾기", path: "/Account/FindPassword" });

export default function FindPassword({ loaderData: { authType } }: Route.ComponentProps) {
  return (
    <AccountPage title="비밀번호 찾기">
      <ResetPasswordForm addressType={ADDRESS_TYPE_BY_AUTH_TYPE[authType]} />
    </AccountPage>
  );
}
