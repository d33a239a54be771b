import { AccountPage } from "#app/features/account/account-page.tsx";
import { ResetPasswordForm } from "#app/features/account/reset-password.tsx";
import { ADDRESS_TYPE_BY_AUTH_TYPE } from "#app/features/account/error-messages.ts";
import { findRootData, pageMeta } from "#app/lib/page-meta.ts";
import { recoveryTextsOf, useRecoveryTexts } from "#app/features/account/recovery-texts.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { getAuthenticationInfo } from "#worker/domain/account/signup-form.server.ts";
import type { Route } from "./+types/find-password";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const { authType } = await getAuthenticationInfo(scope);
  return { authType };
});

export function meta({ matches }: Route.MetaArgs) {
  const hasEnglish = findRootData(matches)?.look.hasEnglish;
  return pageMeta({ matches, title: recoveryTextsOf(matches).reset.title, path: "/Account/FindPassword", hasEnglish });
}

export default function FindPassword({ loaderData: { authType } }: Route.ComponentProps) {
  return (
    <AccountPage title={useRecoveryTexts().reset.title}>
      <ResetPasswordForm addressType={ADDRESS_TYPE_BY_AUTH_TYPE[authType]} />
    </AccountPage>
  );
}
