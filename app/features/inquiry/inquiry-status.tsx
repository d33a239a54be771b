import { Badge, type BadgeTone } from "#app/ui/badge.tsx";
import { INQUIRY_STATUS_NAMES, type InquiryStatus } from "#worker/contract/inquiry/inquiry.ts";

const TONES: Record<InquiryStatus, BadgeTone> = { waiting: "primary", answered: "success", closed: "gray" };

export function InquiryStatusBadge({ status }: { status: InquiryStatus }) {
  return <Badge tone={TONES[status]}>{INQUIRY_STATUS_NAMES[status]}</Badge>;
}
