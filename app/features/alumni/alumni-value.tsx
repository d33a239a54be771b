import { telephoneHref } from "#app/lib/format.ts";
import { dialableNumber } from "#worker/contract/alumni/columns.ts";
import {
  bookText,
  type AlumniFieldCode,
  isOwnFieldCode,
  type OwnField,
  ownFileUrl,
} from "#worker/contract/alumni/own-fields.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";

const LINK = "text-primary-70 underline-offset-4 hover:underline";

interface AlumniValueProps {
  person: AlumniRow;
  field: AlumniFieldCode;
  own: readonly OwnField[];
}

/** Phone numbers and e-mail addresses are links unless they are masked. */
export function AlumniValue({ person, field, own }: AlumniValueProps) {
  const text = bookText(person, field);
  const kind = own.find(({ code }) => code === field)?.kind ?? field;
  if (text === "") return <span className="text-gray-50">-</span>;
  if (field === "cohort") return <>{text}기</>;
  if (text.includes("*")) return <span className="text-gray-60">{text}</span>;
  if (kind === "mobile" || kind === "phone")
    return (
      <a href={telephoneHref(dialableNumber(text))} className={`${LINK} whitespace-nowrap`}>
        {text}
      </a>
    );
  if (kind === "email")
    return (
      <a href={`mailto:${text}`} className={LINK}>
        {text}
      </a>
    );
  if (kind === "file" && isOwnFieldCode(field))
    return (
      <a href={ownFileUrl(person.id, field)} className={LINK}>
        {text}
      </a>
    );
  if (kind === "number") return <>{Number(text).toLocaleString("ko-KR", { maximumFractionDigits: 6 })}</>;
  return <>{text}</>;
}
