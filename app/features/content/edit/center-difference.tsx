import { Table, Td, Th, TableHead } from "#app/ui/table.tsx";
import type { CenterValue } from "#worker/contract/content/center-input.ts";
import { sentenceDifference, splitSentences } from "#worker/domain/kernel/sentence-difference.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";

export interface CenterField {
  name: Exclude<keyof CenterValue, "imageFileId" | "imageAlt">;
  label: string;
  kind: "input" | "tel" | "url" | "text";
  hint?: string;
}

export const ENGLISH_CENTER_FIELDS: CenterField[] = [
  {
    name: "englishName",
    label: "영문 이름",
    kind: "input",
    hint: "비워 두면 영문 페이지가 없고, 영문 목록에는 한국어 이름이 나옵니다.",
  },
  { name: "englishDirector", label: "영문 책임자", kind: "input" },
  { name: "englishAddress", label: "영문 주소", kind: "input" },
  { name: "englishIntroduction", label: "영문 소개", kind: "text" },
  { name: "englishDirections", label: "영문 오시는 길", kind: "text" },
  { name: "englishImageAlt", label: "영문 사진 설명", kind: "input" },
];

export const CENTER_FIELDS: CenterField[] = [
  { name: "regionName", label: "지역 이름", kind: "input" },
  { name: "centerName", label: "센터 이름", kind: "input" },
  { name: "director", label: "책임자", kind: "input", hint: "이름과 직위, 진료과" },
  { name: "address", label: "주소", kind: "input", hint: "이 주소로 길찾기를 엽니다." },
  { name: "phone", label: "전화", kind: "tel", hint: "예: 02-000-0000" },
  { name: "fax", label: "팩스", kind: "tel" },
  { name: "url", label: "홈페이지", kind: "url", hint: "https://로 시작하는 주소" },
  { name: "introduction", label: "센터 소개", kind: "text", hint: "빈 줄을 넣으면 문단이 나뉩니다." },
  { name: "directions", label: "오시는 길", kind: "text" },
];

const DIFFERENCE_FIELDS: { name: keyof CenterValue; label: string }[] = [
  ...CENTER_FIELDS,
  { name: "imageFileId", label: "사진" },
  { name: "imageAlt", label: "사진 설명" },
  ...ENGLISH_CENTER_FIELDS,
];

const LONG = new Set<string>(
  [...CENTER_FIELDS, ...ENGLISH_CENTER_FIELDS].filter(({ kind }) => kind === "text").map(({ name }) => name),
);

export function centerDifferences(before: CenterValue, after: CenterValue) {
  const show = (value: CenterValue, name: keyof CenterValue, side: ChangedSentencesProps["side"]) => {
    if (value[name] === "") return <span className="text-gray-60">없음</span>;
    if (name === "imageFileId")
      return <img src={`/api/file/${value[name]}`} alt={value.imageAlt} className="w-40 rounded-md" />;
    if (LONG.has(name)) return <ChangedSentences older={before[name]} newer={after[name]} side={side} />;
    return value[name];
  };
  return DIFFERENCE_FIELDS.filter(({ name }) => before[name] !== after[name]).map(({ name, label }) => ({
    label,
    before: show(before, name, "removed"),
    after: show(after, name, "added"),
  }));
}

interface CenterDifferenceProps {
  before: CenterValue;
  after: CenterValue;
  names: { before: string; after: string };
}

export function CenterDifference({ before, after, names }: CenterDifferenceProps) {
  const changed = centerDifferences(before, after);
  if (changed.length === 0) return <p>서로 다른 항목이 없습니다.</p>;
  return (
    <Table caption={`${withParticle(names.before, "과/와")} ${names.after}의 다른 항목`} className="min-w-[36rem]">
      <TableHead>
        <Th className="w-28">항목</Th>
        <Th>{names.before}</Th>
        <Th>{names.after}</Th>
      </TableHead>
      <tbody>
        {changed.map((field) => (
          <tr key={field.label}>
            <th scope="row" className="border-b border-gray-20 px-4 py-3 align-top font-semibold">
              {field.label}
            </th>
            <Td className="align-top whitespace-pre-line">{field.before}</Td>
            <Td className="align-top whitespace-pre-line">{field.after}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const LOOK = { removed: "bg-danger-5 text-danger-70", added: "bg-success-5 text-success-60" };

interface ChangedSentencesProps {
  older: string;
  newer: string;
  side: keyof typeof LOOK;
}

function ChangedSentences({ older, newer, side }: ChangedSentencesProps) {
  const lines = sentenceDifference([older], [newer]).filter(({ kind }) => kind === "same" || kind === side);
  const Mark = side === "removed" ? "del" : "ins";
  let index = 0;
  return splitSentences(side === "removed" ? older : newer).map((part, at) => {
    const isChanged = part.trim() !== "" && lines[index++]?.kind === side;
    return isChanged ? (
      // oxlint-disable-next-line react/no-array-index-key -- sentences have no other name and never move
      <Mark key={at} className={`no-underline ${LOOK[side]}`}>
        {part}
      </Mark>
    ) : (
      part
    );
  });
}
