import { alumniSettings, ownFields } from "#worker/domain/alumni/setting.server.ts";
import Download from "lucide-react/icons/download";
import MapPin from "lucide-react/icons/map-pin";
import { Link } from "react-router";
import { AlumniPageHeader } from "#app/features/alumni/alumni-page-header.tsx";
import { OwnFieldsProvider } from "#app/features/alumni/column-label.tsx";
import { AlumniImportHistory } from "#app/features/alumni/import/import-history.tsx";
import { ImportWorkbench } from "#app/features/alumni/import/import-workbench.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { alumniSettingsView } from "#worker/contract/alumni/alumni-settings.ts";
import { can } from "#worker/domain/kernel/authorize.server.ts";
import { getOpenImport } from "#worker/domain/alumni/import/parts.server.ts";
import { listImports } from "#worker/domain/alumni/import/undo.server.ts";
import type { Route } from "./+types/import";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const [imports, openImport] = await Promise.all([listImports(ctx), getOpenImport(ctx)]);
  return {
    imports,
    openImport,
    alumniView: alumniSettingsView(alumniSettings(ctx), ownFields(ctx), true),
    undoDays: alumniSettings(ctx).undoDays,
    canMakeField: can(ctx.actor, { action: "ADMIN_Access" }),
    canCheckAddresses: can(ctx.actor, { action: "Alumni_Write" }),
  };
});

export const meta = titledMeta("{동문} 가져오기");

export default function AlumniImport({ loaderData }: Route.ComponentProps) {
  const hydrated = useIsHydrated();
  return (
    <OwnFieldsProvider own={loaderData.alumniView.own}>
      <AlumniPageHeader
        title="{동문} 가져오기"
        description="엑셀이나 CSV 파일의 {동문:을/를} 주소록에 넣습니다. 저장하기 전에 무엇이 바뀌는지 모두 보여 드립니다."
      />
      <SigninGate className="container-page container-reading pt-8 pb-16 md:pt-10 md:pb-24">
        <p className="mb-6 flex flex-wrap gap-x-6">
          <a
            href="/api/alumni/import-template"
            className="inline-flex min-h-11 items-center gap-2 font-semibold text-primary-70 underline underline-offset-4"
          >
            <Download aria-hidden="true" className="size-5" />
            양식 내려받기 (xlsx)
          </a>
          {loaderData.canCheckAddresses && (
            <Link
              to="/Alumni/Addresses"
              className="inline-flex min-h-11 items-center gap-2 font-semibold text-primary-70 underline underline-offset-4"
            >
              <MapPin aria-hidden="true" className="size-5" />
              주소와 우편번호 확인
            </Link>
          )}
        </p>
        {hydrated ? (
          <ImportWorkbench
            openImport={loaderData.openImport}
            alumniView={loaderData.alumniView}
            undoDays={loaderData.undoDays}
            canMakeField={loaderData.canMakeField}
          />
        ) : (
          <p className="rounded-xl border-2 border-dashed border-gray-40 px-4 py-16 text-center text-gray-60">
            가져오기에는 자바스크립트가 필요합니다.
          </p>
        )}
        <AlumniImportHistory imports={loaderData.imports} undoDays={loaderData.undoDays} />
      </SigninGate>
    </OwnFieldsProvider>
  );
}
