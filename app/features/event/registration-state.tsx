import { formatCount } from "#app/lib/format.ts";
import { momentText } from "#app/lib/texts/korean-events.ts";
import { Badge, StateBadge } from "#app/ui/inline.tsx";
import { EVENT_DESK, REGISTRATION_MESSAGES, REGISTRATION_PHASES } from "#worker/contract/event/event.ts";
import type { OwnRegistration, RegistrationSummary } from "#worker/contract/event/view.ts";

const TONES = { before: "gray", open: "success", closed: "gray" } as const;

export const PhaseBadge = ({ phase }: Pick<RegistrationSummary, "phase">) => (
  <Badge tone={TONES[phase]}>{REGISTRATION_PHASES[phase]}</Badge>
);

/** The phase of registration with its times and free places. */
export function RegistrationState({ registration }: { registration: RegistrationSummary }) {
  const { phase, openDate, closeDate } = registration;
  if (phase === "closed") return <PhaseBadge phase={phase} />;
  return (
    <>
      <p className="registration-state">
        <PhaseBadge phase={phase} />
        <strong>{placesText(registration)}</strong>
      </p>
      <p>
        {phase === "before" && (
          <>
            <time dateTime={openDate}>{momentText(openDate)}</time>부터{" "}
          </>
        )}
        <time dateTime={closeDate}>{momentText(closeDate)}</time>까지
      </p>
    </>
  );
}

function placesText({ isFull, places, free, waiting }: RegistrationSummary): string {
  const queue = waiting ? ` 대기 ${formatCount(waiting)}명` : "";
  if (isFull) return REGISTRATION_MESSAGES.full + queue;
  return free === null || places === null ? "" : `남은 자리 ${formatCount(free)}/${formatCount(places)}`;
}

type OwnState = Pick<OwnRegistration, "status" | "queue">;

/** With the place in the queue. */
export const RegistrationBadge = ({ status, queue }: OwnState) => (
  <span className="inline-flex items-center gap-2">
    <StateBadge desk={EVENT_DESK} state={status} />
    {queue !== null && <span className="tabular text-sm">{formatCount(queue)}번째</span>}
  </span>
);
