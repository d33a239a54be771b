import { Button } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { APPLICANT_FIELDS } from "#worker/contract/proposal/fields.ts";
import { PROPOSAL_LIMITS } from "#worker/contract/proposal/proposal.ts";
import type { Applicant } from "#worker/contract/proposal/view.ts";

const NAMES = ["name", "affiliation", "email"] as const;
const EMPTY: Applicant = { name: "", email: "", affiliation: "" };

interface ApplicantFieldsProps {
  value: readonly Applicant[];
  onChange: (value: Applicant[]) => void;
  errors: Record<string, string>;
}

/** People who propose together with the lead. */
export function ApplicantFields({ value, onChange, errors }: ApplicantFieldsProps) {
  const remove = (at: number) => {
    onChange(value.toSpliced(at, 1));
    document.getElementById("add-applicant")?.focus();
  };
  return (
    <div className="grid gap-4">
      <ErrorAlert>{errors.applicants}</ErrorAlert>
      {value.map((each, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row has no other name; its values are controlled
        <fieldset key={at} className="rounded-lg border border-gray-20 p-4">
          <legend className="px-1 font-semibold">공동연구자 {at + 1}</legend>
          <div className="grid items-start gap-4 md:grid-cols-3">
            {NAMES.map((name) => (
              <Field
                key={name}
                id={`applicants.${at}.${name}`}
                label={APPLICANT_FIELDS[name].label}
                error={errors[`applicants.${at}.${name}`]}
              >
                <Input
                  type={name === "email" ? "email" : "text"}
                  autoComplete="off"
                  maxLength={APPLICANT_FIELDS[name].max}
                  value={each[name]}
                  onChange={(event) => onChange(value.with(at, { ...each, [name]: event.target.value }))}
                />
              </Field>
            ))}
          </div>
          <div className="mt-3 flex justify-end">
            <Button size="sm" onClick={() => remove(at)}>
              빼기<span className="sr-only">: 공동연구자 {at + 1}</span>
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button
          id="add-applicant"
          size="sm"
          disabled={value.length >= PROPOSAL_LIMITS.applicants}
          onClick={() => onChange([...value, EMPTY])}
        >
          공동연구자 추가
        </Button>
      </div>
    </div>
  );
}
