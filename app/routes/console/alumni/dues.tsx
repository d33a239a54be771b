import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { DueRun } from "#app/features/alumni/dues/due-run.tsx";
import { readHandedSegment } from "#app/features/alumni/segment-state.ts";
import { ALL_DEEDS_LINK, UndoHistory } from "#app/features/alumni/undo-history.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { ExportButton } from "#app/features/form/export-button.tsx";
import { QuestionButton } from "#app/features/form/action.tsx";
import { describeRow, readRow, RowControls } from "#app/features/form/row-fields.tsx";
import { RowDialog, useEditedRow } from "#app/features/list/row-dialog.tsx";
import {
  amounts,
  labelled,
  type ListColumn,
  ListTable,
  SearchedList,
  useListSearch,
} from "#app/features/list/searched-list.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount, formatDate } from "#app/lib/format.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Badge } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { listDuesQuery } from "#worker/contract/alumni/dues/due-input.ts";
import {
  DUE_FIELDS,
  DUE_FILTERS,
  DUE_STATE_LABELS,
  DUE_WORK_LABELS,
  formatWon,
  namesById,
} from "#worker/contract/alumni/dues/dues.ts";
import { shareText } from "#worker/contract/alumni/figures.ts";
import { type DueRow, type DuesPage, listDues } from "#worker/domain/alumni/dues/due.server.ts";
import type { Route } from "./+types/dues";

export const loader = searchedListLoader(listDuesQuery, listDues);

const PATH = "/Admin/Dues";
const EVERYBODY = { segment: { filter: {} }, count: 0 };

export default function DuesScreen({ loaderData: list }: Route.ComponentProps) {
  const { kinds, periods, sums, works, begins, year, content } = list;
  const { value } = useListSearch(PATH);
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const [started, setStarted] = useState<"all" | "begin" | null>(null);
  const chosen = useIsHydrated() ? readHandedSegment(state) : null;
  const onDone = () => {
    setStarted(null);
    void navigate(PATH);
  };
  const period = value("period") || (value("keyword") ? "" : (content[0]?.period ?? ""));
  return (
    <>
      <ConsoleHeader
        description="주소록에서 사람을 찾거나 고른 뒤 ‘회비 청구’를 누르면 그 사람들에게만 청구합니다."
        links={[
          { label: "회비 종류", href: "/Admin/DueKinds" },
          { label: "입금", href: "/Admin/Deposits" },
          { label: "현황과 납부자 명단", href: `${PATH}/figures` },
        ]}
        action={
          <>
            <Button size="sm" className="needs-script" onClick={() => setStarted("begin")}>
              지난 회비 옮기기
            </Button>
            {period && (
              <ExportButton
                object={`${period} 회비 대장을`}
                disabled={content.length === 0}
                request={(json) => api.admin.due.export.$post({ json: { ...json, period } })}
              />
            )}
            <Button size="sm" variant="primary" className="needs-script" onClick={() => setStarted("all")}>
              주소록 전체에 청구
            </Button>
          </>
        }
      />
      {(started ?? chosen) && (
        <DueRun
          key={started}
          handed={started === "begin" ? null : started === "all" ? EVERYBODY : chosen}
          {...{ kinds, begins, year, onDone }}
        />
      )}
      <SearchedList
        name="회비"
        path={PATH}
        fields={DUE_FILTERS}
        options={{ period: Object.fromEntries(periods.map((each) => [each, each])), kindId: namesById(kinds) }}
        list={list}
        className="mt-6 md:grid-cols-5"
      >
        {sums && (
          <p className="tabular mb-3 text-gray-70">
            {period} 청구 {formatWon(sums.owed)} · 납부 {formatWon(sums.paid)} · 남은 금액 {formatWon(sums.open)} ·
            납부율 {shareText(sums.paid, sums.owed)} · 면제 {formatCount(sums.exempt)}건
          </p>
        )}
        <DueTable rows={content} sums={sums} />
      </SearchedList>
      <UndoHistory
        title="회비 작업 기록"
        deeds={works.map(({ matched, ...work }) => ({ ...work, changed: matched }))}
        headers={["작업", "종류", "건수", "한 사람"]}
        cells={({ name, kind, added, userName }) => [name, DUE_WORK_LABELS[kind], formatCount(added), userName]}
        link={ALL_DEEDS_LINK}
      />
    </>
  );
}

