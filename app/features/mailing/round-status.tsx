import { Badge, type BadgeTone } from "#app/ui/inline.tsx";
import {
  ROUND_OUTCOME_NAMES,
  ROUND_STATUS_NAMES,
  type RoundOutcome,
  type RoundStatus,
} from "#worker/contract/mailing/round.ts";

const STATUS_TONES: Record<RoundStatus, BadgeTone> = { draft: "gray", open: "primary", closed: "success" };

export function RoundStatusBadge({ status }: { status: RoundStatus }) {
  return <Badge tone={STATUS_TONES[status]}>{ROUND_STATUS_NAMES[status]}</Badge>;
}

const OUTCOME_TONES: Record<RoundOutcome, BadgeTone> = {
  confirmed: "success",
  changed: "success",
  waiting: "gray",
  bounced: "danger",
  unreached: "danger",
  excluded: "warning",
};

export function RoundOutcomeBadge({ outcome }: { outcome: RoundOutcome }) {
  return <Badge tone={OUTCOME_TONES[outcome]}>{ROUND_OUTCOME_NAMES[outcome]}</Badge>;
}
