import { formatLongDate } from "#app/lib/format.ts";
import type { AnnouncedAgreement } from "#worker/contract/content/view.ts";

/** Is shown on every public page until the agreement changes. */
export const AnnouncedAgreements = ({ announced }: { announced: readonly AnnouncedAgreement[] }) => (
  <aside aria-label="약관 변경 예고" className="container-page print:hidden">
    {announced.map(({ code, title, effectiveDate }) => (
      <p key={code + effectiveDate} className="py-2">
        {formatLongDate(effectiveDate)}부터 ‘{title}’ 내용이 바뀝니다.{" "}
        <a href={`/Account/Agreements/${code}`} className="font-semibold text-primary-70 underline">
          달라지는 점 보기<span className="sr-only">: {title}</span>
        </a>
      </p>
    ))}
  </aside>
);
