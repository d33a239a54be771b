import type { HeaderColumns } from "#app/features/alumni/import/dropped-files.ts";
import { type CellCorrections, cellKey, findHeaderColumn } from "#app/features/alumni/import/import-table.ts";
import { PagedRows } from "#app/features/alumni/import/paged-rows.tsx";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/inline.tsx";
import { Input } from "#app/ui/field.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { cx } from "#app/ui/cx.ts";
import { type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { Table, Td, Th, TableHead } from "#app/ui/table.tsx";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { isOtherBreak } from "#worker/contract/alumni/import/cell-changes.ts";
import { type ImportPlace, rowLabel } from "#worker/contract/alumni/import/header.ts";
import type { OwnField } from "#worker/contract/alumni/own-fields.ts";
import type { ImportResult } from "#worker/domain/alumni/import/import.server.ts";

export function ImportCounts({ result }: { result: ImportResult }) {
  const { asked, skipped } = result.people;
  const undecided = asked + result.proposed;
  const errors = result.rejected - undecided;
  const facts = [
    ["새로 추가", result.inserted, "text-success-60"],
    ["바뀜", result.updated, "text-primary-60"],
    ["그대로", result.unchanged, "text-gray-70"],
    ["오류", errors, errors > 0 ? "text-danger-60" : "text-gray-70"],
    ...(undecided + skipped > 0
      ? ([
          ["정할 사람", undecided, "text-warning-60"],
          ["건너뜀", skipped, "text-gray-70"],
        ] as const)
      : []),
  ] as const;
  return (
    <dl className={cx("tabular grid grid-cols-2 gap-3", facts.length > 4 ? "md:grid-cols-3" : "md:grid-cols-4")}>
      {facts.map(([label, count, tone]) => (
        <div key={label} className="rounded-lg border border-gray-20 px-4 py-3">
          <dt className="text-sm text-gray-60">{label}</dt>
          <dd className={`text-2xl font-bold ${tone}`}>
            {formatCount(count)}
            <span className="ml-0.5 text-base font-semibold">명</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ImportProblemsProps {
  result: ImportResult;
  source: HeaderColumns & { sources: readonly ImportPlace[] };
  corrections: CellCorrections;
  own: readonly OwnField[];
  onCorrect: (key: string, value: string) => void;
}

export function ImportProblems({ result, source, corrections, own, onCorrect }: ImportProblemsProps) {
  // The persons of these rows are decided in their own list.
  const asked = new Set(result.people.questions.map(({ row }) => row));
  const errors = result.errors.filter(({ row, isProposal }) => !asked.has(row) && !isProposal);
  if (errors.length === 0) return null;
  return (
    <section aria-labelledby="problems" className="mt-8">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="problems" className="text-lg">
          오류 {formatCount(result.rejected - result.people.asked - result.proposed)}명
        </h2>
        {result.errorFileUrl && (
          <a href={result.errorFileUrl} className="font-semibold text-primary-70 underline underline-offset-4">
            오류 행 내려받기
          </a>
        )}
      </div>
      <PagedRows rows={errors} label="오류">
        {(page) => (
          <Table caption="오류가 있는 칸" cards>
            <TableHead>
              <Th>행</Th>
              <Th>열</Th>
              <Th>값</Th>
              <Th>이유</Th>
            </TableHead>
            <tbody>
              {page.map((problem) => {
                const at = findHeaderColumn(source, problem.column, own);
                const key = cellKey(problem.row, at);
                // An input drops line breaks.
                const value = problem.value.replace(/[\r\n]+/g, ", ");
                return (
                  <tr key={`${key}-${problem.message}`}>
                    <Td className="md:whitespace-nowrap">{rowLabel(source.sources, problem.row)}</Td>
                    <Td data-label="열" className="whitespace-nowrap">
                      {problem.column}
                    </Td>
                    <Td className="min-w-52">
                      {at < 0 ? (
                        problem.value
                      ) : (
                        <Input
                          key={corrections.get(key) ?? ""}
                          aria-label={`${rowLabel(source.sources, problem.row)} ${problem.column}`}
                          defaultValue={corrections.get(key) ?? value}
                          onBlur={(event) =>
                            event.target.value !== (corrections.get(key) ?? value) && onCorrect(key, event.target.value)
                          }
                        />
                      )}
                    </Td>
                    <Td className="min-w-52 text-danger-60">{problem.message}</Td>
                  </tr>
                );
              })}
            </tbody>
          </Table>
        )}
      </PagedRows>
    </section>
  );
}

export function ImportChanges({ result, sources }: { result: ImportResult; sources: readonly ImportPlace[] }) {
  const labelOf = useColumnLabel();
  const shown = result.preview.toSorted((a, b) => b.kind.localeCompare(a.kind) || a.row - b.row);
  if (shown.length === 0) return null;
  const columns: ListColumn<(typeof shown)[number]>[] = [
    { head: "행", className: "md:whitespace-nowrap", renderCell: (entry) => rowLabel(sources, entry.row) },
    {
      head: "구분",
      className: "whitespace-nowrap",
      renderCell: ({ kind }) => (
        <Badge tone={kind === "insert" ? "success" : "primary"}>{kind === "insert" ? "추가" : "변경"}</Badge>
      ),
    },
    { head: "이름", className: "font-semibold whitespace-nowrap text-gray-90", renderCell: (entry) => entry.name },
    {
      head: "내용",
      className: "min-w-72",
      renderCell: ({ kind, changes }) => (
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {changes.map(({ field, before, after }) => (
            <li key={field} className="whitespace-pre-line">
              <span className="text-gray-60">{labelOf(field)} </span>
              {kind === "update" && isOtherBreak(before, after) ? (
                <span className="text-gray-90">줄바꿈이 달라짐</span>
              ) : (
                <>
                  {kind === "update" && (
                    <>
                      <del className="text-danger-60">{before || "(빈칸)"}</del>
                      <span aria-label="에서"> → </span>
                    </>
                  )}
                  <ins className="text-gray-90 no-underline">{after || "(빈칸)"}</ins>
                </>
              )}
            </li>
          ))}
        </ul>
      ),
    },
  ];
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-lg">바뀔 내용</h2>
      {result.warnings.length > 0 && (
        <Alert tone="warning" title="같은 이름이 이미 있습니다" className="mb-3">
          <ul className="mt-1 list-disc pl-5">
            {result.warnings.slice(0, 10).map((warning) => (
              <li key={warning.row}>
                {rowLabel(sources, warning.row)}: {warning.message}
              </li>
            ))}
          </ul>
          {result.warnings.length > 10 && <p>그 밖에 {formatCount(result.warnings.length - 10)}행이 더 있습니다.</p>}
        </Alert>
      )}
      <PagedRows rows={shown} label="바뀔 내용">
        {(page) => <ListTable caption="바뀔 내용" columns={columns} rows={page} keyOf={(entry) => entry.row} />}
      </PagedRows>
      {result.inserted + result.updated > shown.length && (
        <p className="mt-2 text-sm text-gray-60">처음 {formatCount(shown.length)}명을 보여 드립니다.</p>
      )}
    </section>
  );
}
