import { formatCount } from "#app/lib/format.ts";
import { MAILING_CAUSE_NAMES, type MailingCause } from "#worker/contract/mailing/rules.ts";

/** How many are not written to, and why. */
export function LeftOutList({ leftOut }: { leftOut: readonly { cause: MailingCause; count: number }[] }) {
  const left = leftOut.reduce((sum, each) => sum + each.count, 0);
  if (left === 0) return null;
  return (
    <>
      <p className="mt-1">{formatCount(left)}명에게는 보내지 않습니다.</p>
      <ul className="mt-1 list-disc pl-5">
        {leftOut.map((each) => (
          <li key={each.cause}>
            {each.cause && MAILING_CAUSE_NAMES[each.cause]} {formatCount(each.count)}명
          </li>
        ))}
      </ul>
    </>
  );
}
