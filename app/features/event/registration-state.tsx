import { formatCount } from "#app/lib/format.ts";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_REGISTRATION_TEXTS, type RegistrationTexts } from "#app/lib/texts/korean-registration.ts";
import { Badge, StateBadge } from "#app/ui/inline.tsx";
import { EVENT_DESK } from "#worker/contract/event/event.ts";
import type { OwnRegistration, RegistrationSummary } from "#worker/contract/event/view.ts";

const TONES = { before: "gray", open: "success", closed: "gray" } as const;

export const useRegistrationTexts = () => useSection("registration", KOREAN_REGISTRATION_TEXTS);

export const PhaseBadge = ({ phase }: Pick<RegistrationSummary, "phase">) => (
  <Badge tone={TONES[phase]}>{useRegistrationTexts().phases[phase]}</Badge>
);

/** The phase of registration with its times and free places. */
export function RegistrationState({ registration }: { registration: RegistrationSummary }) {
  const texts = useRegistrationTexts();
  const { phase, openDate, closeDate } = registration;
  if (phase === "closed") return <PhaseBadge phase={phase} />;
  const { from, until, moment } = texts;
  return (
    <>
      <p className="registration-state">
        <PhaseBadge phase={phase} />
        <strong>{placesText(texts, registration)}</strong>
      </p>
      <p>
        {phase === "before" && (
          <span>
            <span>{from.before}</span>
            <time dateTime={openDate}>{moment(openDate)}</time>
            <span>{from.after}</span>
          </span>
        )}
        <span>{until.before}</span>
        <time dateTime={closeDate}>{moment(closeDate)}</time>
        <span>{until.after}</span>
      </p>
    </>
  );
}

function placesText(texts: RegistrationTexts, { isFull, places, free, waiting }: RegistrationSummary): string {
  if (isFull) return [texts.full, waiting && texts.waiting(formatCount(waiting))].filter(Boolean).join(" ");
  return free === null || places === null ? "" : texts.free(formatCount(free), formatCount(places));
}

type OwnState = Pick<OwnRegistration, "status" | "queue">;

/** With the place in the queue. */
export function RegistrationBadge({ status, queue }: OwnState) {
  const { states, queue: queueText } = useRegistrationTexts();
  return (
    <span className="inline-flex items-center gap-2">
      <StateBadge desk={{ states, tones: EVENT_DESK.tones }} state={status} />
      {queue !== null && <span className="tabular text-sm">{queueText(formatCount(queue))}</span>}
    </span>
  );
}
