import ChevronDown from "lucide-react/icons/chevron-down";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { ArticleBody } from "#app/ui/article.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { FieldError } from "#app/ui/field.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import { useTexts } from "#app/lib/page-language.ts";

interface AgreementText {
  code: string;
  title: string;
  required: boolean;
  content: string;
  note?: string | undefined;
}

interface AgreementChoicesProps {
  agreements: AgreementText[];
  agreed: readonly string[];
  onChange: (agreed: string[]) => void;
  /** Error messages by control id `agreements.{code}`. */
  errors: Record<string, string>;
  withAll?: boolean;
}

export function AgreementChoices({ agreements, agreed, onChange, errors, withAll = true }: AgreementChoicesProps) {
  const texts = useAccountTexts().agreements;
  const all = agreements.every(({ code }) => agreed.includes(code));
  return (
    <div>
      {withAll && (
        <Checkbox
          name="agreeAll"
          label={<strong className="font-bold">{texts.all}</strong>}
          checked={all}
          onChange={(event) => onChange(event.target.checked ? agreements.map(({ code }) => code) : [])}
          className="w-full rounded-lg bg-primary-5 px-4"
        />
      )}
      <ul className="mt-2 divide-y divide-gray-20">
        {agreements.map((agreement) => (
          <li key={agreement.code} className="py-2 md:px-4">
            <AgreementChoice
              agreement={agreement}
              checked={agreed.includes(agreement.code)}
              onChange={(checked) =>
                onChange(
                  agreements
                    .map(({ code }) => code)
                    .filter((code) => (code === agreement.code ? checked : agreed.includes(code))),
                )
              }
              error={errors[`agreements.${agreement.code}`]}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface AgreementChoiceProps {
  agreement: AgreementText;
  checked: boolean;
  onChange: (checked: boolean) => void;
  error: string | undefined;
}

function AgreementChoice({
  agreement: { code, title, required, content, note },
  checked,
  onChange,
  error,
}: AgreementChoiceProps) {
  const id = `agreements.${code}`;
  const texts = useAccountTexts().agreements;
  const { langOf } = useTexts();
  return (
    <>
      <Checkbox
        id={id}
        name={id}
        label={
          <>
            <span className={required ? "font-semibold text-primary-60" : "text-gray-60"}>
              {required ? texts.required : texts.optional}
            </span>{" "}
            <UserText>{title}</UserText>
          </>
        }
        checked={checked}
        required={required}
        aria-invalid={error ? true : undefined}
        aria-describedby={[error && `${id}-error`, note && `${id}-note`].filter(Boolean).join(" ") || undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {note && (
        <p id={`${id}-note`} className="pl-8 text-sm text-gray-70">
          {note}
        </p>
      )}
      <details className="group">
        <summary className="inline-flex min-h-11 items-center gap-1 rounded-md pl-8 text-sm text-gray-60 hover:text-primary-60">
          <span className="sr-only">
            <UserText>{title}</UserText>{" "}
          </span>
          {texts.read}
          <ChevronDown aria-hidden="true" className="size-4 transition-transform group-open:rotate-180" />
        </summary>
        <div
          role="region"
          aria-label={texts.regionOf(title)}
          lang={langOf(content)}
          tabIndex={0}
          className="mt-1 mb-3 max-h-72 overflow-y-auto border-y border-gray-20 text-sm md:rounded-md md:border-x md:bg-gray-5 md:px-4 [&_.article]:py-4 max-md:[&_.table-frame]:overflow-visible max-md:[&_:is(table,tbody,tr,td)]:block max-md:[&_:is(table,td)]:border-0 max-md:[&_td]:px-0 max-md:[&_td]:py-0.5 max-md:[&_tr]:border-b max-md:[&_tr]:border-gray-20 max-md:[&_tr]:py-2 max-md:[&_thead]:hidden"
        >
          <ArticleBody html={content} />
        </div>
      </details>
    </>
  );
}
