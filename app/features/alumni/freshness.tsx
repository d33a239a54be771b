import CircleCheck from "lucide-react/icons/circle-check";
import { formatDate } from "#app/lib/format.ts";
import { Time } from "#app/ui/time.tsx";
import { CONFIRMATION_KIND_NAMES, CONFIRMED_FIELDS } from "#worker/contract/alumni/confirmation-rules.ts";
import { type AlumniFieldCode, bookText } from "#worker/contract/alumni/own-fields.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";

/** Renders nothing if the person never confirmed or the viewer may not know. */
export function ConfirmedMark({ person: { confirmation } }: { person: AlumniRow }) {
  if (!confirmation) return null;
  const isWhole = confirmation.changedSince.length === 0;
  const text = `${formatDate(confirmation.date)} 본인 확인${isWhole ? "" : ", 그 뒤에 바뀐 항목 있음"}`;
  return (
    <span role="img" aria-label={text} title={text} className={isWhole ? "text-success-60" : "text-gray-50"}>
      <CircleCheck aria-hidden="true" className="size-4" />
    </span>
  );
}

export function PersonFreshness({ person: { confirmation } }: { person: AlumniRow }) {
  if (!confirmation) return <>확인한 적 없음</>;
  return (
    <>
      <Time date={confirmation.date} /> {CONFIRMATION_KIND_NAMES[confirmation.kind]}
    </>
  );
}

/** Marks a value that someone else changed after the person confirmed it. */
export function FieldFreshness({ person, field }: { person: AlumniRow; field: AlumniFieldCode }) {
  const { confirmation } = person;
  const confirmed = CONFIRMED_FIELDS.find((each) => each === field);
  if (!confirmation || !confirmed || bookText(person, field) === "") return null;
  if (confirmation.changedSince.includes(confirmed))
    return <span className="ml-2 text-sm text-warning-60">본인 확인 뒤에 바뀜</span>;
  return (
    <span
      role="img"
      aria-label="본인이 확인함"
      title={`${formatDate(confirmation.date)} 본인이 확인함`}
      className="ml-1.5 inline-block align-[-0.15em] text-success-60"
    >
      <CircleCheck aria-hidden="true" className="size-4" />
    </span>
  );
}
