import { formatCount } from "#app/lib/format.ts";
import { MAILING_CAUSE_NAMES, type MailingCause, UNREACHABLE_CAUSES } from "#worker/contract/mailing/mailing.ts";

interface LeftOutListProps {
  leftOut: readonly { cause: MailingCause; count: number }[];
  /** A sample of people who cannot be reached at all. */
  names?: readonly string[];
}

export function LeftOutList({ leftOut, names = [] }: LeftOutListProps) {
  const left = leftOut.reduce((sum, each) => sum + each.count, 0);
  if (left === 0) return null;
  return (
    <>
      <p className="mt-1">{formatCount(left)}명에게는 보내지 않습니다.</p>
      <ul className="mt-1 list-disc pl-5">
        {leftOut.map(({ cause, count }) => (
          <li key={cause}>
            {cause && MAILING_CAUSE_NAMES[cause]} {formatCount(count)}명
            {UNREACHABLE_CAUSES.includes(cause) && names.length > 0 && (
              <span className="block text-sm">
                {names.join(", ")}
                {count > names.length && ` 외 ${formatCount(count - names.length)}명`}
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
