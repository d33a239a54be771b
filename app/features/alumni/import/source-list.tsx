import type {
  DroppedFiles,
  DroppedSource,
  HiddenChoice,
  HiddenChoices,
} from "#app/features/alumni/import/dropped-files.ts";
import { formatCount } from "#app/lib/format.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Checkbox, RadioGroup } from "#app/ui/choice.tsx";
import { Input } from "#app/ui/field.tsx";
import { Table, Td, Th, TableHead } from "#app/ui/table.tsx";
import { ALUMNI_COLUMN_LABELS, ALUMNI_MAX_LENGTHS } from "#worker/contract/alumni/columns.ts";
import { peopleTableSentences } from "#worker/contract/alumni/import/people-table.ts";
import { SET_ASIDE_LABELS, type SetAsideRow } from "#worker/contract/alumni/import/table-rows.ts";

interface SourceListProps {
  files: DroppedFiles;
  hidden: HiddenChoices;
  onFiles: (files: DroppedFiles) => void;
  onHidden: (hidden: HiddenChoices) => void;
}

/** Fields that a file name, sheet name or title may set for everyone in it. */
const FIXED_FIELDS = ["cohort", "graduationYear"] as const;

const HIDDEN_OPTIONS = [
  { value: "take", label: "가져오기" },
  { value: "leave", label: "빼기" },
];

export function openHiddenQuestions({ sources }: DroppedFiles, hidden: HiddenChoices): string[] {
  const used = sources.filter(({ isUsed }) => isUsed);
  return [
    ...(hidden.rows === null && used.some(({ table }) => table.hiddenRows.length > 0) ? ["숨긴 행"] : []),
    ...(hidden.columns === null && used.some(({ table }) => table.hiddenColumns.length > 0) ? ["숨긴 열"] : []),
  ];
}

/** Further rows go into a disclosure. */
const NAMED_ROWS = 3;

function SetAsideRows({ rows }: { rows: readonly SetAsideRow[] }) {
  if (rows.length <= NAMED_ROWS) return null;
  return (
    <details className="text-sm text-gray-70">
      <summary className="min-h-11 cursor-pointer py-3 font-semibold">뺀 행 {formatCount(rows.length)}행 보기</summary>
      <ul className="max-h-60 overflow-y-auto">
        {rows.map(({ row, kind, text }) => (
          <li key={row}>
            {row}행 {SET_ASIDE_LABELS[kind]}: {text}
          </li>
        ))}
      </ul>
    </details>
  );
}

export function SourceList({ files, hidden, onFiles, onHidden }: SourceListProps) {
  const { sources, passed } = files;
  const change = (source: DroppedSource, next: Partial<DroppedSource>) =>
    onFiles({ ...files, sources: sources.map((each) => (each === source ? { ...source, ...next } : each)) });
  const used = sources.filter(({ isUsed }) => isUsed);
  const hiddenRows = used.reduce((sum, { table }) => sum + table.hiddenRows.length, 0);
  const hiddenColumns = used.flatMap(({ table }) => table.hiddenColumns.map((at) => table.heads[at] ?? ""));
  const fixable = FIXED_FIELDS.filter((field) =>
    sources.some(({ table, fixed }) => !table.columns.includes(field) && (field === "cohort" || field in fixed)),
  );
  return (
    <>
      <Table caption="읽은 파일과 시트" cards className="mt-6">
        <TableHead>
          <Th>파일과 시트</Th>
          <Th>사람</Th>
          {fixable.map((field) => (
            <Th key={field} className="w-32">
              모두의 {ALUMNI_COLUMN_LABELS[field]}
            </Th>
          ))}
          <Th>읽은 방법</Th>
        </TableHead>
        <tbody>
          {sources.map((source) => (
            <tr key={source.key}>
              <Td>
                <Checkbox
                  checked={source.isUsed}
                  onChange={(event) => change(source, { isUsed: event.target.checked })}
                  label={
                    <span className="font-semibold text-gray-90">
                      {source.fileName}
                      {source.table.sheet && ` · ${source.table.sheet}`}{" "}
                      {source.table.isHidden && <Badge tone="warning">숨긴 시트</Badge>}
                    </span>
                  }
                />
              </Td>
              <Td data-label="사람" className="whitespace-nowrap">
                {formatCount(source.table.rows.length)}명
              </Td>
              {fixable.map((field) => (
                <Td key={field} data-label={`모두의 ${ALUMNI_COLUMN_LABELS[field]}`}>
                  {source.table.columns.includes(field) ? (
                    <span className="text-gray-60">열에 있음</span>
                  ) : (
                    <Input
                      aria-label={`${source.name || source.fileName}의 ${ALUMNI_COLUMN_LABELS[field]}`}
                      inputMode="numeric"
                      maxLength={ALUMNI_MAX_LENGTHS[field]}
                      value={source.fixed[field] ?? ""}
                      onChange={(event) => change(source, { fixed: { ...source.fixed, [field]: event.target.value } })}
                    />
                  )}
                </Td>
              ))}
              <Td data-label="읽은 방법">
                <ul className="text-sm text-gray-70">
                  {peopleTableSentences(source.table).map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
                <SetAsideRows rows={source.table.setAside} />
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      {passed.length > 0 && (
        <details className="mt-3 text-sm text-gray-70">
          <summary className="min-h-11 cursor-pointer py-3 font-semibold">
            지나간 시트 {formatCount(passed.length)}개
          </summary>
          <ul className="list-disc pl-5">
            {passed.map(({ fileName, sheet, reason, isHidden }) => (
              <li key={`${fileName} ${sheet}`}>
                {fileName}
                {sheet && ` · ${sheet}`}
                {isHidden && " (숨긴 시트)"}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      {(hiddenRows > 0 || hiddenColumns.length > 0) && (
        <Alert tone="warning" title="파일에 숨긴 것이 있습니다" className="mt-4">
          {hiddenRows > 0 && (
            <RadioGroup
              legend={`숨긴 행 ${formatCount(hiddenRows)}행`}
              name="hiddenRows"
              options={HIDDEN_OPTIONS}
              value={hidden.rows ?? ""}
              onChange={(rows) => onHidden({ ...hidden, rows: rows as HiddenChoice })}
            />
          )}
          {hiddenColumns.length > 0 && (
            <RadioGroup
              legend={`숨긴 열 ${[...new Set(hiddenColumns)].map((head) => `‘${head}’`).join(", ")}`}
              name="hiddenColumns"
              options={HIDDEN_OPTIONS}
              value={hidden.columns ?? ""}
              onChange={(columns) => onHidden({ ...hidden, columns: columns as HiddenChoice })}
            />
          )}
        </Alert>
      )}
    </>
  );
}
