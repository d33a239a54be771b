import { AuditTable } from "#app/features/operation/audit-table.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { RequestStatusBadge } from "#app/features/privacy/request-status.tsx";
import { DescriptionList } from "#app/features/account/mypage/mypage-section.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { TextLink, Time } from "#app/ui/inline.tsx";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { hasCommand } from "#worker/contract/kernel/desk.ts";
import {
  REQUEST_DESK,
  REQUEST_KIND_NAMES,
  REQUEST_LIMITS,
  SUSPENDED_MESSAGE,
} from "#worker/contract/privacy/privacy.ts";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";
import { getPrivacyRequest, type PrivacyRequestDetail } from "#worker/domain/privacy/request.server.ts";
import type { Route } from "./+types/request";
import { useWords } from "#app/lib/page-language.ts";
import { type FormEvent, useState } from "react";
import { formText, type Question, QuestionButton, useAction } from "#app/features/form/action.tsx";
import { ActionDialog } from "#app/features/form/action-dialog.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Fieldset, Radio } from "#app/ui/choice.tsx";
import { Field, Textarea } from "#app/ui/field.tsx";
import { NumberField } from "#app/ui/number-field.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  authorizeConsole(ctx);
  const { id } = readPagePath(idPath, params);
  return getPrivacyRequest(ctx, id);
});

export const meta = titledMeta("개인정보 열람·정정 요청", "관리");

export default function PrivacyRequestPage({ loaderData: request }: Route.ComponentProps) {
  const kind = REQUEST_KIND_NAMES[request.kind];
  return (
    <>
      <ConsoleHeader
        title={`${request.requesterName}님의 ${kind} 요청`}
        links={[{ label: "목록", href: "/Admin/Privacy" }]}
      />
      {request.overdue && (
        <Alert tone="warning" className="mb-6">
          처리 기한이 지났습니다. 지체 없이 처리하고, 늦은 사유를 답변에 적어 주십시오.
        </Alert>
      )}
      <DescriptionList
        items={[
          ["상태", <RequestStatusBadge key="status" status={request.status} overdue={request.overdue} />],
          ["받은 날", <Time key="received" date={request.receivedDate} format="datetime" />],
          [
            "처리 기한",
            <span key="due">
              <Time date={request.dueDate} />
              {request.extendedReason && <span className="text-gray-60"> (늦춘 사유: {request.extendedReason})</span>}
            </span>,
          ],
          [
            "요청한 사람",
            request.userId ? (
              <TextLink key="who" to={`/Admin/Members/${request.userId}`}>
                {request.requesterName} (회원)
              </TextLink>
            ) : (
              `${request.requesterName} (회원 아님)`
            ),
          ],
          ["답변을 받을 곳", request.contact || "이메일 없음. 서면으로 답합니다."],
          [
            "내용",
            <p key="content" className="whitespace-pre-wrap">
              {request.content || "파기하였습니다."}
            </p>,
          ],
          ...(request.closedDate
            ? [
                [
                  "답변",
                  <div key="answer">
                    <p className="whitespace-pre-wrap">{request.answer}</p>
                    <p className="mt-1 text-sm text-gray-60">
                      {request.handlerName} · <Time date={request.closedDate} format="datetime" />
                    </p>
                  </div>,
                ] as const,
              ]
            : []),
        ]}
      />
      {hasCommand(REQUEST_DESK, "accept", request.status) && <RequestActions request={request} />}
      <ConsoleSection title="처리 기록">
        <AuditTable rows={request.history} caption="처리 기록" />
      </ConsoleSection>
    </>
  );
}

