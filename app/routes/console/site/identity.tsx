import { type FormEvent, useState } from "react";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { ColorField } from "#app/features/site/identity/color-field.tsx";
import { EnglishFields } from "#app/features/site/identity/english-fields.tsx";
import { HomeFields } from "#app/features/site/identity/home-fields.tsx";
import { describeIdentity, type IdentityValue } from "#app/features/site/identity/identity-fields.ts";
import { LogoField } from "#app/features/site/identity/logo-field.tsx";
import { WordFields } from "#app/features/site/identity/word-fields.tsx";
import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import { api, callApi } from "#app/lib/api.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { DEFAULT_PALETTE, HEX_COLOR, paletteOf } from "#worker/contract/site/palette.ts";
import { getIdentitySetting } from "#worker/domain/site/identity.server.ts";
import type { Route } from "./+types/identity";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getIdentitySetting(scope));

export const meta = titledMeta("모양과 용어", "관리");

export default function IdentityPage({ loaderData: data }: Route.ComponentProps) {
  /** null as long as nothing was changed here. */
  const [mine, setMine] = useState<IdentityValue | null>(null);
  const { busy, run, clear, fields, message, isConflict } = useAction();
  const siteName = useSiteFrame()?.site.siteName ?? "";
  const { logo, ...stored } = data.value;
  const value = mine ?? stored;
  const changed = JSON.stringify(value) !== JSON.stringify(stored);
  const { conflict, versionToSend, keep, take } = useConflict({
    latest: data,
    describe: (latest) => describeIdentity(latest.value, latest.boards),
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
    const json = { ...value, version: versionToSend(event, describeIdentity(value, data.boards)) };
    const work = async () => keep((await callApi(api.admin.setting.identity.$patch({ json }))).version);
    if (await run(work, "모양과 용어를 저장하였습니다.")) setMine(null);
  };
  const form = { value, errors: fields, onChange: setMine };
  return (
    <>
      <ConsoleHeader
        title="모양과 용어"
        description="이 사이트를 이 단체의 것으로 만드는 설정입니다. 저장하면 모든 페이지에 바로 적용됩니다."
      />
      <LogoField
        logo={logo}
        version={data.logoVersion}
        siteName={siteName}
        ground={HEX_COLOR.test(value.color) ? paletteOf(value.color)[80] : DEFAULT_PALETTE[80]}
      />
      <form onSubmit={submit} noValidate data-own-guard className="mt-10">
        <ColorField {...form} siteName={siteName} />
        <WordFields {...form} />
        <HomeFields {...form} boards={data.boards} />
        <EnglishFields {...form} />
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
    </>
  );
}
