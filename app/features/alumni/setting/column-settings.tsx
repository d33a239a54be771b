import { useWords } from "#app/lib/use-words.ts";
import { cx } from "#app/ui/cx.ts";
import { FieldError } from "#app/ui/field.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Table, Td, Th, TableHead } from "#app/ui/table.tsx";
import {
  type AlumniSettings,
  DEFAULT_ALUMNI_SETTINGS,
  CONFIGURABLE_FIELDS,
  type ConfigurableField,
  isFieldSortable,
  isFieldUsed,
  parseAlumniSort,
} from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";

interface AlumniColumnSettingsProps {
  settings: AlumniSettings;
  onChange: (part: Partial<AlumniSettings>) => void;
  error: string | undefined;
}

const CHECKBOX = "size-5.5 accent-primary-60 align-middle";

/** Switching a field off removes it from all other settings. */
export function AlumniColumnSettings({ settings, onChange, error }: AlumniColumnSettingsProps) {
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
                <Td className={cx("py-2.5 font-semibold", !isOn && "text-gray-60 line-through")}>
                  {ALUMNI_COLUMN_LABELS[field]}
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
