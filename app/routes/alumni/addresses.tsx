import { useWords } from "#app/lib/page-language.ts";
import { AlumniPageHeader } from "#app/features/alumni/alumni-page-header.tsx";
import { AddressWorkbench } from "#app/features/alumni/address/address-workbench.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { alumniSettings } from "#worker/domain/alumni/setting.server.ts";
import { authorize } from "#worker/domain/kernel/authorize.server.ts";
import type { Route } from "./+types/addresses";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const ctx = await scope.context();
  authorize(ctx, { action: "Alumni_Import" });
  authorize(ctx, { action: "Alumni_Write" });
  return { undoDays: alumniSettings(ctx).undoDays };
});

export const meta = titledMeta("주소와 우편번호 확인");

export default function AlumniAddresses({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  return (
    <>
      <AlumniPageHeader
        title="주소와 우편번호 확인"
        parent={{ label: say("{동문} 가져오기"), href: "/Alumni/Import" }}
        description="주소록의 주소를 도로명주소 자료와 비교하여, 예전 우편번호와 지번 주소를 한 번에 고칩니다. 고치기 전에 모두 보여 드립니다."
      />
      <SigninGate className="container-page container-reading pt-8 pb-16 md:pt-10 md:pb-24">
        {useIsHydrated() ? (
          <AddressWorkbench undoDays={loaderData.undoDays} />
        ) : (
          <p className="rounded-xl border-2 border-dashed border-gray-40 px-4 py-16 text-center text-gray-60">
            주소 확인에는 자바스크립트가 필요합니다.
          </p>
        )}
      </SigninGate>
    </>
  );
}
