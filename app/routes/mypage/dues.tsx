import { useToastedAction } from "#app/features/form/use-toasted-action.ts";
import { formatDate } from "#app/lib/format.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { LabeledValue } from "#app/ui/labeled-value.tsx";
import { DUE_STATE_LABELS, formatWon } from "#worker/contract/alumni/dues/dues.ts";
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
            <HowToPay dues={open} pay={pay} />
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

function HowToPay({ dues, pay }: { dues: readonly Due[]; pay: NonNullable<OwnDues["pay"]> }) {
  const { run } = useToastedAction();
  const office = useSiteFrame()?.site.contact.phone;
  const names = [...new Set(dues.map(({ payName }) => payName))];
  const total = dues.reduce((sum, each) => sum + each.open, 0);
  return (
    <div className="mt-4 rounded-xl bg-primary-5 p-5">
      <dl className="grid gap-3 md:grid-cols-2">
        {pay.account && <LabeledValue name="계좌">{pay.account}</LabeledValue>}
        {pay.holder && <LabeledValue name="예금주">{pay.holder}</LabeledValue>}
        <LabeledValue name="합계">{formatWon(total)}</LabeledValue>
        <LabeledValue name="입금자명">
          <strong>{names.join(", ")}</strong>
        </LabeledValue>
      </dl>
      <p className="mt-3 text-sm text-gray-70">
        입금하실 때 ‘받는 분 통장 표시’에 위 입금자명을 적어 주십시오. {pay.guide}
      </p>
      {!pay.account && !pay.link && (
        <p className="mt-3 text-sm text-gray-70">
          {office
            ? `입금하실 계좌는 운영사무국(${office})에 문의해 주십시오.`
            : "입금하실 계좌는 운영사무국에 문의해 주십시오."}
        </p>
      )}
      <p className="mt-3 flex flex-wrap gap-2">
        {pay.account && (
          <Button
            size="sm"
            className="needs-script"
            onClick={() => void run(() => navigator.clipboard.writeText(pay.account), "계좌번호를 복사하였습니다.")}
          >
            계좌 복사
          </Button>
        )}
        {pay.link && (
          <a
            href={pay.link}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center underline underline-offset-4 hover:text-primary-60"
          >
            결제 페이지 열기
          </a>
        )}
      </p>
    </div>
  );
}
