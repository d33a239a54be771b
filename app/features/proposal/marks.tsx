import { Badge, StateBadge, Time } from "#app/ui/inline.tsx";
import { startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import {
  CALL_KINDS,
  CALL_PHASES,
  type CallPhase,
  PROPOSAL_DESK,
  type ProposalStatus,
} from "#worker/contract/proposal/proposal.ts";
import type { OpenCall } from "#worker/contract/proposal/view.ts";

export const ProposalBadge = ({ status }: { status: ProposalStatus }) => (
  <StateBadge desk={PROPOSAL_DESK} state={status} />
);

/** States that came with a reason of the office or the decider. */
export const hasReason = (status: ProposalStatus): boolean =>
  ["returned", "second", "approved", "refused"].includes(status);

const PHASE_TONES = { before: "gray", open: "success", closed: "gray" } as const;

export const CallPhaseBadge = ({ phase }: { phase: CallPhase }) => (
  <Badge tone={PHASE_TONES[phase]}>{CALL_PHASES[phase]}</Badge>
);

/** When a call takes proposals. */
export const CallTimes = ({ kind, openDate, closeDate }: Pick<OpenCall, "kind" | "openDate" | "closeDate">) => (
  <span className="tabular">
    <Time date={openDate} format="datetime" />
    <span> ~ </span>
    {closeDate ? <Time date={closeDate} format="datetime" /> : <span>{CALL_KINDS[kind]}</span>}
  </span>
);

/** A Korean day by which somebody acts. */
export const DueDay = ({ day, isOverdue = false }: { day: string; isOverdue?: boolean }) =>
  day && (
    <span className="inline-flex flex-wrap items-center gap-2 whitespace-nowrap">
      <Time date={startOfKoreanDay(day).toISOString()} />
      {isOverdue && <Badge tone="danger">기한 지남</Badge>}
    </span>
  );
