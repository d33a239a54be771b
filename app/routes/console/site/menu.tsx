import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { MenuRows } from "#app/features/site/menu-rows.tsx";
import { SettingForm, useEditedSetting } from "#app/features/form/edited-setting.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import type { MenuEntry } from "#worker/contract/site/menu-input.ts";
import { getMenuSetting } from "#worker/domain/site/home-setting.server.ts";
import type { Route } from "./+types/menu";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getMenuSetting(scope));

export const meta = titledMeta("메뉴", "관리");

const describeMenu = (entries: readonly MenuEntry[]) => {
  const line = ({ label, english = "", isHidden }: { label: string; english?: string; isHidden: boolean }) =>
    [label, english].filter(Boolean).join(" / ") + (isHidden ? " (숨김)" : "");
  return {
    메뉴: entries
      .map((entry) => (entry.kind === "group" ? `${line(entry)}: ${entry.children.map(line).join(", ")}` : line(entry)))
      .join("\n"),
  };
};

export default function MenuPage({ loaderData: data }: Route.ComponentProps) {
  const setting = useEditedSetting({
    latest: data,
    valueOf: (latest): MenuEntry[] => latest.value.entries,
    describe: describeMenu,
    save: (entries, version) => callApi(api.admin.setting.menu.$patch({ json: { entries, version } })),
    done: "메뉴를 저장하였습니다.",
  });
  const { value: entries, ...form } = setting.form;
  return (
    <SettingForm setting={setting} noun="메뉴">
      <ConsoleHeader
        title="메뉴"
        description="모든 페이지의 위와 아래에 나오는 메뉴입니다. 숨긴 페이지도 주소로는 열립니다. 게시판은 게시판 화면에서 정한 차례로, 새로 만들면 저절로 나옵니다. 영문 메뉴에는 영문 글이 있는 페이지만 나오며, 영문 이름을 비우면 그 글의 제목이 쓰입니다."
      />
      <MenuRows entries={entries} targets={data.targets} {...form} />
    </SettingForm>
  );
}
