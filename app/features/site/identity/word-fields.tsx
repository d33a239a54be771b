import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { RowControls } from "#app/features/form/row-fields.tsx";
import { CountedTextarea, Field, Input } from "#app/ui/field.tsx";
import { SYNONYM_TEXT_MAX } from "#worker/contract/kernel/setting/synonyms.ts";
import { PRODUCT_WORD_MAX, PRODUCT_WORD_NAMES, type ProductWord } from "#worker/contract/kernel/wording.ts";
import type { IdentityFieldsProps } from "#app/features/site/identity/identity-fields.ts";
import { IDENTITY_FIELDS } from "#worker/contract/kernel/setting/site-fields.ts";

const PRODUCT_WORD_HINTS: Record<ProductWord, string> = {
  연구망: "모임 전체를 부르는 말입니다. 예: 연구망, 학회, 동문회",
  동문: "주소록에 있는 사람입니다. 예: 동문, 졸업생, 회원",
  동문주소록: "주소록의 이름입니다. 예: 동문주소록, 졸업생 명부",
  권역센터: "지역마다 있는 곳을 모두 부르는 말입니다. 예: 권역센터, 지부",
  센터: "지역 한 곳을 부르는 말입니다. 예: 센터, 지부",
  환자: "연계 서비스가 세는 사람입니다. 예: 환자, 참여자",
  증례등록: "밖에 있는 연계 서비스의 이름입니다. 예: 증례등록, 성적 조회",
};

export function WordFields({ value, errors, onChange }: IdentityFieldsProps) {
  return (
    <>
      <ConsoleSection title="부르는 말">
        <p className="mb-4 max-w-2xl text-gray-60">
          비워 두면 적혀 있는 말을 씁니다. 조사(을·를, 이·가)는 저절로 맞춥니다. 쓰신 글은 바뀌지 않습니다.
        </p>
        <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          {PRODUCT_WORD_NAMES.map((name) => (
            <Field key={name} label={`'${name}' 대신`} hint={PRODUCT_WORD_HINTS[name]} error={errors[`words.${name}`]}>
              <Input
                value={value.words[name] ?? ""}
                placeholder={name}
                maxLength={PRODUCT_WORD_MAX}
                autoComplete="off"
                onChange={(event) => onChange({ ...value, words: { ...value.words, [name]: event.target.value } })}
              />
            </Field>
          ))}
        </div>
      </ConsoleSection>
      <ConsoleSection title="검색에서 같은 뜻으로 찾는 말">
        <Field
          label="같은 뜻의 말"
          hint="한 줄에 한 뜻씩, 쉼표로 나누어 적습니다. 어느 말로 검색해도 다른 말이 든 글까지 찾습니다. 띄어쓰기와 대소문자는 가리지 않습니다."
          error={errors["synonyms"]}
          className="max-w-2xl"
        >
          <CountedTextarea
            rows={8}
            value={value.synonyms}
            maxLength={SYNONYM_TEXT_MAX}
            placeholder="MRI, 자기공명영상"
            onChange={(synonyms) => onChange({ ...value, synonyms })}
          />
        </Field>
      </ConsoleSection>
      <ConsoleSection title="쓰지 않는 것">
        <div className="grid gap-2">
          <RowControls
            fields={IDENTITY_FIELDS}
            only={["hasCenters", "hasCaseReport", "hasProposals"]}
            values={value}
            errors={errors}
            onChange={(changed) => onChange({ ...value, ...changed })}
          />
        </div>
        <p className="mt-2 max-w-2xl text-sm text-gray-60">
          끄면 그 페이지와 메뉴, 권한이 어디에도 나오지 않습니다. 내용은 지워지지 않아 다시 켜면 그대로 돌아옵니다.
        </p>
      </ConsoleSection>
    </>
  );
}

/** English pages exist only if the site has an English name. */
export function EnglishFields({ value, errors, onChange }: IdentityFieldsProps) {
  return (
    <ConsoleSection title="영문 페이지">
      <p className="mb-4 max-w-2xl text-gray-60">
        영문 사이트 이름을 적으면 /en 아래에 영문 페이지가 열리고 모든 페이지의 위에 EN 링크가 나옵니다. 글은 각
        페이지와 기관, 메뉴를 고치는 화면에 영문 칸이 있습니다. 전화와 이메일은 사이트 정보의 것을 함께 씁니다.
      </p>
      <div className="grid max-w-2xl gap-4">
        <RowControls
          fields={IDENTITY_FIELDS}
          only={["english"]}
          values={value}
          errors={errors}
          onChange={(changed) => onChange({ ...value, ...changed })}
        />
      </div>
    </ConsoleSection>
  );
}
