import { useWords } from "#app/lib/use-words.ts";
import { type FormEvent, useState } from "react";
import { AlumniColumnSettings } from "#app/features/alumni/setting/column-settings.tsx";
import { AlumniSettingsPreview } from "#app/features/alumni/setting/settings-preview.tsx";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { FormFoot } from "#app/features/form/form-foot.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { AlumniDefaultColumns } from "#app/features/alumni/setting/default-columns.tsx";
import { AlumniPeriodFields } from "#app/features/alumni/setting/period-fields.tsx";
import { AlumniMemberSettings } from "#app/features/alumni/setting/member-settings.tsx";
import {
  describeAlumniSettings,
  typedPeriods,
  alumniSortOptions,
} from "#app/features/alumni/setting/setting-values.ts";
import { useIsHydrated } from "#app/ui/use-is-hydrated.ts";
import type { OwnField } from "#worker/contract/alumni/own-fields.ts";
import type { AlumniSettingView } from "#worker/contract/alumni/view.ts";
import { type AlumniSettings } from "#worker/contract/alumni/alumni-settings.ts";

export function AlumniSettingsForm({ setting, own }: { setting: AlumniSettingView; own: readonly OwnField[] }) {
  const say = useWords();
  const [settings, setSettings] = useState(setting.value);
  const [days, setDays] = useState(typedPeriods(setting.value));
  const { busy, run, clear, fields, message, isConflict } = useAction();
  const { conflict, versionToSend, keep, take } = useConflict({
    latest: setting,
    describe: (latest) => describeAlumniSettings(latest.value),
    isConflict,
  });
  const hydrated = useIsHydrated();
  const set = (part: Partial<AlumniSettings>) => setSettings({ ...settings, ...part });
  const number = (text: string) => Number(text.trim() || Number.NaN);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { exportHours, undoDays } = days;
    const typed = { ...settings, exportHours: number(exportHours), undoDays: number(undoDays) };
    const json = { ...typed, version: versionToSend(event, describeAlumniSettings(typed)) };
    const work = async () => keep((await callApi(api.admin.setting.alumni.$patch({ json }))).version);
    void run(work, say("{동문주소록} 설정을 저장하였습니다."));
  };
  const takeTheirs = () => {
    take();
    setSettings(setting.value);
    setDays(typedPeriods(setting.value));
    clear();
  };
  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
      <form onSubmit={submit} noValidate className="min-w-0">
        {/* Is disabled until hydration so that no tick is lost. */}
        <fieldset disabled={!hydrated} className="contents">
          <ConsoleSection title="쓰는 항목">
            <AlumniColumnSettings settings={settings} onChange={set} error={fields.off ?? fields.required} />
          </ConsoleSection>
          <ConsoleSection title="목록">
            <AlumniDefaultColumns settings={settings} onChange={set} error={fields.shown} />
            <Field
              label="처음 정렬"
              hint="머리글을 눌러 다르게 정렬하기 전의 차례입니다."
              error={fields.sort}
              className="mt-6 max-w-sm"
            >
              <Select
                value={settings.sort}
                options={alumniSortOptions(settings)}
                onChange={(event) => set({ sort: event.target.value })}
              />
            </Field>
          </ConsoleSection>
          <AlumniMemberSettings settings={settings} onChange={set} errors={fields} />
          <ConsoleSection title="보관 기간">
            <AlumniPeriodFields value={days} onChange={setDays} errors={fields} />
            <p className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 text-gray-70">
              {setting.binDays === null
                ? say("휴지통의 {동문:은/는} 저절로 지워지지 않습니다.")
                : say(`휴지통의 {동문:은/는} ${setting.binDays}일 뒤에 완전히 지워집니다.`)}
              <ButtonLink size="sm" to="/Admin/Privacy/Retention">
                휴지통 보유 기간 바꾸기
              </ButtonLink>
            </p>
          </ConsoleSection>
          <FormFoot conflict={conflict} error={message} busy={busy} onTake={takeTheirs} className="mt-8" />
        </fieldset>
      </form>
      <AlumniSettingsPreview settings={settings} own={own} />
    </div>
  );
}
