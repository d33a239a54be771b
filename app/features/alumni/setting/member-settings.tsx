import { OWN_ENTRY_OPTIONS } from "#app/features/alumni/setting/setting-values.ts";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { CheckboxGroup, RadioGroup } from "#app/ui/choice.tsx";
import { type AlumniSettings, isFieldUsed, type OwnEntryRight } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS, PRIVATE_FIELDS, type PrivateField } from "#worker/contract/alumni/columns.ts";

interface MemberSettingsProps {
  settings: AlumniSettings;
  onChange: (part: Partial<AlumniSettings>) => void;
  errors: Record<string, string>;
}

export function AlumniMemberSettings({ settings, onChange, errors }: MemberSettingsProps) {
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
