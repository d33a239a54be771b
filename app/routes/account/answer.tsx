import { AccountPage } from "#app/features/account/account-page.tsx";
import { formatDate, formatDateTime } from "#app/lib/format.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import { answerPath } from "#worker/contract/mailing/input.ts";
import { ANSWER_REFUSED } from "#worker/contract/mailing/question.ts";
import { getQuestion } from "#worker/domain/mailing/question.server.ts";
import type { Route } from "./+types/answer";

/** GET changes nothing, because mail programs prefetch links. */
export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const { token, answer } = readPagePath(answerPath, params, ANSWER_REFUSED);
  return { token, chosen: answer, page: await getQuestion(await scope.context(), token, answer) };
});

export const meta = titledMeta("질문에 답하기");

export default function AnswerPage({ loaderData: { token, chosen, page } }: Route.ComponentProps) {
  const { text, answers, answer, answeredDate, answerUntil } = page;
  const until = answerUntil ? `${formatDate(answerUntil)}까지 바꾸실 수 있습니다.` : "나중에 바꾸실 수 있습니다.";
  const others = answers.flatMap((name, at) => (at + 1 === chosen ? [] : [{ name, place: at + 1 }]));
  return (
    <AccountPage title="질문에 답하기">
      <p className="text-lg font-semibold whitespace-pre-wrap">{text}</p>
      {answer !== null && (
        <Alert tone="success" className="mt-5">
          <p role="status">
            {withParticle(answers[answer - 1] ?? "", "으로/로")} 답하셨습니다({formatDateTime(answeredDate ?? "")}).{" "}
            {until}
          </p>
        </Alert>
      )}
      {answer !== chosen && <AnswerForm token={token} place={chosen} name={answers[chosen - 1] ?? ""} isChosen />}
      <p className="mt-8 mb-3 text-gray-60">
        {answer === chosen ? "답을 바꾸시려면 아래에서 누르십시오." : "다르게 답하시려면 아래에서 누르십시오."}
      </p>
      <ul className="grid gap-2">
        {others
          .filter(({ place }) => place !== answer)
          .map(({ name, place }) => (
            <li key={place}>
              <AnswerForm token={token} place={place} name={name} />
            </li>
          ))}
      </ul>
      {answer === null && <p className="mt-6 text-sm text-gray-60">답하신 뒤에도 {until}</p>}
    </AccountPage>
  );
}

interface AnswerFormProps {
  token: string;
  place: number;
  name: string;
  isChosen?: boolean;
}

/** A plain form works without JavaScript and sign-in; only a press of the button sends it. */
function AnswerForm({ token, place, name, isChosen = false }: AnswerFormProps) {
  return (
    <form method="post" action={`/api/mailing-answer/${token}/${place}`} className={isChosen ? "mt-8" : ""}>
      <Button
        type="submit"
        variant={isChosen ? "primary" : "secondary"}
        size={isChosen ? "lg" : "md"}
        className="w-full"
      >
        {withParticle(name, "으로/로")} 답하기
      </Button>
    </form>
  );
}
