import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { REQUEST_STATUS_NAMES, type PrivacyRequestStatus } from "#worker/contract/privacy/privacy.ts";

const TONES: Record<PrivacyRequestStatus, BadgeTone> = {
  received: "warning",
  processing: "primary",
  done: "success",
  refused: "gray",
};

export function RequestStatusBadge({ status, overdue = false }: { status: PrivacyRequestStatus; overdue?: boolean }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge tone={TONES[status]}>{REQUEST_STATUS_NAMES[status]}</Badge>
      {overdue && <Badge tone="danger">기한 지남</Badge>}
    </span>
  );
}
