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
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import type { OwnField } from "#worker/contract/alumni/own-fields.ts";
import type { AlumniSettingView } from "#worker/contract/alumni/view.ts";
import {
  ALUMNI_SETTING_LIMITS,
  ALUMNI_SORT_LABELS,
  ALUMNI_SORTS,
  type AlumniSettings,
  CONFIGURABLE_FIELDS,
  DEFAULT_ALUMNI_SETTINGS,
  isFieldSortable,
  isFieldUsed,
  type OwnEntryRight,
} from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS, PRIVATE_FIELDS, type PrivateField } from "#worker/contract/alumni/columns.ts";
import { moveEntry, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { Checkbox, CheckboxGroup, RadioGroup } from "#app/ui/choice.tsx";
import { NumberField } from "#app/ui/number-field.tsx";

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

const OWN_ENTRY_OPTIONS: { value: OwnEntryRight; label: string }[] = [
  { value: "correct", label: "보고 고칠 수 있음" },
  { value: "read", label: "보기만 함" },
  { value: "none", label: "다른 회원의 정보와 같음" },
];

const alumniSortOptions = (settings: AlumniSettings) =>
  ALUMNI_SORTS.filter((field) => isFieldSortable(settings, field)).flatMap((field) => {
    const isDate = field.endsWith("Date");
    return [
      { value: `${field},ASC`, label: `${ALUMNI_SORT_LABELS[field]} (${isDate ? "오래된 것부터" : "오름차순"})` },
      { value: `${field},DESC`, label: `${ALUMNI_SORT_LABELS[field]} (${isDate ? "최근 것부터" : "내림차순"})` },
    ];
  });

const labelsOf = (fields: readonly (keyof typeof ALUMNI_COLUMN_LABELS)[]) =>
  fields.map((field) => ALUMNI_COLUMN_LABELS[field]).join(", ");

const describeAlumniSettings = (settings: AlumniSettings) => ({
  "쓰지 않는 항목": labelsOf(settings.off),
  "필수 항목": labelsOf(settings.required),
  "처음에 보이는 열과 차례": labelsOf(settings.shown),
  "처음 정렬": alumniSortOptions(settings).find(({ value }) => value === settings.sort)?.label ?? settings.sort,
  "회원 본인의 정보": OWN_ENTRY_OPTIONS.find(({ value }) => value === settings.ownEntry)?.label ?? "",
  "본인이 공개할 수 있는 항목": labelsOf(settings.openable),
  "내려받을 수 있는 시간": String(settings.exportHours),
  "되돌릴 수 있는 날": String(settings.undoDays),
});

const typedPeriods = ({ exportHours, undoDays }: AlumniSettings) => ({
  exportHours: String(exportHours),
  undoDays: String(undoDays),
});

interface DefaultColumnsProps {
  settings: AlumniSettings;
  onChange: (part: Partial<AlumniSettings>) => void;
  error: string | undefined;
}

function AlumniDefaultColumns({ settings, onChange, error }: DefaultColumnsProps) {
  const { shown } = settings;
  const others = CONFIGURABLE_FIELDS.filter((field) => isFieldUsed(settings, field) && !shown.includes(field));
  return (
    <fieldset>
      <legend className="font-semibold text-gray-90">처음에 보이는 열과 차례</legend>
      <p className="mt-1 mb-2 text-sm text-gray-60">
        사람마다 열을 고르기 전에 보이는 열입니다. 이름은 늘 맨 앞이고, 메모는 주소록을 수정할 수 있는 사람에게만
        보입니다.
      </p>
      {error && <p className="mb-2 font-medium text-danger-60">{error}</p>}
      <ul className="max-w-xl divide-y divide-gray-20 border-y border-gray-20">
        {[...shown, ...others].map((field, at) => (
          <li key={field} className="flex min-h-14 flex-wrap items-center gap-2">
            <Checkbox
              label={ALUMNI_COLUMN_LABELS[field]}
              checked={shown.includes(field)}
              onChange={(event) =>
                onChange({ shown: event.target.checked ? [...shown, field] : shown.filter((each) => each !== field) })
              }
              className="mr-auto"
            />
            {at < shown.length && (
              <RowMoveButtons
                name={ALUMNI_COLUMN_LABELS[field]}
                index={at}
                count={shown.length}
                onMove={(by) => onChange({ shown: moveEntry(shown, at, by) })}
              />
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

interface MemberSettingsProps {
  settings: AlumniSettings;
  onChange: (part: Partial<AlumniSettings>) => void;
  errors: Record<string, string>;
}

function AlumniMemberSettings({ settings, onChange, errors }: MemberSettingsProps) {
  return (
    <ConsoleSection title="회원">
      <div className="grid gap-6">
        <RadioGroup
          legend="회원 본인의 정보"
          hint="주소록의 이메일이 회원의 이메일과 같으면 본인의 정보입니다. 본인에게는 가린 연락처도 모두 보입니다."
          name="ownEntry"
          options={OWN_ENTRY_OPTIONS}
          value={settings.ownEntry}
          onChange={(value) => onChange({ ownEntry: value as OwnEntryRight })}
          error={errors.ownEntry}
        />
        <CheckboxGroup
          legend="본인이 다른 회원에게 공개할 수 있는 항목"
          hint="연락처는 본인이 공개하기 전에는 가려집니다. 고르지 않은 항목은 공개할 수 없고, 공개해 둔 것도 가려집니다."
          name="openable"
          options={PRIVATE_FIELDS.filter((field) => isFieldUsed(settings, field)).map((field) => ({
            value: field,
            label: ALUMNI_COLUMN_LABELS[field],
          }))}
          value={settings.openable}
          // A switched-off field is not listed but keeps its position.
          onChange={(value) =>
            onChange({
              openable: PRIVATE_FIELDS.filter((field) =>
                isFieldUsed(settings, field) ? value.includes(field) : settings.openable.includes(field),
              ) as PrivateField[],
            })
          }
          error={errors.openable}
        />
      </div>
    </ConsoleSection>
  );
}

const PERIODS = [
  { name: "exportHours", label: "내보낸 파일을 내려받을 수 있는 시간" },
  { name: "undoDays", label: "가져오기와 합치기를 되돌릴 수 있는 날" },
] as const;

type Periods = ReturnType<typeof typedPeriods>;

interface PeriodFieldsProps {
  value: Periods;
  onChange: (value: Periods) => void;
  errors: Record<string, string>;
}

function AlumniPeriodFields({ value, onChange, errors }: PeriodFieldsProps) {
  return (
    <div className="grid max-w-2xl gap-5 md:grid-cols-2">
      {PERIODS.map(({ name, label }) => (
        <DaysField
          key={name}
          name={name}
          label={label}
          value={value[name]}
          error={errors[name]}
          onChange={(typed) => onChange({ ...value, [name]: typed })}
        />
      ))}
    </div>
  );
}

interface DaysFieldProps {
  label: string;
  name: keyof typeof ALUMNI_SETTING_LIMITS;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function DaysField({ label, name, value, error, onChange }: DaysFieldProps) {
  const { min, max } = ALUMNI_SETTING_LIMITS[name];
  const unit = name === "exportHours" ? "시간" : "일";
  return (
    <NumberField
      label={label}
      hint={`${min}~${max}${unit}. 기본값은 ${DEFAULT_ALUMNI_SETTINGS[name]}${unit}입니다.`}
      error={error}
      name={name}
      min={min}
      max={max}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="max-w-32"
    />
  );
}