function RequestActions({ request }: { request: PrivacyRequestDetail }) {
  const say = useWords();
  const { id, version } = request;
  const { busy, run, fields, message } = useAction();
  const [extending, setExtending] = useState(false);
  const [answer, setAnswer] = useState("");
  const [result, setResult] = useState<"done" | "refused">("done");
  const act = api.admin.privacy.request[":id"];
  const param = { id };
  const erasable = request.kind === "erasure" && request.userId !== null;
  const start = () => run(() => callApi(act.start.$post({ param, json: { version } })), "처리 중으로 바꾸었습니다.");
  const send = (event: FormEvent) => {
    event.preventDefault();
    return run(
      () => callApi(act.answer.$post({ param, json: { result, answer, version } })),
      request.contact ? "처리를 마치고 답변을 메일로 보냈습니다." : "처리를 마쳤습니다. 서면으로 답변해 주십시오.",
    );
  };
  const extend = (form: FormData) => {
    const json = { days: Number(formText(form, "days")), reason: formText(form, "reason"), version };
    return callApi(act.extend.$post({ param, json }));
  };
  const eraseQuestion: Question = {
    label: "파기",
    title: "이 회원의 계정을 파기하시겠습니까?",
    text: (
      <p>
        이름, 아이디, 이메일과 회원정보가 바로 파기되고 로그인이 모두 끝납니다. 글과 댓글은 ‘탈퇴한 회원’의 이름으로
        남습니다. 되돌릴 수 없습니다.
      </p>
    ),
    danger: true,
    work: () => {
      if (answer.trim() === "") throw new AppError("INVALID_INPUT", { message: "답변을 먼저 적어 주십시오." });
      return callApi(act.erase.$post({ param, json: { answer, version } }));
    },
    done: "계정을 파기하였습니다.",
  };
  return (
    <ConsoleSection
      title="처리"
      action={
        <div className="flex flex-wrap gap-2">
          {hasCommand(REQUEST_DESK, "start", request.status) && (
            <Button size="sm" busy={busy} onClick={start}>
              처리 시작
            </Button>
          )}
          {!request.extendedReason && (
            <Button size="sm" onClick={() => setExtending(true)}>
              기한 늦추기
            </Button>
          )}
        </div>
      }
    >
      <form onSubmit={send} noValidate className="grid gap-5 rounded-lg bg-gray-5 p-5">
        <Fieldset legend="결과">
          <div className="flex flex-wrap gap-x-6">
            <Radio name="result" label="받아들임" checked={result === "done"} onChange={() => setResult("done")} />
            <Radio name="result" label="거절" checked={result === "refused"} onChange={() => setResult("refused")} />
          </div>
        </Fieldset>
        {request.kind === "suspension" && result === "done" && (
          <p className="text-gray-70">
            {request.userId
              ? `받아들이면 이 회원에게 ${SUSPENDED_MESSAGE}. 회원 자신이나 관리자가 언제든지 풀 수 있습니다.`
              : say(
                  "회원 계정이 연결되지 않은 요청입니다. 저절로 멈추는 것이 없으니 {동문주소록} 등에서 직접 처리해 주십시오.",
                )}
          </p>
        )}
        <Field
          label="답변"
          required
          hint={
            request.contact
              ? `${withParticle(request.contact, "으로/로")} 보냅니다. 거절하면 사유와 이의를 제기하는 방법을 함께 알립니다.`
              : "이메일이 없습니다. 적은 내용을 서면으로 보내 주십시오."
          }
          error={fields.answer}
        >
          <Textarea
            rows={5}
            maxLength={REQUEST_LIMITS.answer}
            value={answer}
            onChange={(event) => setAnswer(event.target.value)}
          />
        </Field>
        <ErrorAlert>{!fields.answer && message}</ErrorAlert>
        <div className="flex flex-wrap justify-end gap-2">
          {erasable && (
            <QuestionButton question={eraseQuestion} size="md" disabled={busy}>
              계정 파기하고 답변
            </QuestionButton>
          )}
          <Button type="submit" variant="primary" busy={busy}>
            처리 마치고 답변 보내기
          </Button>
        </div>
      </form>
      <ActionDialog
        open={extending}
        onClose={() => setExtending(false)}
        title="기한 늦추기"
        submitLabel="늦추기"
        work={extend}
        done="기한을 늦추었습니다."
      >
        {(errors) => (
          <>
            <p className="text-gray-60">
              정당한 사유가 있을 때 한 번 늦출 수 있으며, 사유와 새 기한을 요청한 사람에게 메일로 알립니다.
            </p>
            <NumberField
              label="늦출 날수"
              required
              error={errors.days}
              name="days"
              min={1}
              max={30}
              defaultValue={10}
            />
            <Field label="사유" required error={errors.reason}>
              <Textarea name="reason" rows={2} maxLength={REQUEST_LIMITS.extensionReason} />
            </Field>
          </>
        )}
      </ActionDialog>
    </ConsoleSection>
  );
}
