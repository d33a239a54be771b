import { AccountPage } from "#app/features/account/account-page.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";
import { getUndoKeyChange } from "#worker/domain/account/credential.server.ts";
import type { Route } from "./+types/undo-key-change";

/** GET changes nothing, because mail programs prefetch links. */
export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => ({
  token: params.token,
  ...(await getUndoKeyChange(await scope.context(), params.token)),
}));

export const meta = titledMeta("변경 취소");

export default function UndoKeyChangePage({ loaderData: { token, userKeyType, isDone } }: Route.ComponentProps) {
  const name = USER_KEY_NAMES[userKeyType];
  return (
    <AccountPage title={`${name} 변경 취소`}>
      {isDone ? (
        <div className="text-center">
          <p role="status">{name} 변경을 취소하였고, 모든 기기에서 로그아웃하였습니다.</p>
          <p className="mt-2 text-gray-60">
            누군가 비밀번호를 알고 있을 수 있습니다. 비밀번호를 바로 다시 정해 주십시오.
          </p>
          <ButtonLink to="/Account/FindPassword" variant="primary" size="lg" className="mt-8">
            비밀번호 다시 정하기
          </ButtonLink>
        </div>
      ) : (
        // A plain form works without JavaScript and sign-in: the token in the URL authorises it.
        <form method="post" action={`/api/user-key/undo/${encodeURIComponent(token)}`} className="text-center">
          <p>
            본인이 {name} 정보를 바꾸지 않으셨다면 <strong>예전 {name}로 되돌려</strong> 주십시오.
          </p>
          <p className="mt-2 text-gray-60">모든 기기에서 로그아웃되고, 관리자에게 알려집니다.</p>
          <Button type="submit" variant="primary" size="lg" className="mt-8">
            본인이 변경하지 않았습니다
          </Button>
        </form>
      )}
    </AccountPage>
  );
}
