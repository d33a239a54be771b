import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { SetupList } from "#app/features/site/setup-list.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { getSetup } from "#worker/domain/site/setup.server.ts";
import type { Route } from "./+types/setup";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getSetup(scope));

export const meta = titledMeta("처음 설정", "관리");

export default function SetupPage({ loaderData: setup }: Route.ComponentProps) {
  const left = setup.steps.filter(({ isDone }) => !isDone).length;
  return (
    <>
      <ConsoleHeader
        title="처음 설정"
        description={
          left === 0
            ? "모두 마쳤습니다. 바꾸실 것이 있으면 언제든 다시 여실 수 있습니다."
            : `${setup.steps.length}가지 가운데 ${left}가지가 남았습니다. 위에서부터 하시면 됩니다.`
        }
      />
      {setup.signupClosed && (
        <Alert tone="warning" className="mb-4">
          지금은 회원가입이 닫혀 있습니다. 가입하려는 사람에게는 ‘{setup.signupClosed}’라고 보입니다.
        </Alert>
      )}
      <SetupList setup={setup} />
      <ConsoleSection title="옛 사이트에서 옮겨 오기">
        <p className="mb-4 max-w-2xl text-gray-80">
          그누보드5, 라이믹스, XE 등으로 쓰던 사이트가 있으면 회원과 글, 댓글, 첨부파일을 옮겨 옵니다. 회원은 쓰던
          비밀번호로 로그인하고, 옛 주소는 새 주소로 이어집니다. 위의 설정을 마치기 전에 하셔도 됩니다.
        </p>
        <ButtonLink to="/Admin/Moving" size="sm">
          이사 오기
        </ButtonLink>
      </ConsoleSection>
    </>
  );
}
