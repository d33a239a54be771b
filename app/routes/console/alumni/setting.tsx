import { useWords } from "#app/lib/use-words.ts";
import { AlumniSettingsForm } from "#app/features/alumni/setting/setting-form.tsx";
import { OwnFieldList } from "#app/features/alumni/setting/own-field-list.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { listAlumniFields } from "#worker/domain/alumni/own-field.server.ts";
import { getAlumniSetting } from "#worker/domain/alumni/setting.server.ts";
import type { Route } from "./+types/setting";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [setting, fields] = await Promise.all([getAlumniSetting(scope), listAlumniFields(scope)]);
  return { setting, fields };
});

export const meta = titledMeta("{동문주소록} 설정", "관리");

export default function AlumniSettingPage({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const { fields } = loaderData;
  return (
    <>
      <ConsoleHeader
        title={say("{동문주소록} 설정")}
        description="주소록에서 어떤 항목을 쓰고, 회원이 무엇을 할 수 있으며, 자료를 얼마나 보관하는지 정합니다."
        links={[{ label: say("{동문주소록} 보기"), href: "/Alumni" }]}
      />
      <AlumniSettingsForm setting={loaderData.setting} own={fields.filter(({ isClosed }) => !isClosed)} />
      <OwnFieldList fields={fields} />
    </>
  );
}
