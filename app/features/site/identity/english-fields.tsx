import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { ENGLISH_SITE_NAMES, type IdentityFieldsProps } from "#app/features/site/identity/identity-fields.ts";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import type { EnglishSite } from "#worker/contract/kernel/identity-setting.ts";
import { ENGLISH_SITE_LIMITS } from "#worker/contract/site/rules.ts";

const NAMES = Object.keys(ENGLISH_SITE_NAMES) as (keyof EnglishSite)[];

/** English pages exist only if the site has an English name. */
export function EnglishFields({ value, errors, onChange }: IdentityFieldsProps) {
  return (
    <ConsoleSection title="영문 페이지">
      <p className="mb-4 max-w-2xl text-gray-60">
        영문 사이트 이름을 적으면 /en 아래에 영문 페이지가 열리고 모든 페이지의 위에 EN 링크가 나옵니다. 글은 각
        페이지와 기관, 메뉴를 고치는 화면에 영문 칸이 있습니다. 전화와 이메일은 사이트 정보의 것을 함께 씁니다.
      </p>
      <div className="grid max-w-2xl gap-4">
        {NAMES.map((name) => (
          <Field key={name} label={ENGLISH_SITE_NAMES[name]} error={errors[`english.${name}`]}>
            <Input
              value={value.english[name]}
              lang="en"
              maxLength={ENGLISH_SITE_LIMITS[name]}
              autoComplete="off"
              onChange={(event) => onChange({ ...value, english: { ...value.english, [name]: event.target.value } })}
            />
          </Field>
        ))}
      </div>
    </ConsoleSection>
  );
}
