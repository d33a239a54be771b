import { Link } from "react-router";
import { formatLongDate } from "#app/lib/format.ts";
import type { AnnouncedAgreement } from "#worker/contract/content/view.ts";

/** On every public page until its day: which agreement changes, when, and the way to what changes. */
export function AnnouncedAgreements({ announced }: { announced: readonly AnnouncedAgreement[] }) {
  return (
    <aside aria-label="약관 변경 예고" className="border-b border-primary-20 bg-primary-5 print:hidden">
      <ul className="container-page divide-y divide-primary-10">
        {announced.map(({ code, title, effectiveDate }) => (
          <li key={`${code} ${effectiveDate}`} className="flex flex-wrap items-center gap-x-4 py-2">
            <span>
              {formatLongDate(effectiveDate)}부터 <strong className="font-bold">&lsquo;{title}&rsquo;</strong> 내용이
              바뀝니다.
            </span>
            <Link
              to={`/Account/Agreements/${code}`}
              className="inline-flex min-h-8 items-center font-semibold text-primary-70 underline underline-offset-4"
            >
              달라지는 점 보기<span className="sr-only">: {title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </aside>
  );
}
