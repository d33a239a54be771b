import { useState } from "react";
import { MessagePreview } from "#app/features/mail/message-preview.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount, formatDateTime } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { RadioGroup } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { Input } from "#app/ui/input.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { memberFilterOf } from "#app/features/member/member-columns.tsx";
import type { BulkMailResult } from "#worker/contract/member/view.ts";
import { type MailKind, MAIL_TEMPLATE_LIMITS } from "#worker/contract/mail/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

interface MemberMailButtonProps {
  /** Those chosen; nobody chosen means all whom the filter shows. */
  ids: readonly string[];
  params: URLSearchParams;
  total: number;
}

/** One message to many members: written, previewed with how many it reaches, then sent. */
export function MemberMailButton({ ids, params, total }: MemberMailButtonProps) {
  const [open, setOpen] = useState(false);
  const count = ids.length || total;
  return (
    <>
      <Button size="sm" disabled={count === 0} onClick={() => setOpen(true)}>
        메일 보내기
      </Button>
      {open && <MailDialog ids={ids} params={params} count={count} onClose={() => setOpen(false)} />}
    </>
  );
}

const KINDS = [
  { value: "informational", label: "업무 안내" },
  { value: "advertising", label: "광고·홍보" },
];
const HINTS: Record<MailKind, string> = {
  informational: "총회나 회비처럼 회원에게 꼭 알려야 하는 것입니다. 선택한 회원 모두에게 나갑니다.",
  advertising:
    "소식지 수신에 동의한 회원에게만, 제목에 '(광고)'를 붙여 보냅니다. 보낸 곳과 수신 거부 주소가 아래에 붙고, 밤 9시부터 아침 8시 사이에는 기다렸다가 보냅니다.",
};

function MailDialog({
  ids,
  params,
  count,
  onClose,
}: Omit<MemberMailButtonProps, "total"> & { count: number; onClose: () => void }) {
  // One a dialog: however often it is sent, nobody gets two.
  const [key] = useState(() => crypto.randomUUID());
  const [kind, setKind] = useState<MailKind>("informational");
  const [subject, setSubject] = useState("");
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  const [checked, setChecked] = useState<BulkMailResult | null>(null);
  const { busy, run, fields, message } = useAction();
  const target = ids.length > 0 ? { ids: [...ids] } : { filter: memberFilterOf(params) };
  const send = (dryRun: boolean) =>
    callApi(api.admin.member.mail.$post({ json: { target, kind, subject, text, reason, key, dryRun } }));
  const submit = async () => {
    if (checked === null) {
      await run(async () => setChecked(await send(true)), "받을 회원 수를 확인하였습니다.", false);
      return;
    }
    if (await run(() => send(false), `${formatCount(checked.count)}명에게 보내도록 하였습니다.`)) onClose();
  };
  const who = ids.length > 0 ? `선택한 회원 ${formatCount(count)}명` : `목록의 회원 ${formatCount(count)}명 모두`;
  return (
    <FormDialog
      open
      size="lg"
      title={`${who}에게 메일 보내기`}
      onClose={onClose}
      submitLabel={checked === null ? "미리보기" : `${formatCount(checked.count)}명에게 보내기`}
      disabled={checked?.count === 0}
      busy={busy}
      error={Object.keys(fields).every((name) => name === "target") ? message : null}
      onSubmit={() => void submit()}
    >
      {checked === null ? (
        <>
          <RadioGroup
            legend="종류"
            name="kind"
            options={KINDS}
            value={kind}
            onChange={(value) => setKind(value as MailKind)}
            hint={HINTS[kind]}
            required
          />
          <Field label="제목" required error={fields.subject}>
            <Input
              value={subject}
              onChange={(event) => setSubject(event.target.value)}
              maxLength={MAIL_TEMPLATE_LIMITS.subject}
            />
          </Field>
          <Field label="본문" required error={fields.text} hint="{{이름}}은 받는 회원의 이름으로 바뀝니다.">
            <Textarea
              value={text}
              onChange={(event) => setText(event.target.value)}
              rows={9}
              maxLength={MAIL_TEMPLATE_LIMITS.text}
            />
          </Field>
          <Field label="사유" required error={fields.reason} hint="감사 기록에 남습니다.">
            <Input
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              maxLength={SIZE_LIMITS.reasonLength}
            />
          </Field>
        </>
      ) : (
        <>
          <MailPreview result={checked} />
          <div>
            <Button onClick={() => setChecked(null)} disabled={busy}>
              고치기
            </Button>
          </div>
        </>
      )}
    </FormDialog>
  );
}

function MailPreview({ result: { count, leftOut, sendDate, sample } }: { result: BulkMailResult }) {
  return (
    <>
      <Alert tone={count === 0 ? "warning" : "info"}>
        <p className="font-bold">{formatCount(count)}명이 받습니다.</p>
        {leftOut > 0 && (
          <p>
            {formatCount(leftOut)}명에게는 보내지 않습니다. 인증된 이메일이 없거나, 차단·탈퇴했거나, 처리정지 중이거나,
            광고 수신에 동의하지 않은 회원입니다.
          </p>
        )}
        {sendDate && <p>광고는 밤에 보내지 않으므로 {formatDateTime(sendDate)}부터 보냅니다.</p>}
      </Alert>
      <MessagePreview {...sample} origin={location.origin} />
    </>
  );
}
