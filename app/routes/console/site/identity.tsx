import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { SettingForm, useEditedSetting } from "#app/features/form/edited-setting.tsx";
import { EnglishFields, WordFields } from "#app/features/site/identity/word-fields.tsx";
import { HomeFields } from "#app/features/site/identity/home-fields.tsx";
import {
  describeIdentity,
  type IdentityFieldsProps,
  type IdentityValue,
} from "#app/features/site/identity/identity-fields.ts";
import { LogoField } from "#app/features/site/identity/logo-field.tsx";
import { RadioGroup } from "#app/ui/choice.tsx";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { NETWORK_MARK } from "#worker/contract/site/initial-mark.ts";
import { PALETTE_NAMES, PALETTES, type PaletteName, shadeOf } from "#worker/contract/kernel/setting/palette.ts";
import { getIdentitySetting } from "#worker/domain/site/identity.server.ts";
import type { Route } from "./+types/identity";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getIdentitySetting(scope));

const COLORS = PALETTE_NAMES.map((name) => ({ value: name, label: PALETTES[name].label }));

export default function IdentityPage({ loaderData: data }: Route.ComponentProps) {
  const siteName = useSiteFrame()?.site.siteName ?? "";
  const setting = useEditedSetting({
    latest: data,
    valueOf: ({ value: { logo: _logo, ...rest } }): IdentityValue => rest,
    describe: (each) => describeIdentity(each, data.boards),
    save: (each, version) => callApi(api.admin.setting.identity.$patch({ json: { ...each, version } })),
    done: "모양과 용어를 저장하였습니다.",
  });
  const { form } = setting;
  return (
    <>
      <ConsoleHeader description="이 사이트를 이 단체의 것으로 만드는 설정입니다. 저장하면 모든 페이지에 바로 적용됩니다." />
      <LogoField
        logo={data.value.logo === NETWORK_MARK ? "" : data.value.logo}
        version={data.logoVersion}
        siteName={siteName}
        ground={shadeOf(form.value.color, 80)}
      />
      <SettingForm setting={setting} className="mt-10">
        <ColorField {...form} />
        <WordFields {...form} />
        <HomeFields {...form} boards={data.boards} />
        <EnglishFields {...form} />
      </SettingForm>
    </>
  );
}

function ColorField({ value, errors, onChange }: IdentityFieldsProps) {
  return (
    <ConsoleSection title="색">
      <RadioGroup
        legend="대표 색"
        name="color"
        options={COLORS}
        value={value.color}
        error={errors["color"]}
        onChange={(color) => onChange({ ...value, color: color as PaletteName })}
      />
      <div className="mt-2 flex h-6 max-w-xl" aria-hidden="true">
        {PALETTES[value.color].shades.split(" ").map((shade) => (
          <span key={shade} className="flex-1" style={{ background: `#${shade}` }} />
        ))}
      </div>
    </ConsoleSection>
  );
}
