import { useToastedAction } from "#app/features/form/use-toasted-action.ts";
import { useSection, useSiteFrame, useTexts } from "#app/lib/page-language.ts";
import { KOREAN_REGISTER_TEXTS } from "#app/lib/texts/korean-register.ts";
import { Button } from "#app/ui/button.tsx";
import { LabeledValue } from "#app/ui/labeled-value.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import type { OwnDues } from "#worker/domain/alumni/dues/person.server.ts";

interface HowToPayProps {
  /** Of one payer's name. */
  dues: readonly { open: number; payName: string }[];
  pay: NonNullable<OwnDues["pay"]>;
}

/** The account, the sum, and the name to write. */
export function HowToPay({ dues, pay }: HowToPayProps) {
  const { run } = useToastedAction();
  const { won, pay: texts } = useSection("register", KOREAN_REGISTER_TEXTS);
  const { phone } = useTexts();
  const office = useSiteFrame()?.site.contact.phone;
  const total = dues.reduce((sum, each) => sum + each.open, 0);
  return (
    <div className="mt-4 rounded-xl bg-primary-5 p-5">
      <dl className="grid gap-3 md:grid-cols-2">
        {pay.account && <LabeledValue name={texts.account}>{pay.account}</LabeledValue>}
        {pay.holder && <LabeledValue name={texts.holder}>{pay.holder}</LabeledValue>}
        <LabeledValue name={texts.total}>{won(total)}</LabeledValue>
        <LabeledValue name={texts.payName}>
          <strong>{dues[0]?.payName}</strong>
        </LabeledValue>
      </dl>
      <p className="mt-3 text-sm text-gray-70">
        {texts.how} <UserText>{pay.guide}</UserText>
      </p>
      {!pay.account && !pay.link && (
        <p className="mt-3 text-sm text-gray-70">{texts.ask(office ? phone(office) : "")}</p>
      )}
      <p className="mt-3 flex flex-wrap gap-2">
        {pay.account && (
          <Button
            size="sm"
            className="needs-script"
            onClick={() => void run(() => navigator.clipboard.writeText(pay.account), texts.copied)}
          >
            {texts.copy}
          </Button>
        )}
        {pay.link && (
          <a
            href={pay.link}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center underline underline-offset-4 hover:text-primary-60"
          >
            {texts.open}
          </a>
        )}
      </p>
    </div>
  );
}
