import { AccountPage } from "#app/features/account/account-page.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { getJoin } from "#worker/domain/alumni/join.server.ts";
import type { Route } from "./+types/join";

/** GET changes nothing, because mail programs prefetch links. */
export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => ({
  token: params.token,
  ...(await getJoin(await scope.context(), params.token)),
}));

export const meta = titledMeta("주소록 연결");

export default function JoinPage({ loaderData: { token, userName, entry, isDone } }: Route.ComponentProps) {
  return (
    <AccountPage title="주소록 연결">
      {isDone ? (
        <div className="text-center">
          <p role="status">{userName}님의 회원 계정과 주소록의 정보를 연결하였습니다.</p>
          <ButtonLink to="/Alumni" variant="primary" size="lg" className="mt-8">
            주소록 보기
          </ButtonLink>
        </div>
      ) : (
        // A plain form works without JavaScript and sign-in: the token in the URL authorises it.
        <form method="post" action={`/api/confirmation/join/${encodeURIComponent(token)}`} className="text-center">
          <p>
            회원 <strong>{userName}</strong>님의 계정을 주소록의 정보{entry && ` (${entry})`}와 연결합니다.
          </p>
          <p className="mt-2 text-gray-60">
            주소록의 이메일이 회원 계정의 이메일로 바뀌고, 그 계정으로 주소록의 정보를 볼 수 있습니다. 본인의 계정과
            정보가 아니면 누르지 마십시오.
          </p>
          <Button type="submit" variant="primary" size="lg" className="mt-8">
            본인이 맞습니다
          </Button>
        </form>
      )}
    </AccountPage>
  );
}
