import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { checkedLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { TextLink } from "#app/ui/inline.tsx";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { FormErrors } from "#app/features/form/use-checked-form.ts";
import { InquiryMessageForm } from "#app/features/inquiry/message-form.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { INQUIRY_CATEGORY_NAMES, INQUIRY_LIMITS, type InquiryCategory } from "#worker/contract/inquiry/inquiry.ts";

export const loader = checkedLoader(requireSignedIn);

export const meta = titledMeta("문의하기", "마이페이지");

export default function NewInquiryPage() {
  return (
    <MypageSection
      title="문의하기"
      hint={
        <>
          사무국이 확인하고 답변을 드립니다. 회원님의 개인정보를 보거나 고치거나 지우시려는 것이라면{" "}
          <TextLink to="/Mypage/Privacy">개인정보 열람·정정 요청</TextLink>을 이용해 주십시오.
        </>
      }
    >
      <NewInquiryForm />
    </MypageSection>
  );
}

const CATEGORIES = Object.entries(INQUIRY_CATEGORY_NAMES).map(([value, label]) => ({ value, label }));

function NewInquiryForm() {
  const navigate = useNavigate();
  const [category, setCategory] = useState<InquiryCategory>("account");
  const [subject, setSubject] = useState("");
  return (
    <InquiryMessageForm<{ id: string }>
      label="1:1 문의"
      submitLabel="문의 보내기"
      contentLabel="내용"
      hint="비밀번호와 주민등록번호는 적지 마십시오."
      check={(): FormErrors => (subject.trim() === "" ? { subject: "제목을 입력해 주십시오." } : {})}
      send={(message) => callApi(api.inquiry.$post({ json: { category, subject, ...message }, header: ONCE }))}
      done="문의를 접수하였습니다. 답변을 드리면 알림과 메일로 알려 드리겠습니다."
      onDone={({ id }) => navigate(`/Mypage/Inquiries/${id}`)}
    >
      {(errors) => (
        <>
          <Field id="category" label="분류" required>
            <Select
              name="category"
              options={CATEGORIES}
              value={category}
              onChange={(event) => setCategory(event.target.value as InquiryCategory)}
            />
          </Field>
          <Field id="subject" label="제목" required error={errors.subject}>
            <Input
              name="subject"
              maxLength={INQUIRY_LIMITS.subject}
              value={subject}
              onChange={(event) => setSubject(event.target.value)}
            />
          </Field>
        </>
      )}
    </InquiryMessageForm>
  );
}
