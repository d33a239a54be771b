import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { getSetup, type SetupView } from "#worker/domain/site/setup.server.ts";
import type { Route } from "./+types/setup";
import CircleCheck from "lucide-react/icons/circle-check";
import Circle from "lucide-react/icons/circle";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { particleOf } from "#worker/contract/kernel/wording.ts";
import { MAIL_TEMPLATES } from "#worker/contract/mail/templates.ts";
import { CONFIRMED_STEPS, type ConfirmedStep, SETUP_STEPS, type SetupStep } from "#worker/contract/site/setup-rules.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getSetup(scope));

export default function SetupPage({ loaderData: setup }: Route.ComponentProps) {
  const left = setup.steps.filter(({ isDone }) => !isDone).length;
  return (
    <>
      <ConsoleHeader
        description={
          left === 0
            ? "모두 마쳤습니다. 바꾸실 것이 있으면 언제든 다시 여실 수 있습니다."
            : `${setup.steps.length}가지 가운데 ${left}가지가 남았습니다. 위에서부터 하시면 됩니다.`
        }
      />
      {setup.signupClosed && (
        <Alert tone="warning" className="mb-4">
          지금은 회원가입이 닫혀 있습니다. 가입하려는 사람에게는 ‘{setup.signupClosed}’라고 보입니다.
        </Alert>
      )}
      <SetupList setup={setup} />
      <ConsoleSection title="옛 사이트에서 옮겨 오기">
        <p className="mb-4 max-w-2xl text-gray-80">
          그누보드5, 라이믹스, XE 등으로 쓰던 사이트가 있으면 회원과 글, 댓글, 첨부파일을 옮겨 옵니다. 회원은 쓰던
          비밀번호로 로그인하고, 옛 주소는 새 주소로 이어집니다. 위의 설정을 마치기 전에 하셔도 됩니다.
        </p>
        <ButtonLink to="/Admin/Moving" size="sm">
          이사 오기
        </ButtonLink>
      </ConsoleSection>
    </>
  );
}

const setupCalls = api.admin.setup;
const isConfirmed = (step: SetupStep): step is ConfirmedStep => (CONFIRMED_STEPS as readonly string[]).includes(step);
const CONFIRM_LABELS: Record<ConfirmedStep, string> = {
  look: "지금 모양 그대로 쓰기",
  pages: "지금 페이지 그대로 쓰기",
  authentication: "지금 설정 그대로 쓰기",
  mail: "메일을 받았습니다",
  boards: "지금 게시판 그대로 쓰기",
};

function SetupList({ setup }: { setup: SetupView }) {
  const next = setup.steps.find(({ isDone }) => !isDone)?.step;
  const { busy, run, message } = useAction();
  const [acting, setActing] = useState("");
  const act = (name: string, work: () => Promise<unknown>, done: string) => {
    if (busy) return;
    setActing(name);
    void run(work, done);
  };
  return (
    <>
      <ErrorAlert className="mb-4">{message}</ErrorAlert>
      <ol className="max-w-4xl divide-y divide-gray-20 border-y border-gray-20">
        {setup.steps.map(({ step, isDone }) => {
          const { label, text, href } = SETUP_STEPS[step];
          const isBusy = (name: string) => busy && acting === `${name} ${step}`;
          return (
            <li key={step} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
              <div className="flex min-w-0 flex-1 basis-80 gap-3">
                {isDone ? (
                  <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success-50" />
                ) : (
                  <Circle aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-gray-40" />
                )}
                <div>
                  <h2 className="text-base">
                    {label} <span className="sr-only">{isDone ? "(마침)" : "(남음)"}</span>
                  </h2>
                  <p className="text-sm text-gray-70">{text}</p>
                </div>
              </div>
              <div className="flex flex-wrap gap-2">
                {step === "mail" && !isDone && <TestMailButton act={act} busy={isBusy("test")} />}
                {!isDone && isConfirmed(step) && (
                  <Button
                    size="sm"
                    busy={isBusy("confirm")}
                    onClick={() =>
                      act(
                        `confirm ${step}`,
                        () => callApi(setupCalls.confirm[":step"].$post({ param: { step }, json: {} })),
                        `'${label}'${particleOf(label, "을/를")} 마친 것으로 적었습니다.`,
                      )
                    }
                  >
                    {CONFIRM_LABELS[step]}
                  </Button>
                )}
                {(step === "terms" || step === "privacy") && setup.withoutText.includes(step) ? (
                  <DraftButton code={step} isNext={step === next} />
                ) : (
                  <ButtonLink to={href} size="sm" variant={step === next && step !== "mail" ? "primary" : "secondary"}>
                    {isDone ? "다시 보기" : step === "mail" ? "보낸 기록" : "하러 가기"}
                    <span className="sr-only">: {label}</span>
                  </ButtonLink>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </>
  );
}

interface TestMailButtonProps {
  act: (name: string, work: () => Promise<unknown>, done: string) => void;
  busy: boolean;
}

function TestMailButton({ act, busy }: TestMailButtonProps) {
  const { subject, text } = MAIL_TEMPLATES.memberApproved;
  const send = () =>
    callApi(
      api.admin["mail-template"][":kind"].test.$post({ param: { kind: "memberApproved" }, json: { subject, text } }),
    );
  return (
    <Button size="sm" variant="primary" busy={busy} onClick={() => act("test mail", send, "시험 메일을 보냈습니다.")}>
      시험 메일 보내기
    </Button>
  );
}

function DraftButton({ code, isNext }: { code: "terms" | "privacy"; isNext: boolean }) {
  const navigate = useNavigate();
  const { busy, run, message } = useAction();
  const draft = async () => {
    const work = () => callApi(api.admin.content[":code"].draft.$post({ param: { code }, json: { version: 0 } }));
    if (await run(work, "초안을 만들었습니다. 읽고 고친 뒤 게시해 주십시오.")) await navigate(SETUP_STEPS[code].href);
  };
  return (
    <>
      <Button size="sm" variant={isNext ? "primary" : "secondary"} busy={busy} onClick={() => void draft()}>
        초안 만들기<span className="sr-only">: {SETUP_STEPS[code].label}</span>
      </Button>
      <ErrorAlert>{message}</ErrorAlert>
    </>
  );
}
