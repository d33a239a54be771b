import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { hyphenatePhone } from "#app/features/account/hyphenate-phone.ts";
import { formText } from "#app/features/form/form-values.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { SubmitButton, ValidatedForm } from "#app/features/form/validated-form.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { ALUMNI_COLUMN_LABELS, ALUMNI_MAX_LENGTHS } from "#worker/contract/alumni/columns.ts";
import { CORRECTED_FIELDS, type CorrectedField } from "#worker/contract/alumni/confirmation-rules.ts";
import { CONFIRMATION_DONE_PATH } from "#worker/contract/mailing/round-rules.ts";
import type { OpenEntry } from "#worker/contract/mailing/round-view.ts";

const AUTOCOMPLETE: Partial<Record<CorrectedField, string>> = {
  mobile: "tel",
  affiliation: "organization",
  position: "organization-title",
  zipCode: "postal-code",
  address: "street-address",
};
const isNumber = (field: CorrectedField) => field === "mobile" || field === "phone";

export function EntryForm({ token, entry }: { token: string; entry: OpenEntry }) {
  const formElement = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const navigate = useNavigate();
  const { busy, run, fields, general } = useAction({ reloads: "never" });
  useEffect(() => heading.current?.focus(), []);
  const shown = CORRECTED_FIELDS.filter((field) => entry.values[field] !== undefined);
  const submit = async () => {
    const form = new FormData(formElement.current ?? undefined);
    const values = Object.fromEntries(shown.map((field) => [field, formText(form, field)]));
    const json = { ...values, version: entry.version, ...(entry.proof ? { proof: entry.proof } : {}) };
    const work = () => callApi(api.confirmation[":token"].correct.$post({ param: { token }, json }));
    if (await run(work, null)) await navigate(CONFIRMATION_DONE_PATH);
  };
  return (
    <ValidatedForm ref={formElement} onSubmit={() => void submit()} label="내 정보">
      <h2 ref={heading} tabIndex={-1} className="mb-2 text-lg outline-none">
        내 정보 고치기
      </h2>
      <p className="mb-5 text-gray-60">이름, 기수와 이메일은 사무국에 알려 주시면 고쳐 드립니다.</p>
      <div className="grid gap-5">
        {shown.map((field) => (
          <Field key={field} label={ALUMNI_COLUMN_LABELS[field]} error={fields[field]}>
            <Input
              name={field}
              type={isNumber(field) ? "tel" : "text"}
              autoComplete={AUTOCOMPLETE[field] ?? "off"}
              defaultValue={entry.values[field]}
              maxLength={ALUMNI_MAX_LENGTHS[field]}
              onInput={(event) => {
                if (field === "mobile") event.currentTarget.value = hyphenatePhone(event.currentTarget.value);
              }}
            />
          </Field>
        ))}
      </div>
      <ErrorAlert className="mt-5">{general}</ErrorAlert>
      <SubmitButton busy={busy} className="mt-6 w-full">
        저장하고 확인
      </SubmitButton>
    </ValidatedForm>
  );
}
