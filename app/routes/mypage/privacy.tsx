import { pageLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { listOwnPrivacyRequests, type OwnPrivacyRequestRow } from "#worker/domain/privacy/request.server.ts";
import { getOwnSuspension } from "#worker/domain/privacy/suspension.server.ts";
import type { Route } from "./+types/privacy";
import { useState } from "react";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { CountedTextarea, Field, Select } from "#app/ui/field.tsx";
import { Badge, TextLink, Time } from "#app/ui/inline.tsx";
import { type FormErrors, useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import {
  type PrivacyRequestKind,
  REQUEST_DESK,
  REQUEST_KIND_NAMES,
  REQUEST_LIMITS,
  SUSPENDED_MESSAGE,
} from "#worker/contract/privacy/privacy.ts";
import { Alert } from "#app/ui/alert.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const { userId } = requireSignedIn(ctx);
  const [requests, suspendedDate] = await Promise.all([listOwnPrivacyRequests(ctx), getOwnSuspension(ctx, userId)]);
  return { userId, requests, suspendedDate };
});

export default function MypagePrivacy({ loaderData }: Route.ComponentProps) {
  const { userId, requests, suspendedDate } = loaderData;
  return (
    <div className="space-y-14">
      {suspendedDate && <SuspensionAlert userId={userId} since={suspendedDate} />}
      <OwnRequestForm />
      <OwnRequestList requests={requests} />
    </div>
  );
}

const KINDS = [
  { value: "access", label: `${REQUEST_KIND_NAMES.access}: 어떤 정보를 가지고 있는지 알고 싶습니다` },
  { value: "correction", label: `${REQUEST_KIND_NAMES.correction}: 틀린 정보를 고쳐 주십시오` },
  { value: "erasure", label: `${REQUEST_KIND_NAMES.erasure}: 정보를 지워 주십시오` },
  { value: "suspension", label: `${REQUEST_KIND_NAMES.suspension}: 정보를 쓰지 말아 주십시오` },
];

/** Requests under articles 35 to 37 of the 개인정보 보호법. */
function OwnRequestForm() {
  const [kind, setKind] = useState<PrivacyRequestKind>("access");
  const [content, setContent] = useState("");
  const checked = useCheckedForm({
    toErrors: ({ fields, message }): FormErrors => (fields?.content ? { content: fields.content } : { form: message }),
  });
  const submit = () => {
    const work = async () => {
      await callApi(api.user["privacy-request"].$post({ json: { kind, content }, header: ONCE }));
      setContent("");
    };
    const found: FormErrors = content.trim() === "" ? { content: "요청하실 내용을 입력해 주십시오." } : {};
    return checked.send(found, work, "요청을 접수하였습니다. 결과를 메일로 알려 드리겠습니다.");
  };
  return (
    <MypageSection
      title="개인정보 열람·정정 요청"
      hint={
        <>
          회원님의 정보는 <TextLink to="/Mypage/Info">회원정보</TextLink>
          에서 바로 보고 고치실 수 있습니다. 그 밖의 열람, 정정, 삭제, 처리정지는 아래에서 요청하실 수 있으며, 10일 안에
          결과를 알려 드립니다.
        </>
      }
    >
      <CheckedForm
        checked={checked}
        onSubmit={submit}
        label="개인정보 열람·정정 요청"
        submitLabel="요청하기"
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

function OwnRequestList({ requests }: { requests: OwnPrivacyRequestRow[] }) {
  return (
    <MypageSection title="요청 내역">
      {requests.length === 0 && <p className="text-gray-60">요청 내역이 없습니다.</p>}
      <ul className="divide-y divide-gray-20 border-t border-gray-20">
        {requests.map((request) => (
          <li key={request.id} className="py-5">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <strong>{REQUEST_KIND_NAMES[request.kind]} 요청</strong>
              <Badge tone={request.closedDate ? "gray" : "primary"}>{REQUEST_DESK.states[request.status]}</Badge>
              <span className="text-sm text-gray-60">
                <Time date={request.receivedDate} /> 접수
                {!request.closedDate && (
                  <>
                    {" "}
                    · <Time date={request.dueDate} />
                    까지 답변
                  </>
                )}
              </span>
            </p>
            <p className="mt-2 whitespace-pre-wrap">{request.content}</p>
            {request.extendedReason && (
              <p className="mt-2 text-sm text-gray-60">기한을 늦춘 사유: {request.extendedReason}</p>
            )}
            {request.answer && (
              <div className="mt-3 rounded-lg bg-gray-5 p-4">
                <p className="font-semibold">답변</p>
                <p className="mt-1 whitespace-pre-wrap">{request.answer}</p>
              </div>
            )}
          </li>
        ))}
      </ul>
    </MypageSection>
  );
}

function SuspensionAlert({ userId, since }: { userId: string; since: string }) {
  const question: Question = {
    label: "풀기",
    title: "처리정지를 푸시겠습니까?",
    text: (
      <p>
        전에 고르신 대로 메일과 알림을 다시 보내 드립니다. 주소록에서 닫힌 연락처는 주소록에서 다시 공개하실 수
        있습니다.
      </p>
    ),
    work: () => callApi(api.user[":id"].suspension.$delete({ param: { id: userId } })),
    done: "처리정지를 풀었습니다.",
  };
  return (
    <Alert tone="warning" title="처리정지 중입니다">
      <p>
        <Time date={since} />
        부터 단체 메일과 광고성 메일, 새 글·댓글 알림을 보내지 않습니다. 주소록에서 다른 회원에게 공개하신 연락처는 그때
        닫았습니다.
      </p>
      <div className="min-w-0 mt-3">
        <QuestionButton question={question}>처리정지 풀기</QuestionButton>
      </div>
    </Alert>
  );
}
