import type { DroppedFiles, DroppedSource, HiddenChoices } from "#app/features/alumni/import/dropped-files.ts";
import { formatCount } from "#app/lib/format.ts";
import { useState } from "react";
import { PagedRows } from "#app/features/alumni/import/paged-rows.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import type { HiddenAnswer } from "#worker/contract/alumni/import/cell-changes.ts";
import type { RawRow } from "#worker/contract/alumni/import/sheet-content.ts";
import { Badge } from "#app/ui/inline.tsx";
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
  onPoint: (key: string, row: number) => void;
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

interface HeaderPointerProps {
  label: string;
  top: readonly RawRow[];
  isOpen?: boolean;
  onPoint: (row: number) => void;
}

/** Points at the header among the first rows, or by number. */
export function HeaderPointer({ label, top, isOpen = false, onPoint }: HeaderPointerProps) {
  const [row, setRow] = useState("");
  const number = Number(row);
  return (
    <details open={isOpen} className="text-sm text-gray-70">
      <summary className="min-h-11 cursor-pointer py-3 font-semibold">
        <span className="sr-only">{label}: </span>머리글 행 고르기
      </summary>
      <p className="mb-2">열의 이름이 적힌 행을 고르십시오. 머리글이 여러 줄이면 맨 아래 줄을 고르십시오.</p>
      <PagedRows rows={top} label={`${label}의 행`}>
        {(page) => (
          <ul className="divide-y divide-gray-20 border-y border-gray-20">
            {page.map((raw) => (
              <li key={raw.row} className="flex items-center gap-3 py-1.5">
                <Button
                  size="sm"
                  className="tabular shrink-0"
                  aria-label={`${raw.row}행을 머리글로`}
                  onClick={() => onPoint(raw.row)}
                >
                  {raw.row}행
                </Button>
                <span className="min-w-0 truncate">{raw.cells.filter(Boolean).join(" · ")}</span>
              </li>
            ))}
          </ul>
        )}
      </PagedRows>
      <form
        className="mt-2 flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (number > 0) onPoint(number);
        }}
      >
        <Input
          aria-label={`${label}의 머리글 행 번호`}
          inputMode="numeric"
          placeholder="행 번호"
          className="w-28"
          value={row}
          onChange={(event) => setRow(event.target.value.replace(/\D/g, "").slice(0, 7))}
        />
        <Button size="sm" type="submit" disabled={number === 0}>
          이 행을 머리글로
        </Button>
      </form>
    </details>
  );
}

export function SourceList({ files, hidden, onFiles, onHidden, onPoint }: SourceListProps) {
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
      {sources.length === 0 && (
        <Alert tone="warning" title="읽을 수 있는 시트를 찾지 못했습니다" className="mt-6">
          아래에서 시트마다 이유를 보시고, 열의 이름이 적힌 머리글 행을 골라 주십시오.
        </Alert>
      )}
      {sources.length > 0 && (
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
                      <span className="flex flex-wrap items-center gap-x-1 font-semibold text-gray-90">
                        <span>
                          {source.table.sheet ? `${source.fileName} · ${source.table.sheet}` : source.fileName}
                        </span>
                        {source.table.isHidden && <Badge tone="warning">숨긴 시트</Badge>}
                        {source.table.leaving && <Badge tone="warning">‘{source.table.leaving}’</Badge>}
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
                        onChange={(event) =>
                          change(source, { fixed: { ...source.fixed, [field]: event.target.value } })
                        }
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
                  {source.table.leaving && !source.isUsed && (
                    <p className="text-sm text-warning-60">
                      이름이나 제목에 ‘{source.table.leaving}’ 표시가 있어 고르지 않았습니다. 가져오시려면 직접 골라
                      주십시오.
                    </p>
                  )}
                  <SetAsideRows rows={source.table.setAside} />
                  <HeaderPointer
                    key={source.table.headerRows.join("-")}
                    label={source.name || source.fileName}
                    top={source.table.top}
                    onPoint={(row) => onPoint(source.key, row)}
                  />
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {passed.length > 0 && (
        <details open={sources.length === 0} className="mt-3 text-sm text-gray-70">
          <summary className="min-h-11 cursor-pointer py-3 font-semibold">
            지나간 시트 {formatCount(passed.length)}개
          </summary>
          <ul className="list-disc pl-5">
            {passed.map(({ key, fileName, sheet, reason, isHidden, top }) => (
              <li key={key}>
                {fileName}
                {sheet && ` · ${sheet}`}
                {isHidden && " (숨긴 시트)"}: {reason}
                <HeaderPointer
                  label={[fileName, sheet].filter(Boolean).join(" · ")}
                  top={top}
                  isOpen={sources.length === 0 && passed.length === 1}
                  onPoint={(row) => onPoint(key, row)}
                />
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
              onChange={(rows) => onHidden({ ...hidden, rows: rows as HiddenAnswer })}
            />
          )}
          {hiddenColumns.length > 0 && (
            <RadioGroup
              legend={`숨긴 열 ${[...new Set(hiddenColumns)].map((head) => `‘${head}’`).join(", ")}`}
              name="hiddenColumns"
              options={HIDDEN_OPTIONS}
              value={hidden.columns ?? ""}
              onChange={(columns) => onHidden({ ...hidden, columns: columns as HiddenAnswer })}
            />
          )}
        </Alert>
      )}
    </>
  );
}
