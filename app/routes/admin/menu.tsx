import { type FormEvent, useState } from "react";
import { AdminHead } from "#app/features/admin/head.tsx";
import { MenuRows } from "#app/features/admin/menu-rows.tsx";
import { useSave } from "#app/features/admin/use-save.ts";
import { api, call } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { getMenuSetting } from "#worker/domain/admin/home-setting.server.ts";
import type { Route } from "./+types/menu";

export const loader = page(async (door, _args: Route.LoaderArgs) => getMenuSetting(door));

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["메뉴", "관리"] });
}

export default function MenuPage({ loaderData }: Route.ComponentProps) {
  return <MenuForm key={loaderData.version} data={loaderData} />;
}

function MenuForm({ data }: { data: Route.ComponentProps["loaderData"] }) {
  const [entries, setEntries] = useState(data.value.entries);
  const { busy, save, fields, message } = useSave();
  const changed = JSON.stringify(entries) !== JSON.stringify(data.value.entries);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const json = { entries, version: data.version };
    void save(() => call(api.admin.setting.menu.$patch({ json })), "메뉴를 저장하였습니다.");
  };
  return (
    <form onSubmit={submit} noValidate>
      <AdminHead
        title="메뉴"
        description="모든 페이지의 위와 아래에 나오는 메뉴입니다. 숨긴 페이지도 주소로는 열립니다. 게시판은 게시판 화면에서 정한 차례로, 새로 만들면 저절로 나옵니다."
      />
      {message && (
        <Notice tone="error" className="mb-4">
          {message}
        </Notice>
      )}
      <MenuRows entries={entries} targets={data.targets} errors={fields} onChange={setEntries} />
      <div className="sticky bottom-0 z-10 mt-6 flex flex-wrap items-center gap-2 border-t border-gray-20 bg-white/97 py-4">
        <Button type="submit" variant="primary" busy={busy} disabled={!changed}>
          저장
        </Button>
        <Button disabled={busy || !changed} onClick={() => setEntries(data.value.entries)}>
          되돌리기
        </Button>
        <span role="status" className="text-gray-70">
          {changed && "저장하지 않은 변경이 있습니다."}
        </span>
      </div>
    </form>
  );
}
