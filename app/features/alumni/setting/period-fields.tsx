import type { typedPeriods } from "#app/features/alumni/setting/setting-values.ts";
import { NumberField } from "#app/ui/number-field.tsx";
import { ALUMNI_SETTING_LIMITS, DEFAULT_ALUMNI_SETTINGS } from "#worker/contract/alumni/alumni-settings.ts";

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

export function AlumniPeriodFields({ value, onChange, errors }: PeriodFieldsProps) {
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
