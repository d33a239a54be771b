import { type FormEvent, useState } from "react";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { MenuRows } from "#app/features/site/menu-rows.tsx";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import type { MenuEntry } from "#worker/contract/site/menu-input.ts";
import { getMenuSetting } from "#worker/domain/site/home-setting.server.ts";
import type { Route } from "./+types/menu";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getMenuSetting(scope));

export const meta = titledMeta("메뉴", "관리");

const describeMenu = ({ entries }: { entries: MenuEntry[] }) => {
  const line = ({ label, english = "", isHidden }: { label: string; english?: string; isHidden: boolean }) =>
    [label, english].filter(Boolean).join(" / ") + (isHidden ? " (숨김)" : "");
  return {
    메뉴: entries
      .map((entry) => (entry.kind === "group" ? `${line(entry)}: ${entry.children.map(line).join(", ")}` : line(entry)))
      .join("\n"),
  };
};

export default function MenuPage({ loaderData: data }: Route.ComponentProps) {
  /** null as long as nothing was changed here. */
  const [mine, setMine] = useState<MenuEntry[] | null>(null);
  const { busy, run, clear, fields, message, isConflict } = useAction();
  const entries = mine ?? data.value.entries;
  const changed = JSON.stringify(entries) !== JSON.stringify(data.value.entries);
  const { conflict, versionToSend, keep, take } = useConflict({
    latest: data,
    describe: (latest) => describeMenu(latest.value),
    isConflict,
    follows: true,
  });
  useUnsavedCheck(() => changed);
  const restore = () => {
    take();
    setMine(null);
    clear();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const json = { entries, version: versionToSend(event, describeMenu({ entries })) };
    const work = async () => keep((await callApi(api.admin.setting.menu.$patch({ json }))).version);
    if (await run(work, "메뉴를 저장하였습니다.")) setMine(null);
  };
  return (
    <form onSubmit={submit} noValidate data-own-guard>
      <ConsoleHeader
        title="메뉴"
        description="모든 페이지의 위와 아래에 나오는 메뉴입니다. 숨긴 페이지도 주소로는 열립니다. 게시판은 게시판 화면에서 정한 차례로, 새로 만들면 저절로 나옵니다. 영문 메뉴에는 영문 글이 있는 페이지만 나오며, 영문 이름을 비우면 그 글의 제목이 쓰입니다."
      />
      <MenuRows entries={entries} targets={data.targets} errors={fields} onChange={setMine} />
      <div className="sticky bottom-0 z-10 mt-6 flex flex-wrap items-center gap-2 border-t border-gray-20 bg-white/97 py-4">
        <ConflictAlert conflict={conflict} noun="메뉴" busy={busy} onTake={restore} className="w-full" />
        <ErrorAlert className="w-full">{!conflict && message}</ErrorAlert>
        <Button type="submit" variant="primary" busy={busy} disabled={!changed}>
          저장
        </Button>
        <Button disabled={busy || !changed} onClick={restore}>
          되돌리기
        </Button>
        <span role="status" className="text-gray-70">
          {changed && "저장하지 않은 변경이 있습니다."}
        </span>
      </div>
    </form>
  );
}
