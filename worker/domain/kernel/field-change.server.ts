import { AppError } from "#worker/contract/kernel/errors.ts";
import type { FieldChange } from "#worker/contract/kernel/setting/field-changes.ts";
import { CHANGE_REASON } from "#worker/contract/kernel/second-factor.ts";
import type { AppContext } from "./context.ts";
import { authorize } from "./authorize.server.ts";
import { requireRecentSecondFactor } from "./recent-proof.server.ts";

/** Checks the right to each new value. @throws AppError FORBIDDEN that names the field and its right */
export function authorizeFields(ctx: Pick<AppContext, "actor">, changes: readonly FieldChange[]): void {
  for (const { field, after } of changes) authorize(ctx, { action: "Field.Change", field, value: after });
}

/**
 * Requires what the fields ask for. @throws AppError FORBIDDEN with the reason for another second factor, INVALID_INPUT
 * without a reason
 */
export function requireFieldProof(
  ctx: Pick<AppContext, "actor" | "now">,
  changes: readonly FieldChange[],
  reason: string | undefined,
): void {
  const asking = changes.filter(({ field }) => field.asks);
  if (asking.length === 0) return;
  requireRecentSecondFactor(ctx);
  if (reason) return;
  const labels = asking.map(({ field }) => field.label).join(", ");
  throw new AppError("INVALID_INPUT", {
    message: `${labels}: 바꾸는 사유를 입력해 주십시오.`,
    fields: { reason: "사유를 입력해 주십시오." },
    data: { reason: CHANGE_REASON, labels },
  });
}
