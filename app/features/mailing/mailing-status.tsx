import { alumniEntryPath } from "#app/features/alumni/list-choice.ts";
import { Badge, type BadgeTone, TextLink } from "#app/ui/inline.tsx";
import {
  MAILING_CAUSE_NAMES,
  type MailingCause,
  type MailingRecipientRow,
  type MailingSource,
  type MailingStatus,
  RECIPIENT_STATE_NAMES,
  type RecipientState,
} from "#worker/contract/mailing/mailing.ts";

const STATUS: Record<MailingStatus, { label: string; tone: BadgeTone }> = {
  draft: { label: "쓰는 중", tone: "gray" },
  sending: { label: "보내는 중", tone: "primary" },
  done: { label: "보냄", tone: "success" },
  cancelled: { label: "취소", tone: "warning" },
};

export function MailingStatusBadge({ status, isScheduled }: { status: MailingStatus; isScheduled: boolean }) {
  return <Badge tone={STATUS[status].tone}>{isScheduled ? "예약" : STATUS[status].label}</Badge>;
}

const STATE_TONES: Record<RecipientState, BadgeTone> = {
  waiting: "gray",
  queued: "primary",
  sent: "success",
  delivered: "success",
  bounced: "danger",
  complained: "danger",
  failed: "danger",
  unknown: "warning",
  left: "warning",
};

type Recipient = Pick<MailingRecipientRow, "personId" | "name" | "address" | "canMend">;

export function RecipientAddress({ person, source }: { person: Recipient; source: MailingSource }) {
  const { personId: id, name, address, canMend } = person;
  const form = source === "alumni" ? alumniEntryPath({ id, name }, "email") : `/Admin/Members/${id}?edit=email`;
  return (
    <>
      {address || "-"}
      {canMend && (
        <TextLink to={form} className="ml-2 whitespace-nowrap">
          주소 고치기<span className="sr-only">: {name}</span>
        </TextLink>
      )}
    </>
  );
}

export function RecipientStateBadge({ state, cause }: { state: RecipientState; cause: MailingCause }) {
  return (
    <>
      <Badge tone={STATE_TONES[state]}>{RECIPIENT_STATE_NAMES[state]}</Badge>
      {cause !== "" && <span className="ml-2 text-sm text-gray-60">{MAILING_CAUSE_NAMES[cause]}</span>}
    </>
  );
}
