import { PrivacyHeader } from "#app/features/privacy/privacy-header.tsx";
import { RetentionForm } from "#app/features/privacy/retention-form.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { getRetentionPage } from "#worker/domain/privacy/retention.server.ts";
import type { Route } from "./+types/retention";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getRetentionPage(scope));

export const meta = titledMeta("보유 기간", "관리");

export default function ConsoleRetentionPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PrivacyHeader
        description={
          <>
            켜 둔 규칙은 예약 작업이 저절로 파기하고, 파기한 것은{" "}
            <TextLink to="/Admin/Privacy/Destructions">파기 대장</TextLink>
            에 남습니다. 켜기 전에 대상을 먼저 확인해 주십시오.
          </>
        }
      />
      <RetentionForm key={loaderData.version} page={loaderData} />
    </>
  );
}
