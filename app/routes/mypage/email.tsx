import { AddressForm } from "#app/features/account/mypage/address-form.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { getAuthenticationInfo } from "#worker/domain/account/signup-form.server.ts";
import { getUser } from "#worker/domain/account/user.server.ts";
import type { Route } from "./+types/email";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [{ authType }, ctx] = await Promise.all([getAuthenticationInfo(scope), scope.context()]);
  const user = await getUser(ctx, requireSignedIn(ctx).userId);
  const codeOf = (type: "Email" | "Mobile") =>
    user.userKeys.find(({ userKeyType }) => userKeyType === type)?.userKeyCode ?? null;
  const mobile = codeOf("Mobile");
  return {
    userId: user.id,
    email: codeOf("Email"),
    mobile,
    showMobile: mobile !== null || authType === "MobileAndPassword",
  };
});

export const meta = titledMeta("이메일", "마이페이지");

export default function MypageEmail({ loaderData: { userId, email, mobile, showMobile } }: Route.ComponentProps) {
  return (
    <div className="space-y-14">
      <AddressForm userId={userId} userKeyType="Email" current={email} />
      {showMobile && <AddressForm userId={userId} userKeyType="Mobile" current={mobile} />}
    </div>
  );
}
