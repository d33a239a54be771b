import { HowToPay } from "#app/features/alumni/dues/how-to-pay.tsx";
import { formatDate } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge } from "#app/ui/inline.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { DUE_STATE_LABELS, formatWon } from "#worker/contract/alumni/dues/dues.ts";
import { groupedBy } from "#worker/contract/kernel/grouped-by.ts";
import { listOwnDues, type OwnDues } from "#worker/domain/alumni/dues/person.server.ts";
import type { Route } from "./+types/dues";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => listOwnDues(await scope.context()));

type Due = OwnDues["dues"][number];

export default function MypageDues({ loaderData: { dues, pay } }: Route.ComponentProps) {
  const open = dues.filter((each) => each.open > 0);
  const settled = dues.filter((each) => each.open === 0);
  if (pay === null) return <Empty className="border-y border-gray-20">청구된 회비가 없습니다.</Empty>;
  return (
    <div className="space-y-12">
      <section aria-labelledby="open-dues">
        <h2 id="open-dues" className="border-b-2 border-primary-80 pb-2 text-lg">
          납부할 회비
        </h2>
        {open.length === 0 ? (
          <p className="border-b border-gray-20 px-1 py-5 text-gray-60">납부할 회비가 없습니다.</p>
        ) : (
          <>
            <DueRows dues={open} />
            {[...groupedBy(open, ({ payName }) => payName)].map(([payName, those]) => (
              <HowToPay key={payName} dues={those} pay={pay} />
            ))}
          </>
        )}
      </section>
      {settled.length > 0 && (
        <section aria-labelledby="settled-dues">
          <h2 id="settled-dues" className="border-b-2 border-primary-80 pb-2 text-lg">
            납부·면제 내역
          </h2>
          <DueRows dues={settled} />
        </section>
      )}
    </div>
  );
}

function DueRows({ dues }: { dues: readonly Due[] }) {
  return (
    <ul className="tabular divide-y divide-gray-20 border-b border-gray-20">
      {dues.map((each) => (
        <li key={each.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 px-1 py-3">
          <span>
            {each.period} {each.kindName} <Badge>{DUE_STATE_LABELS[each.state]}</Badge>
            {each.open > 0 && each.dueDay !== "" && (
              <span className="block text-sm text-gray-60">{formatDate(each.dueDay)}까지</span>
            )}
          </span>
          <span className="text-right">
            <strong>{formatWon(each.open || each.amount)}</strong>
            {each.payments.map(({ day, amount }, at) => (
              <span key={`${day} ${at}`} className="block text-sm text-gray-60">
                {formatDate(day)} {formatWon(amount)} 납부
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
