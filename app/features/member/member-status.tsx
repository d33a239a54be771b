import { Badge, type BadgeTone } from "#app/ui/inline.tsx";
import { MEMBER_STATUS_NAMES, type MemberStatus } from "#worker/contract/account/rules.ts";
import type { MemberListRow } from "#worker/contract/member/list.ts";

const TONES: Record<MemberStatus, BadgeTone> = {
  active: "success",
  waiting: "warning",
  refused: "gray",
  blocked: "danger",
  retired: "gray",
};

export function MemberStatusBadge({ status }: { status: MemberStatus }) {
  return <Badge tone={TONES[status]}>{MEMBER_STATUS_NAMES[status]}</Badge>;
}

export const memberKey = (row: Pick<MemberListRow, "keys">, type: "Id" | "Email" | "Mobile"): string =>
  row.keys.find(({ userKeyType }) => userKeyType === type)?.userKeyCode ?? "";
