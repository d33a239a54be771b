import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { UserNameField } from "#app/features/account/user-name-field.tsx";
import { findVerification, type KeyVerification } from "#app/features/account/verification.ts";
import { VerifiedKeyField } from "#app/features/account/verified-key-field.tsx";
import { boardListHref } from "#app/features/board/board-paths.ts";
import { AnswerForm, type GivenAnswers } from "#app/features/event/answer-form.tsx";
import { eventParam } from "#app/features/event/event-paths.ts";
import { readEventPath } from "#app/features/event/event-path.server.ts";
import { EventFacts, type OwnActs, OwnRegistrationPart } from "#app/features/event/own-registration.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { now } from "#app/lib/clock.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { signinPathFor } from "#app/lib/return-url.ts";
import { Alert } from "#app/ui/alert.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { isEnded } from "#worker/contract/kernel/desk.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { EVENT_DESK, registrationHref } from "#worker/contract/event/event.ts";
import type { RegistrationPage } from "#worker/contract/event/view.ts";
import { getRegistrationPage } from "#worker/domain/event/registration.server.ts";
import type { Route } from "./+types/register";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) =>
  getRegistrationPage(scope, readEventPath(params)),
);

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData ? pageMeta({ matches, title: [loaderData.item.title, "행사 신청"] }) : [];

export default function RegisterPage({ loaderData: page }: Route.ComponentProps) {
  const { item, boardName, mine, can, isGuest } = page;
  const isRegistered = mine !== null && !isEnded(EVENT_DESK, mine.status);
  return (
    <>
      <PageHeader title="행사 신청" parents={[{ label: boardName, href: boardListHref(item.boardCode) }]} />
      <SigninGate className="container-page container-reading grid gap-10 pt-8 pb-16 md:pt-10 md:pb-24">
        <EventFacts page={page} />
        {isRegistered ? (
          <OwnRegistrationPart key={mine.id} page={page} mine={mine} acts={actsOf(mine.id)} />
        ) : can.register && isGuest ? (
          <GuestPart page={page} />
        ) : can.register ? (
          <RegisterPart page={page} />
        ) : (
          <Refusal page={page} />
        )}
      </SigninGate>
    </>
  );
}

const actsOf = (id: string): OwnActs => {
  const call = api.event.registration[":id"];
  return {
    change: (json) => callApi(call.$patch({ param: { id }, json })),
    cancel: (json) => callApi(call.cancel.$post({ param: { id }, json })),
  };
};

function Refusal({ page: { item, refusal } }: { page: RegistrationPage }) {
  const isGuest = useSiteFrame()?.user == null;
  return <Alert title={refusal}>{isGuest && <SigninLink item={item} />}</Alert>;
}

const SigninLink = ({ item }: Pick<RegistrationPage, "item">) => (
  <ButtonLink
    to={signinPathFor(registrationHref(item.boardCode, item.itemNo), "ko")}
    variant="primary"
    className="mt-3"
  >
    로그인
  </ButtonLink>
);

const DONE = {
  confirmed: "신청이 확정되었습니다.",
  waiting: "대기자로 신청하였습니다. 자리가 나면 알려 드립니다.",
};

function RegisterPart({ page }: { page: RegistrationPage }) {
  const { item, questions, questionsVersion, fees, isFull, mine } = page;
  const call = api.event[":boardCode"][":itemNo"];
  const register = (given: GivenAnswers) =>
    callApi(call.$post({ param: eventParam(item), json: { ...given, joinsQueue: isFull }, header: ONCE })).catch(
      (error: unknown) => {
        // The reloaded page shows the registration.
        if (error instanceof AppError && error.code === "ALREADY_EXISTS") return error;
        throw error;
      },
    );
  const act = isFull ? "대기 신청" : "신청하기";
  return (
    <MypageSection
      title={isFull ? "대기자로 신청" : "신청"}
      hint={
        isFull
          ? "자리가 나면 먼저 신청하신 분부터 저절로 확정되고 알려 드립니다."
          : "이름과 연락처는 회원정보의 것을 씁니다."
      }
    >
      {mine && (
        <Alert className="mb-6" title="취소된 신청이 있습니다.">
          {mine.reason ? `사무국이 적은 사유: ${mine.reason}` : "다시 신청하실 수 있습니다."}
        </Alert>
      )}
      <AnswerForm
        label={act}
        submitLabel={act}
        {...{ questions, questionsVersion, fees }}
        {...(mine && { stored: mine.answers })}
        send={register}
        done={(result) => (result instanceof AppError ? result : DONE[result.status])}
      />
    </MypageSection>
  );
}

const ALREADY = "이미 신청하신 행사입니다. 신청 내용을 보여 드립니다.";

/** Confirms an address with the code of sign-up; no account is made. */
function GuestPart({ page }: { page: RegistrationPage }) {
  const { item, questions, questionsVersion, fees, isFull } = page;
  const navigate = useNavigate();
  const [userName, setUserName] = useState("");
  const [email, setEmail] = useState("");
  const [verification, setVerification] = useState<KeyVerification | null>(null);
  const reached = useRef("");
  const call = api["event-guest"][":boardCode"][":itemNo"];
  const proof = () => findVerification("Email", email, verification, now());
  const register = async (given: GivenAnswers) => {
    const json = { ...given, userName, userKeyToken: proof()?.userKeyToken ?? "", joinsQueue: isFull };
    const result = await callApi(call.$post({ param: eventParam(item), json, header: ONCE }));
    reached.current = result.path;
    return result;
  };
  const act = isFull ? "대기 신청" : "신청하기";
  return (
    <MypageSection
      title={isFull ? "비회원 대기 신청" : "비회원 신청"}
      hint="이메일로 받은 인증번호를 확인한 뒤 신청합니다. 신청 내용은 메일의 주소에서 보고 고칠 수 있습니다."
    >
      <Alert className="mb-6" title="회원이시면 로그인하고 신청해 주십시오.">
        <SigninLink item={item} />
      </Alert>
      <AnswerForm
        label={act}
        submitLabel={act}
        {...{ questions, questionsVersion, fees }}
        problems={() => ({
          ...(userName.trim() === "" && { userName: "이름을 입력해 주십시오." }),
          ...(!proof()?.isVerified && { userKeyToken: UI_MESSAGES.emailUnverified }),
        })}
        send={register}
        done={({ isNew, status }) => (isNew ? DONE[status === "waiting" ? "waiting" : "confirmed"] : ALREADY)}
        onDone={() => void navigate(reached.current)}
      >
        {(errors, show) => (
          <>
            <UserNameField value={userName} onValue={setUserName} error={errors.userName} />
            <VerifiedKeyField
              id="userKeyToken"
              userKeyType="Email"
              checkExists={false}
              value={email}
              onValue={setEmail}
              verification={verification}
              onVerification={setVerification}
              error={errors.userKeyToken}
              onError={(message) => {
                const { userKeyToken: _old, ...rest } = errors;
                show(message ? { ...rest, userKeyToken: message } : rest);
              }}
            />
          </>
        )}
      </AnswerForm>
    </MypageSection>
  );
}
