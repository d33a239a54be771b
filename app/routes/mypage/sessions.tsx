import { pageLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { listSessions, type SessionView } from "#worker/domain/account/user-session.server.ts";
import type { Route } from "./+types/sessions";
import { useState } from "react";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Badge, Time } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import { enterMessage } from "#app/features/account/error-messages.ts";
import { credentialErrorsByField, CurrentPasswordField } from "#app/features/account/mypage/current-password-field.tsx";
import { type FormErrors, useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { FormDialog } from "#app/ui/form-dialog.tsx";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const { userId } = requireSignedIn(ctx);
  return { userId, sessions: await listSessions(ctx, userId) };
});

export default function MypageSessions({ loaderData }: Route.ComponentProps) {
  return <SessionList {...loaderData} />;
}

function SessionList({ userId, sessions }: { userId: string; sessions: SessionView[] }) {
  const [endingOthers, setEndingOthers] = useState(false);
  const endQuestion = ({ sid, device }: SessionView): Question => ({
    label: "로그아웃",
    title: "이 기기에서 로그아웃하시겠습니까?",
    text: <p>{device}에서 작성하던 내용이 있으면 저장되지 않을 수 있습니다.</p>,
    work: () => callApi(api.user[":id"].sessions[":sid"].$delete({ param: { id: userId, sid } })),
    done: "선택하신 기기에서 로그아웃하였습니다.",
  });
  return (
    <MypageSection
      title="로그인 기기"
      hint="지금 로그인되어 있는 기기입니다. 모르는 기기가 있으면 로그아웃하고 비밀번호를 바꾸어 주십시오."
    >
      <ul className="divide-y divide-gray-20 border-y border-gray-20">
        {sessions.map((session) => (
          <li key={session.sid} className="flex flex-wrap items-center justify-between gap-4 py-4">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-semibold text-gray-90">
                {session.device}
                {session.current && <Badge tone="primary">현재 기기</Badge>}
              </p>
              <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-gray-60">
                <span>
                  마지막 사용 <Time date={session.lastUsedDate} format="datetime" />
                </span>
                <span>
                  로그인 <Time date={session.createdDate} format="datetime" />
                </span>
                <span>접속 IP {session.address}</span>
              </p>
            </div>
            {!session.current && (
              <QuestionButton question={endQuestion(session)} className="needs-script">
                로그아웃<span className="sr-only"> ({session.device})</span>
              </QuestionButton>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button className="needs-script mt-6" onClick={() => setEndingOthers(true)}>
          다른 기기에서 모두 로그아웃
        </Button>
      )}
      <EndOthersDialog userId={userId} open={endingOthers} onClose={() => setEndingOthers(false)} />
    </MypageSection>
  );
}

/** Asks for the password so that a stranger cannot end the owner's other sessions. */
function EndOthersDialog({ userId, open, onClose }: { userId: string; open: boolean; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const { errors, setErrors, busy, send } = useCheckedForm({ toErrors: credentialErrorsByField });
  const close = () => {
    setPassword("");
    setErrors({});
    onClose();
  };
  const submit = async () => {
    const found: FormErrors = password === "" ? { currentPassword: enterMessage("현재 비밀번호") } : {};
    const calls = api.user[":id"].sessions["end-others"];
    const work = () => callApi(calls.$post({ param: { id: userId }, json: { password } }));
    if (await send(found, work, ({ ended }) => `다른 기기 ${ended}곳에서 로그아웃하였습니다.`)) close();
  };
  return (
    <FormDialog
      open={open}
      onClose={close}
      title="다른 기기에서 모두 로그아웃하시겠습니까?"
      submitLabel="모두 로그아웃"
      busy={busy}
      error={errors.form}
      onSubmit={() => void submit()}
    >
      <p className="text-gray-70">
        이 기기를 뺀 모든 기기에서 로그아웃됩니다. 현재 비밀번호를 한 번 더 입력해 주십시오.
      </p>
      <CurrentPasswordField value={password} onValue={setPassword} error={errors.currentPassword} />
    </FormDialog>
  );
}
