import { useState } from "react";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Field } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { CountedTextarea } from "#app/ui/textarea.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { useCheckedForm, type FormErrors } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import {
  REQUEST_KIND_NAMES,
  type PrivacyRequestKind,
  SUSPENDED_MESSAGE,
  REQUEST_LIMITS,
} from "#worker/contract/privacy/rules.ts";

const KINDS = [
  { value: "access", label: `${REQUEST_KIND_NAMES.access}: 어떤 정보를 가지고 있는지 알고 싶습니다` },
  { value: "correction", label: `${REQUEST_KIND_NAMES.correction}: 틀린 정보를 고쳐 주십시오` },
  { value: "erasure", label: `${REQUEST_KIND_NAMES.erasure}: 정보를 지워 주십시오` },
  { value: "suspension", label: `${REQUEST_KIND_NAMES.suspension}: 정보를 쓰지 말아 주십시오` },
];

/** Requests under articles 35 to 37 of the 개인정보 보호법. */
export function OwnRequestForm() {
  const [kind, setKind] = useState<PrivacyRequestKind>("access");
  const [content, setContent] = useState("");
  const checked = useCheckedForm({
    toErrors: ({ fields, message }): FormErrors => (fields?.content ? { content: fields.content } : { form: message }),
  });
  const submit = () => {
    const work = async () => {
      await callApi(api.user["privacy-request"].$post({ json: { kind, content } }));
      setContent("");
    };
    const found: FormErrors = content.trim() === "" ? { content: "요구하실 내용을 입력해 주십시오." } : {};
    return checked.send(found, work, "요구를 접수하였습니다. 결과를 메일로 알려 드리겠습니다.");
  };
  return (
    <MypageSection
      title="개인정보 요구"
      hint={
        <>
          회원님의 정보는 <TextLink to="/Mypage/Info">회원정보</TextLink>
          에서 바로 보고 고치실 수 있습니다. 그 밖의 열람, 정정, 삭제, 처리정지는 아래에서 요구하실 수 있으며, 10일 안에
          결과를 알려 드립니다.
        </>
      }
    >
      <CheckedForm
        checked={checked}
        onSubmit={submit}
        label="개인정보 요구"
        submitLabel="요구 보내기"
        className="max-w-2xl"
      >
        <Field id="kind" label="종류" required>
          <Select
            name="kind"
            options={KINDS}
            value={kind}
            onChange={(event) => setKind(event.target.value as PrivacyRequestKind)}
          />
        </Field>
        {kind === "suspension" && (
          <p className="text-gray-70">
            받아들여지면 {SUSPENDED_MESSAGE}. 로그인처럼 회원 서비스에 꼭 필요한 처리는 계속하며, 모두 멈추시려면
            탈퇴하실 수 있습니다.
          </p>
        )}
        <Field id="content" label="내용" required hint="주민등록번호는 적지 마십시오." error={checked.errors.content}>
          <CountedTextarea
            name="content"
            rows={5}
            maxLength={REQUEST_LIMITS.content}
            value={content}
            onChange={setContent}
          />
        </Field>
      </CheckedForm>
    </MypageSection>
  );
}
