import { useWords } from "#app/lib/use-words.ts";
import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import { RequiredMark } from "#app/ui/field.tsx";
import { type AlumniSettings, alumniSettingsView, parseAlumniSort } from "#worker/contract/alumni/alumni-settings.ts";
import { columnLabel, isOwnFieldCode, type OwnField } from "#worker/contract/alumni/own-fields.ts";
import { type AlumniField, ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";

const SAMPLE_PERSON: Record<AlumniField, string> = {
  name: "홍길동",
  cohort: "3기",
  graduationYear: "2004",
  major: "경영학",
  affiliation: "가온상사",
  department: "총무부",
  position: "과장",
  email: "hong@example.kr",
  mobile: "010-0000-1234",
  phone: "02-000-5678",
  zipCode: "03080",
  address: "서울특별시 종로구",
  memo: "연락은 오후에",
};

export function AlumniSettingsPreview({ settings, own }: { settings: AlumniSettings; own: readonly OwnField[] }) {
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
                  {isOwnFieldCode(field) ? "" : SAMPLE_PERSON[field]}
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
