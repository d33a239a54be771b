import { telephoneHref } from "#app/lib/telephone.ts";
import { cellText, dialableNumber, type AlumniField } from "#worker/contract/alumni/columns.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";

const LINK = "text-primary-70 underline-offset-4 hover:underline";

/** A value as it is read; numbers to call and addresses to write to are links, unless they are masked. */
export function AlumniValue({ person, field }: { person: AlumniRow; field: AlumniField }) {
  const text = cellText(person[field]);
  if (text === "") return <span className="text-gray-50">-</span>;
  if (field === "cohort") return <>{text}기</>;
  if (text.includes("*")) return <span className="text-gray-60">{text}</span>;
  if (field === "mobile" || field === "phone")
    return (
      <a href={telephoneHref(dialableNumber(text))} className={`${LINK} whitespace-nowrap`}>
        {text}
      </a>
    );
  if (field === "email")
    return (
      <a href={`mailto:${text}`} className={LINK}>
        {text}
      </a>
    );
  return <>{text}</>;
}
