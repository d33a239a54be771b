import { Field, Input, Textarea } from "#app/ui/field.tsx";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

export const ReasonField = ({ error, placeholder }: { error?: string | undefined; placeholder: string }) => (
  <Field label="사유" required error={error}>
    <Input name="reason" maxLength={SIZE_LIMITS.reasonLength} placeholder={placeholder} />
  </Field>
);

export const LongReasonField = ({ hint, error }: { hint: string; error: string | undefined }) => (
  <Field label="사유" hint={hint} required error={error}>
    <Textarea name="reason" rows={2} maxLength={SIZE_LIMITS.reasonLength} />
  </Field>
);
