import { AccountPage } from "#app/features/account/account-page.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";

export const meta = titledMeta("확인해 주셔서 감사합니다", "{동문주소록}");

export default function ConfirmationDonePage() {
  return (
    <AccountPage title="확인해 주셔서 감사합니다">
      <div className="text-center">
        <p role="status">답하신 것을 기록하였습니다. 이번에는 다시 여쭙지 않습니다.</p>
        <p className="mt-2 text-gray-60">본인이 하신 일이 아니라면 이 페이지 아래의 연락처로 사무국에 알려 주십시오.</p>
        <ButtonLink to="/" className="mt-8">
          홈으로
        </ButtonLink>
      </div>
    </AccountPage>
  );
}
