import { moveEntry, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { type AlumniSettings, CONFIGURABLE_FIELDS, isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";

interface DefaultColumnsProps {
  settings: AlumniSettings;
  onChange: (part: Partial<AlumniSettings>) => void;
  error: string | undefined;
}

export function AlumniDefaultColumns({ settings, onChange, error }: DefaultColumnsProps) {
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
