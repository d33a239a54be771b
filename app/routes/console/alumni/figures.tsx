import { useWords } from "#app/lib/page-language.ts";
import { type ReactNode, useState } from "react";
import { type LinksFunction, useLocation } from "react-router";
import figuresCss from "#app/features/alumni/figures/figures.css?url";
import { type HandedSegment, readHandedSegment } from "#app/features/alumni/segment-state.ts";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { PrintButton } from "#app/features/form/print-button.tsx";
import { QuestionDialog, REASON_HINT } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount, formatLongDate } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import {
  type AlumniFigures,
  type CohortFigure,
  type Figure,
  type Reach,
  REACH_LABELS,
  REACHES,
  shareText,
} from "#worker/contract/alumni/figures.ts";
import { getAlumniFigures } from "#worker/domain/alumni/figures.server.ts";
import type { Route } from "./+types/figures";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: figuresCss }];

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const figures = await getAlumniFigures(scope);
  return { figures, date: scope.now().toISOString() };
});

export default function AlumniFiguresPage({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const handed = readHandedSegment(useLocation().state);
  const hydrated = useIsHydrated();
  const [counted, setCounted] = useState<AlumniFigures | null>(null);
  const figures = counted ?? loaderData.figures;
  return (
    <>
      <ConsoleHeader
        description="기수와 지역, 소속, 졸업연도, 연락 수단과 등록 흐름을 봅니다. 인쇄하면 A4 두 쪽에 들어갑니다."
        links={[{ label: say("{동문주소록}"), href: "/Alumni" }]}
        action={<PrintButton />}
      />
      {hydrated && handed && <SegmentBar handed={handed} counted={counted !== null} onCounted={setCounted} />}
      <AlumniFiguresView
        figures={figures}
        whose={say(counted ? "고른 {동문}" : "{동문주소록} 전체")}
        date={loaderData.date}
      />
    </>
  );
}

interface SegmentBarProps {
  handed: HandedSegment;
  counted: boolean;
  onCounted: (figures: AlumniFigures | null) => void;
}

/** Counts the people of the list the visitor came from; the audit log keeps the reason. */
function SegmentBar({ handed: { segment, count }, counted, onCounted }: SegmentBarProps) {
  const [open, setOpen] = useState(!counted);
  const question = {
    label: "통계 보기",
    title: `주소록에서 고른 ${formatCount(count)}명의 통계를 보시겠습니까?`,
    reasonHint: REASON_HINT,
    reloads: "never" as const,
    work: (reason: string) => callApi(api.alumni.figures.$post({ json: { segment, count, reason } })),
    done: null,
    onDone: onCounted,
  };
  return (
    <div className="mb-6 flex flex-wrap items-center gap-3 rounded-lg bg-primary-5 px-4 py-3">
      <p className="mr-auto" role="status">
        {counted ? "주소록에서 고른 사람들의 통계입니다." : "지금은 주소록 전체의 통계를 보고 있습니다."}
      </p>
      {counted ? (
        <Button size="sm" onClick={() => onCounted(null)}>
          전체 통계 보기
        </Button>
      ) : (
        <Button size="sm" onClick={() => setOpen(true)}>
          고른 {formatCount(count)}명의 통계 보기
        </Button>
      )}
      <QuestionDialog question={open ? question : null} onClose={() => setOpen(false)} />
    </div>
  );
}

function AlumniFiguresView({ figures, whose, date }: { figures: AlumniFigures; whose: string; date: string }) {
  const { total, reach, cohorts, years, regions, affiliations, months } = figures;
  return (
    <div className="paper figures">
      <section className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b-2 border-primary-80 pb-2">
        <h2 className="text-xl">
          {whose} <span className="tabular text-primary-60">{formatCount(total)}명</span>
        </h2>
        <p className="text-sm text-gray-70">
          {formatLongDate(date)} 기준 · 연락 가능 {formatCount(reachedOf(reach))}명 (
          {shareText(reachedOf(reach), total)})
        </p>
      </section>
      <div className="mt-4" aria-hidden="true">
        <ReachBar reach={reach} whole={Math.max(1, total)} />
      </div>
      <ul className="mt-2 mb-6 flex flex-wrap gap-x-5 gap-y-1 text-sm" aria-label="연락 수단별 인원">
        {REACHES.map((each) => (
          <li key={each} className="inline-flex items-center gap-2">
            <span aria-hidden="true" className={`size-3 border border-gray-40 reach-${each}`} />
            <span>
              {REACH_LABELS[each]} <strong className="tabular">{formatCount(reach[each])}</strong>명
            </span>
          </li>
        ))}
      </ul>
      {cohorts && (
        <div
          role="region"
          aria-label="기수별 인원과 연락 수단"
          tabIndex={0}
          className="overflow-x-auto print:overflow-visible"
        >
          <CohortTable cohorts={cohorts} total={total} reach={reach} />
        </div>
      )}
      <div className="figures-second">
        <div className="figures-pair mt-8 grid items-start gap-x-10 gap-y-8 lg:grid-cols-2">
          <div className="grid gap-8">
            {regions && <FigureTable title="지역별" head="지역" figures={regions} total={total} />}
            {affiliations && <FigureTable title="소속별" head="소속" figures={affiliations} total={total} />}
          </div>
          <div className="grid gap-8">
            {years && <FigureTable title="졸업연도별" head="연도" figures={years} total={total} />}
            <FigureTable title="등록한 달" head="달" figures={months} total={total} />
          </div>
        </div>
        <p className="mt-4 text-sm text-gray-60">
          지역은 주소의 첫머리로 세며, 등록한 달은 지금 주소록에 있는 사람을 셉니다. 반송된 메일 주소는 연락되는 주소로
          치지 않습니다. 작고하거나 탈퇴한 사람은 연락처가 없는 사람으로 셉니다.
        </p>
      </div>
    </div>
  );
}

const widthOf = (part: number, whole: number) => ({ width: `${whole === 0 ? 0 : (part / whole) * 100}%` });

const highestOf = (figures: readonly Figure[]) => Math.max(1, ...figures.map(({ count }) => count));

interface BarTableProps {
  title: string;
  head: string;
  numbers: readonly string[];
  /** Cells of the last row. */
  sum?: ReactNode;
  children: ReactNode;
}

/** The bars are decorative; the numbers carry the same information. */
function BarTable({ title, head, numbers, sum, children }: BarTableProps) {
  return (
    <table className="figure-table tabular">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <td className="figure-bar" aria-hidden="true">
            &nbsp;
          </td>
          {numbers.map((number) => (
            <th key={number} scope="col">
              {number}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
      {sum && (
        <tfoot>
          <tr>
            <th scope="row">합계</th>
            <td className="figure-bar" aria-hidden="true" />
            {sum}
          </tr>
        </tfoot>
      )}
    </table>
  );
}

interface FigureTableProps {
  title: string;
  head: string;
  figures: readonly (Figure & { sum?: number })[];
  total: number;
}

function FigureTable({ title, head, figures, total }: FigureTableProps) {
  const highest = highestOf(figures);
  const sums = figures.some(({ sum }) => sum !== undefined);
  return (
    <BarTable title={title} head={head} numbers={sums ? ["늘어난 수", "쌓인 수"] : ["명", "비율"]}>
      {figures.map(({ label, count, sum }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td className="figure-bar" aria-hidden="true">
            <span className="figure-stack">
              <span className="reach-mail" style={widthOf(count, highest)} />
            </span>
          </td>
          <td>{formatCount(count)}</td>
          <td>{sum === undefined ? shareText(count, total) : formatCount(sum)}</td>
        </tr>
      ))}
    </BarTable>
  );
}

type CohortTableProps = Pick<AlumniFigures, "total" | "reach"> & { cohorts: readonly CohortFigure[] };

function CohortTable({ cohorts, total, reach: wholeReach }: CohortTableProps) {
  const highest = highestOf(cohorts);
  const numbersOf = ({ count, reach }: Omit<CohortFigure, "label">) => (
    <>
      <td>{formatCount(count)}</td>
      {REACHES.map((each) => (
        <td key={each}>{formatCount(reach[each])}</td>
      ))}
      <td>{shareText(reachedOf(reach), count)}</td>
    </>
  );
  return (
    <BarTable
      title="기수별 인원과 연락 수단"
      head="기수"
      numbers={["명", ...REACHES.map((reach) => REACH_LABELS[reach]), "연락 가능"]}
      sum={numbersOf({ count: total, reach: wholeReach })}
    >
      {cohorts.map(({ label, count, reach }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td className="figure-bar" aria-hidden="true">
            <ReachBar reach={reach} whole={highest} />
          </td>
          {numbersOf({ count, reach })}
        </tr>
      ))}
    </BarTable>
  );
}

const reachedOf = (reach: Record<Reach, number>) => reach.mail + reach.phone + reach.bouncedPhone;

function ReachBar({ reach, whole }: { reach: Record<Reach, number>; whole: number }) {
  return (
    <span className="figure-stack">
      {REACHES.map((each) => (
        <span key={each} className={`reach-${each}`} style={widthOf(reach[each], whole)} />
      ))}
    </span>
  );
}
