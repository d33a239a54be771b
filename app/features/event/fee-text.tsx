import { useSection, useTexts } from "#app/lib/page-language.ts";
import { KOREAN_REGISTER_TEXTS } from "#app/lib/texts/korean-register.ts";
import { Badge } from "#app/ui/inline.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import type { RegistrationFee } from "#worker/contract/event/view.ts";

const TONES = { unpaid: "danger", partial: "warning", paid: "success", exempt: "gray" } as const;

/** The fee of a registration, with what is paid of it. */
export function FeeText({ fee: { name, amount, paid, state, dueDay } }: { fee: RegistrationFee }) {
  const { won, feeStates, received, until } = useSection("register", KOREAN_REGISTER_TEXTS);
  const { date } = useTexts().date;
  return (
    <span className="tabular inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <span>
        <UserText>{name}</UserText> {won(amount)}
      </span>
      {state && <Badge tone={TONES[state]}>{feeStates[state]}</Badge>}
      {state === "partial" && <span className="text-sm">{received(won(paid))}</span>}
      {(state === "unpaid" || state === "partial") && dueDay && (
        <span className="text-sm text-gray-60">
          {until.before}
          {date(dueDay)}
          {until.after}
        </span>
      )}
    </span>
  );
}
