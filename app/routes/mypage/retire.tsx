import { checkedLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { useState } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { enterMessage } from "#app/features/account/error-messages.ts";
import { credentialErrorsByField, CurrentPasswordField } from "#app/features/account/mypage/current-password-field.tsx";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { forgetSession } from "#app/lib/session.ts";
import { useWords } from "#app/lib/page-language.ts";
import { Checkbox, RadioGroup } from "#app/ui/choice.tsx";
import { Field, FieldError, Textarea } from "#app/ui/field.tsx";
import { useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import { type LeavingChoice, RETIRE_REASON_MAX } from "#worker/contract/account/rules.ts";

export const loader = checkedLoader(requireSignedIn);

export default function MypageRetire() {
  return <RetireForm />;
}

const DESTROYED_ITEMS = [
  "이름, 아이디, 이메일, 휴대전화번호와 회원정보에 적으신 모든 내용",
  "비밀번호와 로그인 기록, 로그인되어 있는 모든 기기",
  "선택 동의 내역과 회원님께 보낸 메일·문자 기록",
];
const KEPT_ITEMS = [
  "작성하신 글과 댓글: 작성자가 ‘탈퇴한 회원’으로 바뀌어 남습니다. 지우고 싶으신 글은 탈퇴하시기 전에 지워 주십시오.",
  "필수 약관에 동의하신 기록과 접속 기록: 관계 법령에서 정한 기간 동안 보관한 뒤 파기합니다.",
];

const ALUMNI_OPTIONS: { value: LeavingChoice; label: string }[] = [
  { value: "stay", label: "남아서 소식 계속 받기" },
  { value: "stayWithoutMail", label: "남기되 메일·문자·우편 받지 않기" },
  { value: "leave", label: "내 정보 삭제 요청하기" },
];

function RetireForm() {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [understood, setUnderstood] = useState(false);
  const [password, setPassword] = useState("");
  const [reason, setReason] = useState("");
  const [alumni, setAlumni] = useState<LeavingChoice>("stayWithoutMail");
  const say = useWords();
  const checked = useCheckedForm({ reloads: "never", toErrors: credentialErrorsByField });
  const { errors } = checked;
  const submit = () => {
    const found = {
      ...(understood ? {} : { understood: "안내를 확인하시고 동의해 주십시오." }),
      ...(password === "" ? { currentPassword: enterMessage("현재 비밀번호") } : {}),
    };
    const work = async () => {
      const json = { password, alumni, ...(reason.trim() ? { reason: reason.trim() } : {}) };
      await callApi(api.user.retire.$post({ json }));
      // The account is gone, so nothing can be saved.
      checked.form.current?.removeAttribute("data-unsaved");
      forgetSession();
      await navigate("/Account/Left", { replace: true, state: { done: true } });
      // Updates the page frame, which still shows the name.
      await revalidate();
    };
    return checked.send(found, work, null);
  };

  return (
    <MypageSection title="회원 탈퇴" hint="탈퇴하시면 되돌릴 수 없습니다. 아래 내용을 먼저 확인해 주십시오.">
      <div className="grid gap-5 md:grid-cols-2">
        <RetirementEffect title="바로 파기되는 것" items={DESTROYED_ITEMS} />
        <RetirementEffect title="남는 것" items={KEPT_ITEMS} />
      </div>
      <p className="mt-4 text-sm text-gray-60">
        사용하시던 아이디와 이메일로 다시 가입하실 수 있습니다. 보관하실 자료가 있으면 회원정보 화면에서 먼저 내려받아
        주십시오.
      </p>
      <CheckedForm
        checked={checked}
        onSubmit={submit}
        label="회원 탈퇴"
        submitLabel="탈퇴하기"
        danger
        className="mt-8 max-w-lg"
      >
        <RadioGroup
          legend={say("{동문주소록}의 내 정보")}
          hint={say(
            "{동문주소록}은 사무국의 기록이어서 탈퇴하셔도 이름, 기수, 소속, 연락처가 남고, 다른 회원에게 공개하신 연락처는 닫힙니다. ‘남아서 소식 계속 받기’를 고르지 않으시면 오늘 날짜로 ‘탈퇴’라고 적어 더는 연락을 보내지 않습니다. 고르신 내용은 사무국에 전해집니다.",
          )}
          name="alumni"
          options={ALUMNI_OPTIONS}
          value={alumni}
          onChange={(value) => setAlumni(value as LeavingChoice)}
        />
        <Field id="reason" label="탈퇴 사유 (선택)" error={errors.reason}>
          <Textarea
            name="reason"
            rows={3}
            maxLength={RETIRE_REASON_MAX}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        <div>
          <Checkbox
            id="understood"
            name="understood"
            label="위 내용을 모두 확인하였으며 탈퇴에 동의합니다."
            checked={understood}
            aria-invalid={errors.understood ? true : undefined}
            aria-describedby={errors.understood ? "understood-error" : undefined}
            onChange={(event) => setUnderstood(event.target.checked)}
          />
          {errors.understood && <FieldError id="understood-error">{errors.understood}</FieldError>}
        </div>
        <CurrentPasswordField value={password} onValue={setPassword} error={errors.currentPassword} />
      </CheckedForm>
    </MypageSection>
  );
}

function RetirementEffect({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <div className="rounded-lg border border-gray-20 bg-gray-5 p-5">
      <h3 className="text-lg">{title}</h3>
      <ul className="mt-3 list-disc space-y-1.5 pl-5 text-gray-70">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}
