import { AccountPage } from "#app/features/account/account-page.tsx";
import { FindIdForm } from "#app/features/account/find-id.tsx";
import { ADDRESS_TYPE_BY_AUTH_TYPE } from "#app/features/account/error-messages.ts";
import { findRootData, pageMeta } from "#app/lib/page-meta.ts";
import { recoveryTextsOf, useRecoveryTexts } from "#app/features/account/recovery-texts.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { SIGNIN_KEY } from "#worker/contract/account/rules.ts";
import { getAuthenticationInfo } from "#worker/domain/account/signup-form.server.ts";
import type { Route } from "./+types/find-id";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const { authType } = await getAuthenticationInfo(scope);
  return { authType };
});

export function meta({ matches }: Route.MetaArgs) {
  const hasEnglish = findRootData(matches)?.look.hasEnglish;
  return pageMeta({ matches, title: recoveryTextsOf(matches).findId.title, path: "/Account/FindId", hasEnglish });
}

export default function FindIdPage({ loaderData: { authType } }: Route.ComponentProps) {
  return (
    <AccountPage title={useRecoveryTexts().findId.title}>
      <FindIdForm addressType={ADDRESS_TYPE_BY_AUTH_TYPE[authType]} userKeyType={SIGNIN_KEY[authType]} />
    </AccountPage>
  );
}
