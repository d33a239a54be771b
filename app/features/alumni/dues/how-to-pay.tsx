import { useToastedAction } from "#app/features/form/use-toasted-action.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { Button } from "#app/ui/button.tsx";
import { LabeledValue } from "#app/ui/labeled-value.tsx";
import { formatWon } from "#worker/contract/alumni/dues/dues.ts";
import type { OwnDues } from "#worker/domain/alumni/dues/person.server.ts";

interface HowToPayProps {
  /** Of one payer's name. */
  dues: readonly { open: number; payName: string }[];
  pay: NonNullable<OwnDues["pay"]>;
}

/** The account, the sum, and the name to write. */
export function HowToPay({ dues, pay }: HowToPayProps) {
  const { run } = useToastedAction();
  const office = useSiteFrame()?.site.contact.phone;
  const total = dues.reduce((sum, each) => sum + each.open, 0);
  return (
    <div className="mt-4 rounded-xl bg-primary-5 p-5">
      <dl className="grid gap-3 md:grid-cols-2">
        {pay.account && <LabeledValue name="계좌">{pay.account}</LabeledValue>}
        {pay.holder && <LabeledValue name="예금주">{pay.holder}</LabeledValue>}
        <LabeledValue name="합계">{formatWon(total)}</LabeledValue>
        <LabeledValue name="입금자명">
          <strong>{dues[0]?.payName}</strong>
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
