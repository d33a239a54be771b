import { Link } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { SettingForm, useEditedSetting } from "#app/features/form/edited-setting.tsx";
import { InfoPageRows, type EditedPage } from "#app/features/content/info-page-rows.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { getInfoPages } from "#worker/domain/content/info-page.server.ts";
import { getMenuSetting } from "#worker/domain/site/home-setting.server.ts";
import type { Route } from "./+types/pages";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [pages, menu] = await Promise.all([getInfoPages(scope), getMenuSetting(scope)]);
  const links = menu.value.entries.flatMap((entry) => (entry.kind === "group" ? entry.children : entry));
  const targets = new Set(links.flatMap((link) => (link.kind === "link" ? link.target : [])));
  const isLost = ({ code, parent, isHidden }: (typeof pages.pages)[number]) =>
    !isHidden && parent === "" && !targets.has(code);
  return { pages, notInMenu: pages.pages.filter(isLost).map(({ label }) => label) };
});

export const meta = titledMeta("안내 페이지", "관리");

const describePages = (pages: readonly EditedPage[]) => ({
  "안내 페이지": pages
    .map(({ label, parent, isHidden }) => `${parent ? "└ " : ""}${label}${isHidden ? " (숨김)" : ""}`)
    .join("\n"),
});

export default function InfoPagesPage({ loaderData: { pages: data, notInMenu } }: Route.ComponentProps) {
  const setting = useEditedSetting({
    latest: data,
    valueOf: (latest): EditedPage[] => latest.pages,
    describe: describePages,
    save: (pages, version) => {
      const sent = pages.map(({ code, label, parent, look, isHidden }) => ({ code, label, parent, look, isHidden }));
      return callApi(api.admin.setting.pages.$patch({ json: { pages: sent, version } }));
    },
    done: "안내 페이지를 저장하였습니다.",
  });
  const { value: pages, ...form } = setting.form;
  return (
    <SettingForm setting={setting}>
      <ConsoleHeader
        title="안내 페이지"
        description={
          <>
            어떤 안내 페이지를 어떤 차례로 둘지 정합니다. 글은{" "}
            <Link to="/Admin/Contents" className="underline underline-offset-4">
              페이지 내용
            </Link>
            에서, 위의 메뉴에 나오는 곳은{" "}
            <Link to="/Admin/Menu" className="underline underline-offset-4">
              메뉴
            </Link>
            에서 정합니다.
          </>
        }
      />
      {notInMenu.length > 0 && (
        <Alert tone="warning" className="mb-3">
          메뉴에 없는 페이지: {notInMenu.join(", ")}. 방문자가 찾을 수 있도록{" "}
          <TextLink to="/Admin/Menu">메뉴에 넣어</TextLink> 주십시오.
        </Alert>
      )}
      <InfoPageRows pages={pages} {...form} />
    </SettingForm>
  );
}
