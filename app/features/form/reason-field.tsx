import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

/** Why it is done, in a line: it goes into the record of what was done. */
export const ReasonField = ({ error, placeholder }: { error?: string | undefined; placeholder: string }) => (
  <Field label="사유" required error={error}>
    <Input name="reason" maxLength={SIZE_LIMITS.reasonLength} placeholder={placeholder} />
  </Field>
);
