import { useWords } from "#app/lib/page-language.ts";
import { type FormEvent, useState } from "react";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { describeRow, readRow, RowControls } from "#app/features/form/row-fields.tsx";
import { FormFoot } from "#app/features/form/form-foot.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Field, FieldError, RequiredMark, Select } from "#app/ui/field.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { columnLabel, isOwnFieldCode, type OwnField } from "#worker/contract/alumni/own-fields.ts";
import type { AlumniSettingView } from "#worker/domain/alumni/setting.server.ts";
import {
  ALUMNI_PERIOD_FIELDS,
  ALUMNI_SORT_LABELS,
  ALUMNI_SORTS,
  type AlumniSettings,
  alumniSettingsView,
  CONFIGURABLE_FIELDS,
  type ConfigurableField,
  DEFAULT_ALUMNI_SETTINGS,
  isFieldSortable,
  isFieldUsed,
  type OwnEntryRight,
  parseAlumniSort,
} from "#worker/contract/alumni/alumni-settings.ts";
import {
  ALUMNI_COLUMN_LABELS,
  ALUMNI_SAMPLE,
  PRIVATE_FIELDS,
  type PrivateField,
} from "#worker/contract/alumni/columns.ts";
import { UsedIn } from "#app/features/list/used-in.tsx";
import { moveEntry, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { Checkbox, CheckboxGroup, RadioGroup } from "#app/ui/choice.tsx";
import { cx } from "#app/ui/cx.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Table, TableHead, Td, Th } from "#app/ui/table.tsx";
import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";

export function AlumniSettingsForm({ setting, own }: { setting: AlumniSettingView; own: readonly OwnField[] }) {
  const say = useWords();
  const [settings, setSettings] = useState(setting.value);
  const { busy, run, clear, fields, message, isConflict } = useAction();
  const { conflict, generation, versionToSend, keep, take } = useConflict({
    latest: setting,
    describe: (latest) => describeAlumniSettings(latest.value),
    isConflict,
  });
  const hydrated = useIsHydrated();
  const set = (part: Partial<AlumniSettings>) => setSettings({ ...settings, ...part });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = { ...settings, ...readRow(ALUMNI_PERIOD_FIELDS, new FormData(event.currentTarget)) };
    const json = { ...typed, version: versionToSend(event, describeAlumniSettings(typed)) };
    const work = async () => keep((await callApi(api.admin.setting.alumni.$patch({ json }))).version);
    void run(work, say("{동문주소록} 설정을 저장하였습니다."));
  };
  const takeTheirs = () => {
    take();
    setSettings(setting.value);
    clear();
  };
  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
      <form onSubmit={submit} noValidate className="min-w-0">
        {/* Is disabled until hydration so that no tick is lost. */}
        <fieldset disabled={!hydrated} className="contents">
          <ConsoleSection title="쓰는 항목">
            <AlumniColumnSettings
              settings={settings}
              onChange={set}
              error={fields.off ?? fields.required}
              setting={setting}
            />
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
            <div key={generation} className="grid max-w-2xl gap-5 md:grid-cols-2">
              <RowControls fields={ALUMNI_PERIOD_FIELDS} values={setting.value} errors={fields} />
            </div>
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
  ...describeRow(ALUMNI_PERIOD_FIELDS, settings),
});

interface ColumnsProps {
  settings: AlumniSettings;
  onChange: (part: Partial<AlumniSettings>) => void;
  error: string | undefined;
}

