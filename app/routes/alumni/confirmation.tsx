import { AccountPage } from "#app/features/account/account-page.tsx";
import { ConfirmationAnswer } from "#app/features/mailing/confirmation-answer.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { confirmationPath } from "#worker/contract/mailing/input.ts";
import { CONFIRMATION_REFUSED } from "#worker/contract/mailing/round.ts";
import { getConfirmation } from "#worker/domain/mailing/confirmation.server.ts";
import type { Route } from "./+types/confirmation";

/** GET changes nothing, because mail programs prefetch links. */
export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const { token } = readPagePath(confirmationPath, params, CONFIRMATION_REFUSED);
  return { token, page: await getConfirmation(await scope.context(), token) };
});

export const meta = titledMeta("이 정보가 맞습니까?", "{동문주소록}");

export default function ConfirmationPage({ loaderData }: Route.ComponentProps) {
  return (
    <AccountPage title="이 정보가 맞습니까?">
      <ConfirmationAnswer {...loaderData} />
    </AccountPage>
  );
}
