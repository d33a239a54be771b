import { type FormEvent, useState } from "react";
import { Link } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { InfoPageRows, type EditedPage } from "#app/features/content/info-page-rows.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { getInfoPages } from "#worker/domain/content/info-page.server.ts";
import type { Route } from "./+types/pages";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getInfoPages(scope));

export const meta = titledMeta("안내 페이지", "관리");

const describePages = (pages: readonly EditedPage[]) => ({
  "안내 페이지": pages
    .map(({ label, parent, isHidden }) => `${parent ? "└ " : ""}${label}${isHidden ? " (숨김)" : ""}`)
    .join("\n"),
});

export default function InfoPagesPage({ loaderData: data }: Route.ComponentProps) {
  /** null as long as nothing was changed here. */
  const [mine, setMine] = useState<EditedPage[] | null>(null);
  const { busy, run, clear, fields, message, isConflict } = useAction();
  const pages: EditedPage[] = mine ?? data.pages;
  const changed = JSON.stringify(pages) !== JSON.stringify(data.pages);
  const { conflict, versionToSend, keep, take } = useConflict({
    latest: data,
    describe: (latest) => describePages(latest.pages),
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
    const sent = pages.map(({ code, label, parent, look, isHidden }) => ({ code, label, parent, look, isHidden }));
    const json = { pages: sent, version: versionToSend(event, describePages(pages)) };
    const work = async () => keep((await callApi(api.admin.setting.pages.$patch({ json }))).version);
    if (await run(work, "안내 페이지를 저장하였습니다.")) setMine(null);
  };
  return (
    <form onSubmit={submit} noValidate data-own-guard>
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
      <InfoPageRows pages={pages} errors={fields} onChange={setMine} />
      <div className="sticky bottom-0 z-10 mt-6 flex flex-wrap items-center gap-2 border-t border-gray-20 bg-white/97 py-4">
        <ConflictAlert conflict={conflict} busy={busy} onTake={restore} className="w-full" />
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
