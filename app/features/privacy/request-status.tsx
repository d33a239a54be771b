import { Badge, StateBadge } from "#app/ui/inline.tsx";
import { REQUEST_DESK, type PrivacyRequestStatus } from "#worker/contract/privacy/privacy.ts";

export function RequestStatusBadge({ status, overdue = false }: { status: PrivacyRequestStatus; overdue?: boolean }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      <StateBadge desk={REQUEST_DESK} state={status} />
      {overdue && <Badge tone="danger">기한 지남</Badge>}
    </span>
  );
}