const TONES = { unpaid: "danger", partial: "warning", paid: "success", exempt: "gray" } as const;
const COLUMNS: ListColumn<DueRow>[] = [
  labelled("이름", ({ name, cohort }) => `${name}${cohort === null ? "" : ` (${cohort}기)`}`),
  labelled("회비", ({ period, kindName }) => `${period} ${kindName}`),
  labelled("상태", ({ state }) => <Badge tone={TONES[state]}>{DUE_STATE_LABELS[state]}</Badge>),
  amounts("청구액", ({ amount }) => formatWon(amount)),
  amounts("낸 금액", ({ paid }) => formatWon(paid)),
  labelled("입금 확인 번호", ({ digits }) => digits),
];
/** Shown only where a row has one. */
const OPTIONAL: Record<"dueDay" | "reason", ListColumn<DueRow>> = {
  dueDay: labelled("납부 기한", ({ dueDay }) => dueDay && formatDate(dueDay)),
  reason: labelled("면제 사유", ({ reason }) => reason),
};

/** The dues of a filter, with the dialog that changes or exempts one. */
function DueTable({ rows, sums }: { rows: readonly DueRow[]; sums: DuesPage["sums"] }) {
  const { key, ...edited } = useEditedRow(rows, "id");
  const calls = api.admin.due[":id"];
  const used = (["dueDay", "reason"] as const).filter((each) => rows.some((row) => row[each] !== ""));
  const acts = labelled<DueRow>("관리", (row) => (
    <span className="needs-script flex gap-2">
      <Button size="sm" onClick={() => edited.edit(row)} aria-label={`${row.name} ${row.period} 고치기`}>
        고치기
      </Button>
      {row.paid === 0 && (
        <QuestionButton
          aria-label={`${row.name} ${row.period} 삭제`}
          question={{
            label: "삭제",
            title: `${row.name}님에게 청구한 ${row.period} ${row.kindName}, 삭제하시겠습니까?`,
            text: <p>받지 않기로 한 회비는 삭제하지 말고 ‘고치기’에서 면제로 두십시오.</p>,
            danger: true,
            work: () => callApi(calls.$delete({ param: { id: row.id }, query: { version: String(row.version) } })),
            done: "회비를 삭제하였습니다.",
          }}
        />
      )}
    </span>
  ));
  return (
    <>
      <ListTable
        columns={[...COLUMNS, ...used.map((each) => OPTIONAL[each]), acts]}
        rows={rows}
        sums={
          sums && {
            이름: `합계 ${formatCount(sums.count)}건`,
            청구액: formatWon(sums.owed),
            "낸 금액": formatWon(sums.paid),
          }
        }
        keyOf={({ id }) => id}
        caption="회비"
        emptyText="회비가 없습니다."
        className="tabular md:min-w-[52rem]"
      />
      <RowDialog
        key={key}
        edited={edited}
        title={edited.row ? `${edited.row.name} · ${edited.row.period} ${edited.row.kindName}` : "회비"}
        read={(form) => ({ ...readRow(DUE_FIELDS, form), givesBack: form.has("givesBack") })}
        describe={(values) => describeRow(DUE_FIELDS, values)}
        save={async ({ givesBack, ...values }, row) => {
          if (!row) return;
          const json = { ...values, version: row.version, ...(givesBack && { paid: row.paid }) };
          await callApi(calls.$patch({ param: { id: row.id }, json }));
        }}
        done="회비를 고쳤습니다."
      >
        {(row, errors) => (
          <>
            <RowControls fields={DUE_FIELDS} values={row} errors={errors} />
            {row && row.paid > 0 && (
              <>
                <Checkbox
                  name="givesBack"
                  label={`면제하면 이미 낸 ${formatWon(row.paid)}을 입금으로 되돌립니다. 그 입금은 다시 고를 수 있습니다.`}
                />
                <ErrorAlert>{errors.paid}</ErrorAlert>
              </>
            )}
          </>
        )}
      </RowDialog>
    </>
  );
}
