import { CohortTable, FigureTable, ReachBar, reachedOf } from "#app/features/alumni/figures/figure-table.tsx";
import { formatCount, formatLongDate } from "#app/lib/format.ts";
import { type AlumniFigures, REACH_LABELS, REACHES, shareText } from "#worker/contract/alumni/figures.ts";

interface AlumniFiguresViewProps {
  figures: AlumniFigures;
  whose: string;
  date: string;
}

export function AlumniFiguresView({ figures, whose, date }: AlumniFiguresViewProps) {
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
          <CohortTable cohorts={cohorts} />
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
          치지 않습니다.
        </p>
      </div>
    </div>
  );
}