function AlumniDefaultColumns({ settings, onChange, error }: ColumnsProps) {
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

const CHECKBOX = "size-5.5 accent-primary-60 align-middle";

/** Switching a field off removes it from all other settings. */
function AlumniColumnSettings({ settings, onChange, error, setting }: ColumnsProps & { setting: AlumniSettingView }) {
  const say = useWords();
  const { off, required, shown } = settings;
  const without = (list: readonly ConfigurableField[], field: ConfigurableField) =>
    list.filter((each) => each !== field);
  const use = (field: ConfigurableField, on: boolean) => {
    if (on) return onChange({ off: without(off, field) });
    const next = { off: [...off, field], required: without(required, field), shown: without(shown, field) };
    const sort = isFieldSortable(next, parseAlumniSort(settings.sort).field)
      ? settings.sort
      : DEFAULT_ALUMNI_SETTINGS.sort;
    onChange({ ...next, sort });
  };
  return (
    <>
      <p className="mb-3 text-gray-70">
        쓰지 않는 항목은 목록, 상세, 입력, 검색, 양식, 가져오기, 내보내기, 연락처 저장에서 모두 빠집니다. 적혀 있던 값은
        지우지 않으므로, 다시 쓰면 그대로 나타납니다.
      </p>
      {error && <FieldError>{error}</FieldError>}
      <Table caption="쓰는 항목" className="max-w-xl">
        <TableHead>
          <Th>항목</Th>
          <Th className="w-24 text-center">사용</Th>
          <Th className="w-24 text-center">필수</Th>
        </TableHead>
        <tbody>
          <tr>
            <Td className="py-2.5 font-semibold">{ALUMNI_COLUMN_LABELS.name}</Td>
            <Td className="py-2.5 text-center text-sm text-gray-60">늘 씀</Td>
            <Td className="py-2.5 text-center text-sm text-gray-60">늘 필수</Td>
          </tr>
          {CONFIGURABLE_FIELDS.map((field) => {
            const isOn = isFieldUsed(settings, field);
            return (
              <tr key={field}>
                <Td className="py-2.5">
                  <span className={cx("font-semibold", !isOn && "text-gray-60 line-through")}>
                    {ALUMNI_COLUMN_LABELS[field]}
                  </span>
                  {!isOn && isFieldUsed(setting.value, field) && (
                    <UsedIn uses={setting.uses[field]} name={ALUMNI_COLUMN_LABELS[field]} />
                  )}
                </Td>
                <Td className="py-2.5 text-center">
                  <input
                    type="checkbox"
                    aria-label={`${ALUMNI_COLUMN_LABELS[field]} 사용`}
                    checked={isOn}
                    onChange={(event) => use(field, event.target.checked)}
                    className={CHECKBOX}
                  />
                </Td>
                <Td className="py-2.5 text-center">
                  <input
                    type="checkbox"
                    aria-label={`${ALUMNI_COLUMN_LABELS[field]} 필수`}
                    checked={required.includes(field)}
                    disabled={!isOn}
                    onChange={(event) =>
                      onChange({ required: event.target.checked ? [...required, field] : without(required, field) })
                    }
                    className={CHECKBOX}
                  />
                </Td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      <p className="mt-2 text-sm text-gray-60">
        필수 항목은 사람을 추가하거나 고칠 때, 새 사람을 가져올 때 비워 둘 수 없습니다. 이미 비어 있는 사람은 그대로
        둡니다.
      </p>
      {!isFieldUsed(settings, "email") && (
        <Alert tone="warning" className="mt-4 max-w-xl">
          {say("이메일을 쓰지 않으면 새로 추가하는 {동문:은/는} 회원 본인의 정보로 이어지지 않습니다.")}
        </Alert>
      )}
      {!isFieldUsed(settings, "email") && !isFieldUsed(settings, "mobile") && (
        <Alert tone="warning" className="mt-4 max-w-xl">
          이메일과 휴대전화를 모두 쓰지 않으면, 가져올 때 같은 사람을 ID로만 찾습니다.
        </Alert>
      )}
    </>
  );
}

function AlumniSettingsPreview({ settings, own }: { settings: AlumniSettings; own: readonly OwnField[] }) {
  const say = useWords();
  const { fields, required, shown } = alumniSettingsView(settings, own, true);
  const { field: sorted, descending } = parseAlumniSort(settings.sort);
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    <aside
      aria-label="미리보기"
      className="min-w-0 self-start rounded-lg bg-gray-5 p-5 xl:sticky xl:top-[calc(var(--header-height)+1rem)]"
    >
      <p className="mb-4 text-sm font-semibold text-gray-60">미리보기</p>
      <p className="mb-2 text-sm font-semibold text-gray-80">목록</p>
      <div
        role="region"
        aria-label="목록 미리보기"
        tabIndex={0}
        className="overflow-x-auto rounded-md border border-gray-20 bg-white"
      >
        <table className="tabular w-full text-left text-sm whitespace-nowrap">
          <thead>
            <tr>
              {shown.map((field) => (
                <th key={field} scope="col" className="border-b border-gray-30 bg-gray-5 px-3 py-2 font-semibold">
                  {columnLabel(field, own)}
                  {field === sorted && <Arrow aria-label="정렬" className="ml-1 inline size-3.5" />}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              {shown.map((field) => (
                <td key={field} className="px-3 py-2 text-gray-70">
                  {isOwnFieldCode(field) ? "" : `${ALUMNI_SAMPLE[field]}${field === "cohort" ? "기" : ""}`}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
      <p className="mt-5 mb-2 text-sm font-semibold text-gray-80">{say("{동문} 추가와 수정")}</p>
      <ul className="grid grid-cols-2 gap-2 text-sm">
        {fields.map((field) => (
          <li key={field} className="rounded-md border border-gray-30 bg-white px-3 py-1.5">
            {ALUMNI_COLUMN_LABELS[field]}
            {required.includes(field) && <RequiredMark />}
          </li>
        ))}
        {own.map(({ code, name, required: isRequired }) => (
          <li key={code} className="rounded-md border border-gray-30 bg-white px-3 py-1.5">
            {name}
            {isRequired && <RequiredMark />}
          </li>
        ))}
      </ul>
    </aside>
  );
}
