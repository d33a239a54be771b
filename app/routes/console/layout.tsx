import { type LinksFunction, type MetaFunction, Outlet } from "react-router";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { ConsoleShell } from "#app/features/site/console/console-shell.tsx";
import consoleCss from "#app/features/site/console/console.css?url";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { useEffect, useState } from "react";
import { formText } from "#app/features/form/action.tsx";
import { LongReasonField } from "#app/features/form/reason-field.tsx";
import { type AskedProof, type SendProof, setProofPrompt } from "#app/lib/asked-proof.ts";
import { Field } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import { findConsolePage } from "#worker/contract/kernel/console/console-pages.ts";
import type { ConsoleEntryProof } from "#worker/contract/kernel/second-factor.ts";
import { getConsoleWaiting } from "#worker/domain/operation/waiting.server.ts";
import type { Route } from "./+types/layout";

export const handle = { ownFrame: true };

/** The page's name in the menu; a page with another title has its own. */
export const meta: MetaFunction = ({ location, matches }) =>
  titledMeta(findConsolePage(location.pathname)?.label ?? "", "관리")({ matches });

export const links: LinksFunction = () => [{ rel: "stylesheet", href: consoleCss }];

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getConsoleWaiting(scope));

export default function ConsoleLayout({ loaderData }: Route.ComponentProps) {
  return (
    <ConsoleShell waiting={loaderData}>
      <SigninGate className="mx-auto max-w-[96rem] min-w-0">
        <Outlet />
      </SigninGate>
      <ProofPrompt />
    </ConsoleShell>
  );
}

interface Entry {
  asked: AskedProof;
  send: SendProof;
  settle: () => void;
  fail: (error: unknown) => void;
}

/** Keeps the reason and the password in the dialog until the server accepts them. */
function ProofPrompt() {
  const [entry, setEntry] = useState<Entry | null>(null);
  const [errors, setErrors] = useState<ConsoleEntryProof>({});
  const [busy, setBusy] = useState(false);
  useEffect(
    () =>
      setProofPrompt((asked, send) => {
        setErrors({});
        return new Promise<void>((settle, fail) => setEntry({ asked, send, settle, fail }));
      }),
    [],
  );
  const close = () => {
    setEntry(null);
    entry?.settle();
  };
  const isEntry = entry?.asked.kind !== "reason";
  const submit = async (form: FormData) => {
    const reason = formText(form, "reason");
    const password = String(form.get("password") ?? "");
    const missing = {
      ...(reason ? {} : { reason: "사유를 입력해 주십시오." }),
      ...(password || !isEntry ? {} : { password: "비밀번호를 입력해 주십시오." }),
    };
    setErrors(missing);
    if (!entry || Object.keys(missing).length > 0) return;
    setBusy(true);
    try {
      const wrong = await entry.send(isEntry ? { reason, password } : { reason });
      if (wrong === null) close();
      else setErrors({ password: wrong });
    } catch (error) {
      setEntry(null);
      entry.fail(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      open={entry !== null}
      onClose={close}
      title={isEntry ? "관리 화면 권한 주기" : "중요한 설정 바꾸기"}
      size="sm"
      submitLabel={isEntry ? "권한 주기" : "바꾸기"}
      danger
      busy={busy}
      onSubmit={(form) => void submit(form)}
    >
      {entry?.asked.kind === "reason" ? (
        <>
          <p className="text-gray-70">
            돈이나 메일이 가는 곳, 증명서의 발급자를 정하는 항목({entry.asked.labels})을 바꾸십니다. 바꾸기 전과 뒤의
            내용을 모든 시스템 관리자에게 메일로 알립니다.
          </p>
          <LongReasonField hint="메일에 함께 적고 감사 기록에 남깁니다." error={errors.reason} />
        </>
      ) : (
        <>
          <p className="text-gray-70">
            관리 화면에 들어올 수 있는 사람이 늘어납니다. 사유와 본인의 현재 비밀번호를 입력해 주십시오. 사유는 감사
            기록에 남습니다.
          </p>
          <LongReasonField hint="누구에게 왜 주는지 적어 주십시오." error={errors.reason} />
          <Field label="현재 비밀번호" required error={errors.password}>
            <PasswordInput name="password" autoComplete="current-password" />
          </Field>
        </>
      )}
    </FormDialog>
  );
}
