import { AccountPage } from "#app/features/account/account-page.tsx";
import { FindId } from "#app/features/account/find-id.tsx";
import { AUTH_ADDRESS } from "#app/features/account/texts.ts";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { SIGNIN_KEY } from "#worker/contract/account/rules.ts";
import { authenticationInfo } from "#worker/domain/account/signup.server.ts";
import type { Route } from "./+types/find-id";

export const loader = page(async (door, _args: Route.LoaderArgs) => {
  const { authType } = await authenticationInfo(door);
  return { authType };
});

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: "아이디 찾기", path: "/Account/FindId" });
}

export default function FindIdPage({ loaderData: { authType } }: Route.ComponentProps) {
  return (
    <AccountPage title="아이디 찾기">
      <FindId addressType={AUTH_ADDRESS[authType]} userKeyType={SIGNIN_KEY[authType]} />
    </AccountPage>
  );
}
