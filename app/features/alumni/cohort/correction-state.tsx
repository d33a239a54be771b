import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { CORRECTION_STATE_NAMES, type CorrectionState } from "#worker/contract/alumni/representative.ts";

const TONES: Record<CorrectionState, BadgeTone> = {
  waiting: "primary",
  accepted: "success",
  refused: "danger",
  withdrawn: "gray",
};

export function CorrectionStateBadge({ state }: { state: CorrectionState }) {
  return <Badge tone={TONES[state]}>{CORRECTION_STATE_NAMES[state]}</Badge>;
}
