import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { UserNameField } from "#app/features/account/user-name-field.tsx";
import { findVerification, type KeyVerification } from "#app/features/account/verification.ts";
import { VerifiedKeyField } from "#app/features/account/verified-key-field.tsx";
import { useBoardHrefs } from "#app/features/board/post-texts.ts";
import { AnswerForm, type GivenAnswers } from "#app/features/event/answer-form.tsx";
import { useRegistrationTexts } from "#app/features/event/registration-state.tsx";
import { useRefused } from "#app/features/event/use-refused.ts";
import { eventParam } from "#app/features/event/event-paths.ts";
import { readEventPath } from "#app/features/event/event-path.server.ts";
import { EventFacts, type OwnActs, OwnRegistrationPart } from "#app/features/event/own-registration.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { now } from "#app/lib/clock.ts";
import { useSection, useSiteFrame, useTexts } from "#app/lib/page-language.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { pageMeta, sectionOf } from "#app/lib/page-meta.ts";
import { KOREAN_REGISTER_TEXTS } from "#app/lib/texts/korean-register.ts";
import { KOREAN_REGISTRATION_TEXTS } from "#app/lib/texts/korean-registration.ts";
import { signinPathFor } from "#app/lib/return-url.ts";
import { Alert } from "#app/ui/alert.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { isEnded } from "#worker/contract/kernel/desk.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { EVENT_DESK, registrationHref } from "#worker/contract/event/event.ts";
import type { RegistrationPage } from "#worker/contract/event/view.ts";
import { getRegistrationPage } from "#worker/domain/event/registration.server.ts";
import type { Route } from "./+types/register";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) =>
  getRegistrationPage(scope, readEventPath(params), languageOf(new URL(request.url).pathname)),
);

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData
    ? pageMeta({
        matches,
        title: [loaderData.item.title, sectionOf(matches, "registration", KOREAN_REGISTRATION_TEXTS).title],
      })
    : [];

const useRegisterTexts = () => useSection("register", KOREAN_REGISTER_TEXTS);

export default function RegisterPage({ loaderData: page }: Route.ComponentProps) {
  const { item, boardName, mine, can, isGuest } = page;
  const { title } = useRegistrationTexts();
  const hrefs = useBoardHrefs();
  const refused = useRefused();
  const isRegistered = mine !== null && !isEnded(EVENT_DESK, mine.status);
  return (
    <>
      <PageHeader title={title} parents={[{ label: boardName, href: hrefs.list(item.boardCode) }]} />
      <SigninGate className="container-page container-reading grid gap-10 pt-8 pb-16 md:pt-10 md:pb-24">
        <EventFacts page={page} />
        {isRegistered ? (
          <OwnRegistrationPart key={mine.id} page={page} mine={mine} acts={actsOf(mine.id, refused)} />
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

const actsOf = (id: string, refused: (error: unknown) => never): OwnActs => {
  const call = api.event.registration[":id"];
  return {
    change: (json) => callApi(call.$patch({ param: { id }, json })).catch(refused),
    cancel: (json) => callApi(call.cancel.$post({ param: { id }, json })).catch(refused),
  };
};

function Refusal({ page: { item, refusal, guestPath } }: { page: RegistrationPage }) {
  const isGuest = useSiteFrame()?.user == null;
  const texts = useRegisterTexts();
  const hrefs = useBoardHrefs();
  return (
    <Alert title={texts.said(refusal)}>
      {isGuest && <SigninLink item={item} />}
      {guestPath && (
        <ButtonLink to={hrefs.to(guestPath)} variant="primary" className="mt-3">
          {texts.showOther}
        </ButtonLink>
      )}
    </Alert>
  );
}

function SigninLink({ item }: Pick<RegistrationPage, "item">) {
  const page = useBoardHrefs().to(registrationHref(item.boardCode, item.itemNo));
  return (
    <ButtonLink to={signinPathFor(page, useTexts().language)} variant="primary" className="mt-3">
      {useRegisterTexts().signin}
    </ButtonLink>
  );
}

function RegisterPart({ page }: { page: RegistrationPage }) {
  const { item, questions, questionsVersion, fees, isFull, mine } = page;
  const call = api.event[":boardCode"][":itemNo"];
  const texts = useRegisterTexts();
  const refused = useRefused();
  const register = (given: GivenAnswers) =>
    callApi(call.$post({ param: eventParam(item), json: { ...given, joinsQueue: isFull }, header: ONCE })).catch(
      (error: unknown) => {
        // The reloaded page shows the registration.
        if (error instanceof AppError && error.code === "ALREADY_EXISTS")
          return new AppError("ALREADY_EXISTS", { message: texts.said(error.message) });
        return refused(error);
      },
    );
  const act = useRegistrationTexts().act(isFull);
  return (
    <MypageSection title={texts.title(isFull)} hint={texts.hint(isFull)}>
      {mine && (
        <Alert className="mb-6" title={texts.cancelledBefore}>
          {mine.reason ? texts.officeSaid(mine.reason) : texts.again}
        </Alert>
      )}
      <AnswerForm
        label={act}
        submitLabel={act}
        {...{ questions, questionsVersion, fees }}
        {...(mine && { stored: mine.answers })}
        send={register}
        done={(result) => (result instanceof AppError ? result : texts.done[result.status])}
      />
    </MypageSection>
  );
}

/** Confirms an address with the code of sign-up; no account is made. */
function GuestPart({ page }: { page: RegistrationPage }) {
  const { item, questions, questionsVersion, fees, isFull } = page;
  const navigate = useNavigate();
  const texts = useRegisterTexts();
  const hrefs = useBoardHrefs();
  const { unverified } = useAccountTexts();
  const { language } = useTexts();
  const refused = useRefused();
  const [userName, setUserName] = useState("");
  const [email, setEmail] = useState("");
  const [verification, setVerification] = useState<KeyVerification | null>(null);
  const reached = useRef("");
  const call = api["event-guest"][":boardCode"][":itemNo"];
  const proof = () => findVerification("Email", email, verification, now());
  const register = async (given: GivenAnswers) => {
    const json = { ...given, userName, userKeyToken: proof()?.userKeyToken ?? "", joinsQueue: isFull, language };
    const result = await callApi(call.$post({ param: eventParam(item), json, header: ONCE })).catch(refused);
    reached.current = hrefs.to(result.path);
    return result;
  };
  const act = useRegistrationTexts().act(isFull);
  return (
    <MypageSection title={texts.guestTitle(isFull)} hint={texts.guestHint}>
      <Alert className="mb-6" title={texts.forMembers}>
        <SigninLink item={item} />
      </Alert>
      <AnswerForm
        label={act}
        submitLabel={act}
        {...{ questions, questionsVersion, fees }}
        problems={() => ({
          ...(userName.trim() === "" && { userName: texts.nameMissing }),
          ...(!proof()?.isVerified && { userKeyToken: unverified.Email }),
        })}
        send={register}
        done={({ isNew, status }) =>
          isNew ? texts.done[status === "waiting" ? "waiting" : "confirmed"] : texts.already
        }
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
