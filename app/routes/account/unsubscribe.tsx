import { AccountPage } from "#app/features/account/account-page.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import { MESSAGE_CHANNEL_NAMES, type UnsubscribeView } from "#worker/contract/mail/mail.ts";
import { getUnsubscribe } from "#worker/domain/mail/unsubscribe.server.ts";
import type { Route } from "./+types/unsubscribe";

/** GET changes nothing, because mail programs prefetch links. */
export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => ({
  token: params.token,
  off: await getUnsubscribe(await scope.context(), params.token),
}));

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  titledMeta(loaderData ? pageTitle(loaderData.off) : "수신 거부")({ matches });

function pageTitle({ kind, channel }: UnsubscribeView): string {
  if (channel !== "email") return "문자 수신 거부";
  return kind === "office" ? "단체 메일 수신 거부" : "메일 알림 끄기";
}

function mailOffName({ kind, boardName }: UnsubscribeView): string {
  if (kind === "advertising") return "소식지와 광고성 정보";
  if (kind === "office") return "사무국의 단체";
  return kind === "item" ? `${boardName} 새 글 알림` : "댓글 알림";
}

export default function UnsubscribePage({ loaderData: { token, off } }: Route.ComponentProps) {
  const name = mailOffName(off);
  const channel = MESSAGE_CHANNEL_NAMES[off.channel];
  return (
    <AccountPage title={pageTitle(off)}>
      {off.isOn ? (
        // A plain form works without JavaScript and sign-in: the token in the URL authorises it.
        <form method="post" action={`/api/mail/off/${encodeURIComponent(token)}`} className="text-center">
          <p>
            <strong>{name}</strong> {withParticle(channel, "을/를")} 더 이상 받지 않으시겠습니까?
          </p>
          <p className="mt-2 text-gray-60">다른 알림은 계속 보내 드립니다.</p>
          <Button type="submit" variant="primary" size="lg" className="mt-8">
            {off.kind === "office" || off.channel !== "email" ? "수신 거부" : "알림 끄기"}
          </Button>
        </form>
      ) : (
        <div className="text-center">
          <p role="status">
            <strong>{name}</strong> {withParticle(channel, "이/가")} 꺼져 있습니다. 더 이상 보내지 않습니다.
          </p>
          <p className="mt-2 text-gray-60">
            다시 받으시려면 로그인하신 뒤 마이페이지에서 바꾸어 주십시오.
            {off.kind === "office" && " 회원이 아니시면 사무국에 알려 주십시오."}
          </p>
          <ButtonLink to={off.kind === "advertising" ? "/Mypage/Info" : "/Mypage/Notices"} className="mt-8">
            마이페이지
          </ButtonLink>
        </div>
      )}
    </AccountPage>
  );
}
