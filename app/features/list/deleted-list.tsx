import type { ReactNode } from "react";
import type { RowKey, useRowPicks } from "#app/features/list/use-row-picks.ts";
import { formatCount } from "#app/lib/format.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Pager, pagesOf } from "#app/ui/pager.tsx";
import { Table, Td, Th, TableHead } from "#app/ui/table.tsx";
import { Time } from "#app/ui/inline.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import type { Page } from "#worker/contract/kernel/page.ts";

interface DeletedRow {
  deletedDate: string;
  /** Null if the bin is never emptied. */
  purgeDate: string | null;
}

interface DeletedListProps<K extends RowKey, R extends DeletedRow, Restored, Destroyed> {
  caption: string;
  deletedRows: Page<R>;
  unit: "건" | "명";
  picks: ReturnType<typeof useRowPicks<K>>;
  keyOf: (row: R) => K;
  nameOf: (row: R) => string;
  /** Header and cells that identify a row; phones show the second column below the first. */
  headers: [first: string, second: string];
  first: (row: R) => ReactNode;
  second: (row: R) => string;
  restore: Question<Restored>;
  destroy: Question<Destroyed>;
  actions?: ReactNode;
  /** The bin's URL; `page` is its query parameter. */
  path: string;
  back: { label: string; href: string };
}

export function DeletedList<K extends RowKey, R extends DeletedRow, Restored, Destroyed>(
  props: DeletedListProps<K, R, Restored, Destroyed>,
) {
  const { caption, deletedRows, unit, picks, keyOf, nameOf, headers, first, second, path, back } = props;
  return (
    <div className="container-page pt-8 pb-16 md:pt-10 md:pb-24">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <p className="tabular text-gray-70" role="status">
          총 <strong className="text-primary-60">{formatCount(deletedRows.totalElements)}</strong>
          {unit}
          {picks.picked.length > 0 && ` · ${formatCount(picks.picked.length)}${unit} 선택`}
        </p>
        <div className="needs-script flex flex-wrap gap-2">
          <QuestionButton question={props.restore} disabled={picks.picked.length === 0}>
            선택 되살리기
          </QuestionButton>
          <QuestionButton question={props.destroy} disabled={picks.picked.length === 0}>
            선택 영구 삭제
          </QuestionButton>
          {props.actions}
        </div>
      </div>
      {deletedRows.content.length === 0 ? (
        <Empty className="border-y border-gray-20">휴지통이 비어 있습니다.</Empty>
      ) : (
        <Table caption={caption} className="md:min-w-160">
          <TableHead>
            <Th className="w-14">
              <Checkbox
                label={<span className="sr-only">모두 고르기</span>}
                checked={picks.isAll}
                onChange={(event) => picks.pickAll(event.target.checked)}
              />
            </Th>
            <Th>{headers[0]}</Th>
            <Th className="max-md:hidden">{headers[1]}</Th>
            <Th className="w-36 max-md:hidden">지운 날</Th>
            <Th className="w-36 max-md:hidden">없어지는 날</Th>
          </TableHead>
          <tbody>
            {deletedRows.content.map((row) => (
              <tr key={keyOf(row)}>
                <Td>
                  <Checkbox
                    label={<span className="sr-only">{nameOf(row)} 고르기</span>}
                    checked={picks.picked.includes(keyOf(row))}
                    onChange={(event) => picks.pick(keyOf(row), event.target.checked)}
                  />
                </Td>
                <Td>
                  {first(row)}
                  <span className="block text-sm text-gray-60 md:hidden">
                    {second(row) && <span>{second(row)} · </span>}
                    <Time date={row.deletedDate} /> 삭제
                    {row.purgeDate && (
                      <span>
                        {" · "}
                        <Time date={row.purgeDate} /> 영구 삭제
                      </span>
                    )}
                  </span>
                </Td>
                <Td className="max-md:hidden">{second(row)}</Td>
                <Td className="max-md:hidden">
                  <Time date={row.deletedDate} />
                </Td>
                <Td className="max-md:hidden">{row.purgeDate ? <Time date={row.purgeDate} /> : "정하지 않음"}</Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <Pager list={deletedRows} href={pagesOf(path)} />
      <ButtonLink to={back.href} size="sm" className="mt-6">
        {back.label}
      </ButtonLink>
    </div>
  );
}
