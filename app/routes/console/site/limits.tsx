import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { LimitsForm } from "#app/features/site/limits-form.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { getLimitSetting } from "#worker/domain/account/limit-setting.server.ts";
import type { Route } from "./+types/limits";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getLimitSetting(scope));

export const meta = titledMeta("이용 제한", "관리");

export default function LimitSettingPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader
        title="이용 제한"
        description="비밀번호나 인증번호를 맞혀 보거나 자료를 통째로 가져가는 것을 막는 한도입니다. 저장하면 다음 요청부터 적용됩니다."
      />
      <LimitsForm setting={loaderData} />
    </>
  );
}
