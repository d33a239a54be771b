import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { formText, useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatDate } from "#app/lib/format.ts";
import { returningPath } from "#app/lib/return-url.ts";
import { now } from "#app/lib/clock.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ALUMNI_COLUMN_LABELS, ALUMNI_MAX_LENGTHS } from "#worker/contract/alumni/columns.ts";
import { CONFIRMATION_DONE_PATH, CONFIRMATION_PATH } from "#worker/contract/mailing/round.ts";
import { CodeField } from "#app/features/account/code-field.tsx";
import { KOREAN_CODE_TEXTS } from "#app/features/account/error-messages.ts";
import { SubmitButton, ValidatedForm } from "#app/features/form/validated-form.tsx";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import { hyphenatePhone } from "#app/features/account/hyphenate-phone.ts";
import { Field, Input } from "#app/ui/field.tsx";
import { CORRECTED_FIELDS, type CorrectedField } from "#worker/contract/alumni/confirmation-rules.ts";
import type { ConfirmationPage, OpenEntry } from "#worker/domain/mailing/confirmation.server.ts";

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
            <dd className="min-w-0">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Times are by the server's clock. */
interface SentCode {
  codeToken: string;
  sentAt: number;
  resendAt: number;
}

interface EntryCodeProps {
  token: string;
  /** The masked address. */
  address: string;
  code: SentCode;
  busy: boolean;
  onResend: () => unknown;
  onOpen: (entry: OpenEntry) => void;
  children: ReactNode;
}

/** A code sent to the same mailbox is required before unmasked data is shown. */
function EntryCode({ token, address, code, busy, onResend, onOpen, children }: EntryCodeProps) {
  const input = useRef<HTMLInputElement>(null);
  const checking = useAction({ reloads: "never" });
  useEffect(() => input.current?.focus(), [code]);
  const submit = () =>
    checking.run(async () => {
      const json = { codeToken: code.codeToken, pincode: input.current?.value ?? "" };
      onOpen(await callApi(api.confirmation[":token"].open.$post({ param: { token }, json })));
    }, null);
  return (
    <ValidatedForm onSubmit={() => void submit()} label="인증번호 확인">
      <p className="mb-5">
        <strong>{address}</strong> 주소로 보낸 인증번호를 입력해 주십시오.
      </p>
      <CodeField
        ref={input}
        resendAt={code.resendAt}
        expiresAt={code.sentAt + TOKEN_LIMITS.pincodeTtlSeconds * 1000}
        error={checking.fields.pincode ?? checking.message}
        busy={busy}
        onResend={() => void onResend()}
        texts={KOREAN_CODE_TEXTS}
      />
      {children}
      <SubmitButton busy={checking.busy} className="mt-6 w-full">
        확인
      </SubmitButton>
    </ValidatedForm>
  );
}

const AUTOCOMPLETE: Partial<Record<CorrectedField, string>> = {
  mobile: "tel",
  affiliation: "organization",
  position: "organization-title",
  zipCode: "postal-code",
  address: "street-address",
};
const isNumber = (field: CorrectedField) => field === "mobile" || field === "phone";

function EntryForm({ token, entry }: { token: string; entry: OpenEntry }) {
  const formElement = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const navigate = useNavigate();
  const { busy, run, fields, general } = useAction({ reloads: "never" });
  useEffect(() => heading.current?.focus(), []);
  const shown = CORRECTED_FIELDS.filter((field) => entry.values[field] !== undefined);
  const submit = async () => {
    const form = new FormData(formElement.current ?? undefined);
    const values = Object.fromEntries(shown.map((field) => [field, formText(form, field)]));
    const json = { ...values, version: entry.version, ...(entry.proof ? { proof: entry.proof } : {}) };
    const work = () => callApi(api.confirmation[":token"].correct.$post({ param: { token }, json }));
    if (await run(work, null)) await navigate(CONFIRMATION_DONE_PATH);
  };
  return (
    <ValidatedForm ref={formElement} onSubmit={() => void submit()} label="내 정보">
      <h2 ref={heading} tabIndex={-1} className="mb-2 text-lg outline-none">
        내 정보 고치기
      </h2>
      <p className="mb-5 text-gray-60">이름, 기수와 이메일은 사무국에 알려 주시면 고쳐 드립니다.</p>
      <div className="grid gap-5">
        {shown.map((field) => (
          <Field key={field} label={ALUMNI_COLUMN_LABELS[field]} error={fields[field]}>
            <Input
              name={field}
              type={isNumber(field) ? "tel" : "text"}
              autoComplete={AUTOCOMPLETE[field] ?? "off"}
              defaultValue={entry.values[field]}
              maxLength={ALUMNI_MAX_LENGTHS[field]}
              onInput={(event) => {
                if (field === "mobile") event.currentTarget.value = hyphenatePhone(event.currentTarget.value);
              }}
            />
          </Field>
        ))}
      </div>
      <ErrorAlert className="mt-5">{general}</ErrorAlert>
      <SubmitButton busy={busy} className="mt-6 w-full">
        저장하고 확인
      </SubmitButton>
    </ValidatedForm>
  );
}
