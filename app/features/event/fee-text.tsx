import { formatDate } from "#app/lib/format.ts";
import { Badge } from "#app/ui/inline.tsx";
import { DUE_STATE_LABELS, formatWon } from "#worker/contract/alumni/dues/dues.ts";
import type { RegistrationFee } from "#worker/contract/event/view.ts";

const TONES = { unpaid: "danger", partial: "warning", paid: "success", exempt: "gray" } as const;

export const wonText = (amount: number) => (amount === 0 ? "무료" : formatWon(amount));

/** The fee of a registration, with what is paid of it. */
export const FeeText = ({ fee: { name, amount, paid, state, dueDay } }: { fee: RegistrationFee }) => (
  <span className="tabular inline-flex flex-wrap items-center gap-x-2 gap-y-1">
    <span>
      {name} {wonText(amount)}
    </span>
    {state && <Badge tone={TONES[state]}>{DUE_STATE_LABELS[state]}</Badge>}
    {state === "partial" && <span className="text-sm">{formatWon(paid)} 받음</span>}
    {(state === "unpaid" || state === "partial") && dueDay && (
      <span className="text-sm text-gray-60">{formatDate(dueDay)}까지</span>
    )}
  </span>
);
