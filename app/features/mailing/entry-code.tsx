import { type ReactNode, useEffect, useRef } from "react";
import { CodeField } from "#app/features/account/code-field.tsx";
import { KOREAN_CODE_TEXTS } from "#app/features/account/error-messages.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { SubmitButton, ValidatedForm } from "#app/features/form/validated-form.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import type { OpenEntry } from "#worker/contract/mailing/round-view.ts";

/** Times are by the server's clock. */
export interface SentCode {
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
export function EntryCode({ token, address, code, busy, onResend, onOpen, children }: EntryCodeProps) {
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
