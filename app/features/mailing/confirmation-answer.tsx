import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { EntryCode, type SentCode } from "#app/features/mailing/entry-code.tsx";
import { EntryForm } from "#app/features/mailing/entry-form.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatDate } from "#app/lib/format.ts";
import { returningPath } from "#app/lib/return-url.ts";
import { now } from "#app/lib/clock.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { CONFIRMATION_DONE_PATH, CONFIRMATION_PATH } from "#worker/contract/mailing/round-rules.ts";
import type { ConfirmationPage, OpenEntry } from "#worker/contract/mailing/round-view.ts";

interface ConfirmationAnswerProps {
  token: string;
  page: ConfirmationPage;
}

/** Confirming takes one press; a correction needs a second verification. */
export function ConfirmationAnswer({ token, page }: ConfirmationAnswerProps) {
  const [code, setCode] = useState<SentCode | null>(null);
  const [entry, setEntry] = useState<OpenEntry | null>(null);
  const navigate = useNavigate();
  const { busy, run, message } = useAction({ reloads: "never" });
  const calls = api.confirmation[":token"];
  const param = { token };
  const answerYes = async (event: FormEvent) => {
    event.preventDefault();
    const query = { version: String(page.version) };
    if (await run(() => callApi(calls.yes.$post({ param, query })), null)) await navigate(CONFIRMATION_DONE_PATH);
  };
  const sendCode = () =>
    run(async () => {
      const { codeToken, resendSeconds } = await callApi(calls.code.$post({ param, json: {} }));
      const sentAt = now();
      setCode({ codeToken, sentAt, resendAt: sentAt + resendSeconds * 1000 });
    }, `${page.address} 주소로 인증번호를 보냈습니다.`);
  const openAsOwner = () => run(async () => setEntry(await callApi(calls.open.$post({ param, json: {} }))), null);

  if (entry) return <EntryForm token={token} entry={entry} />;
  if (code)
    return (
      <EntryCode token={token} address={page.address} code={code} busy={busy} onResend={sendCode} onOpen={setEntry}>
        <ErrorAlert>{message}</ErrorAlert>
      </EntryCode>
    );
  return (
    <>
      <MaskedLines page={page} />
      <ErrorAlert className="mt-6">{message}</ErrorAlert>
      {/* A plain form works without JavaScript; only a press of the button sends it. */}
      <form
        method="post"
        action={`/api/confirmation/${token}/yes?version=${page.version}`}
        onSubmit={(event) => void answerYes(event)}
        className="mt-8"
      >
        <Button type="submit" variant="primary" size="lg" className="w-full" busy={busy}>
          네, 맞습니다
        </Button>
      </form>
      {page.canCorrect ? (
        <div className="mt-8 border-t border-gray-20 pt-6">
          <h2 className="text-lg">달라진 것이 있습니까?</h2>
          <p className="mt-2 text-gray-60">
            {page.isOwner
              ? "로그인하고 계시므로 바로 고치실 수 있습니다."
              : `본인인지 한 번 더 확인합니다. 이 메일을 받으신 주소(${page.address})로 인증번호를 보내 드립니다.`}
          </p>
          <div className="mt-4 flex flex-wrap gap-2">
            {page.isOwner ? (
              <Button className="needs-script" busy={busy} onClick={() => void openAsOwner()}>
                정보 고치기
              </Button>
            ) : (
              <>
                <Button className="needs-script" busy={busy} onClick={() => void sendCode()}>
                  인증번호 받고 고치기
                </Button>
                {page.hasOwner && (
                  <ButtonLink variant="quiet" to={returningPath("/account/signin", CONFIRMATION_PATH + token)}>
                    로그인하고 고치기
                  </ButtonLink>
                )}
              </>
            )}
          </div>
        </div>
      ) : (
        <p className="mt-6 text-gray-60">달라진 것이 있으면 이 페이지 아래의 연락처로 사무국에 알려 주십시오.</p>
      )}
    </>
  );
}

function MaskedLines({ page: { lines, endDate } }: Pick<ConfirmationAnswerProps, "page">) {
  return (
    <>
      <p className="text-gray-70">
        다른 사람이 알아보지 못하도록 일부를 가렸습니다. {formatDate(endDate)}까지 답하실 수 있습니다.
      </p>
      <dl className="tabular mt-5 divide-y divide-gray-20 border-y border-gray-20">
        {lines.map(({ field, text }) => (
          <div key={field} className="grid grid-cols-[6.5rem_1fr] gap-x-4 py-3">
            <dt className="text-gray-60">{ALUMNI_COLUMN_LABELS[field]}</dt>
            <dd className="min-w-0 break-all">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
