import { useState } from "react";
import { ActionDialog } from "#app/features/form/action-dialog.tsx";
import { formText, REASON_HINT, useAction } from "#app/features/form/action.tsx";
import { LongReasonField } from "#app/features/form/reason-field.tsx";
import { describeTextLength, TextMessagePreview } from "./text-message-preview.tsx";
import { LeftOutList } from "#app/features/mailing/left-out-list.tsx";
import { MessagePreview } from "#app/features/mail/message-preview.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount, formatDateTime } from "#app/lib/format.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import { MESSAGE_CHANNEL_NAMES } from "#worker/contract/mail/mail.ts";
import type { MailingPreview } from "#worker/domain/mailing/preview-mailing.server.ts";
import type { MailingView } from "#worker/domain/mailing/mailing.server.ts";

export function MailingCheck({ mailing, preview }: { mailing: MailingView; preview: MailingPreview }) {
  const [shown, setShown] = useState(0);
  const [sending, setSending] = useState(false);
  const { busy, run, problem } = useAction({ reloads: "never" });
  const sample = preview.samples[shown];
  const { channel } = mailing;
  const own = channel === "email" ? mailing.own.email : mailing.own.mobile;
  const testName = `시험 ${MESSAGE_CHANNEL_NAMES[channel]}`;
  const test = () =>
    run(
      () => callApi(api.admin.mailing[":id"].test.$post({ param: { id: mailing.id } })),
      `${withParticle(testName, "을/를")} ${withParticle(own ?? "", "으로/로")} 보냅니다.`,
    );
  return (
    <div className="grid min-w-0 gap-5 xl:sticky xl:top-[calc(var(--header-height)+1rem)]">
      <PreviewCounts preview={preview} />
      {sample && (
        <>
          <Field label="받을 사람 보기">
            <Select
              value={String(shown)}
              onChange={(event) => setShown(Number(event.target.value))}
              options={preview.samples.map(({ name, address }, at) => ({
                value: String(at),
                label: `${name} (${address})`,
              }))}
            />
          </Field>
          {channel === "email" ? (
            <MessagePreview subject={sample.subject} text={sample.text} origin={globalThis.location?.origin ?? ""} />
          ) : (
            <TextMessagePreview channel={channel} text={sample.text} />
          )}
        </>
      )}
      <ErrorAlert>{problem}</ErrorAlert>
      <div className="flex flex-wrap gap-2">
        <Button busy={busy} disabled={own === null} onClick={() => void test()}>
          나에게 {testName} 보내기
        </Button>
        <Button variant="primary" disabled={preview.count === 0} onClick={() => setSending(true)}>
          {formatCount(preview.count)}명에게 보내기
        </Button>
      </div>
      {own === null && (
        <p className="text-sm text-gray-60">
          회원정보에 {channel === "email" ? "이메일이" : "휴대전화번호가"} 없어 {withParticle(testName, "을/를")} 보낼
          수 없습니다.
        </p>
      )}
      <SendDialog mailing={mailing} count={preview.count} open={sending} onClose={() => setSending(false)} />
    </div>
  );
}

function PreviewCounts({ preview }: { preview: MailingPreview }) {
  const { count, leftOut, unreachable, bytes, emptyFields, notBefore } = preview;
  return (
    <Alert tone={count === 0 ? "warning" : "info"}>
      <p role="status" className="font-bold">
        {formatCount(count)}명이 받습니다.
      </p>
      <LeftOutList leftOut={leftOut} names={unreachable} />
      {bytes !== null && <p className="mt-1">가장 길 때 {describeTextLength(bytes)}입니다.</p>}
      {emptyFields.map(({ field, count: empty, names }) => (
        <p key={field} className="mt-1">
          {`{{${field}}}`} 항목이 비어 있는 사람이 {formatCount(empty)}명 있습니다: {names.join(", ")}
          {empty > names.length && ` 외 ${formatCount(empty - names.length)}명`}
        </p>
      ))}
      {notBefore && <p className="mt-1">광고는 밤에 보내지 않으므로 {formatDateTime(notBefore)}부터 보냅니다.</p>}
    </Alert>
  );
}

interface SendDialogProps {
  mailing: MailingView;
  count: number;
  open: boolean;
  onClose: () => void;
}

function SendDialog({ mailing, count, open, onClose }: SendDialogProps) {
  const send = (form: FormData) => {
    const moment = formText(form, "sendDate");
    const json = {
      version: mailing.version,
      count,
      reason: formText(form, "reason").trim(),
      // The input has no time zone; its value is Korean time.
      ...(moment ? { sendDate: `${moment}:00+09:00` } : {}),
    };
    return callApi(api.admin.mailing[":id"].send.$post({ param: { id: mailing.id }, json }));
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={`${formatCount(count)}명에게 보내시겠습니까?`}
      submitLabel="보내기"
      work={send}
      done={`${formatCount(count)}명에게 보내도록 했습니다.`}
      errorOf={({ fields, message }) => (fields.reason || fields.sendDate ? null : message)}
    >
      {(errors) => (
        <>
          <p>지금 받을 사람을 정합니다. 보낸 뒤에는 글을 고칠 수 없습니다.</p>
          <Field label="보낼 때" hint="비워 두면 바로 보냅니다. 한국 시각입니다." error={errors.sendDate}>
            <Input name="sendDate" type="datetime-local" />
          </Field>
          <LongReasonField hint={REASON_HINT} error={errors.reason} />
        </>
      )}
    </ActionDialog>
  );
}
