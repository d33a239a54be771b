import { withArticle } from "#app/features/file/article.server.ts";
import { ConsentForm } from "#app/features/account/mypage/consent-form.tsx";
import { InfoForm } from "#app/features/account/mypage/info-form.tsx";
import { OwnDataSection } from "#app/features/privacy/own-data-section.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { listConsents } from "#worker/domain/account/consent.server.ts";
import { getSignupForm } from "#worker/domain/account/signup-form.server.ts";
import { getUser } from "#worker/domain/account/user.server.ts";
import type { Route } from "./+types/info";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [{ userProfiles, agreements }, ctx] = await Promise.all([getSignupForm(scope), scope.context()]);
  const me = requireSignedIn(ctx);
  const [user, consents] = await Promise.all([getUser(ctx, me.userId), listConsents(ctx, me.userId)]);
  const texts = new Map(agreements.map((each) => [each.code, withArticle(each).content]));
  return {
    user,
    roleName: me.roleName,
    userProfiles,
    consents: consents.map((consent) => ({
      ...consent,
      content: texts.get(consent.code) ?? "",
    })),
  };
});

export const meta = titledMeta("회원정보", "마이페이지");

export default function MypageInfo({ loaderData: { user, roleName, userProfiles, consents } }: Route.ComponentProps) {
  return (
    <div className="space-y-14">
      <InfoForm user={user} roleName={roleName} fields={userProfiles} />
      <ConsentForm userId={user.id} consents={consents} />
      <OwnDataSection userId={user.id} />
    </div>
  );
}
