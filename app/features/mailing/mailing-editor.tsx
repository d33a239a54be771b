import { type FormEvent, useRef, useState } from "react";
import { AlimtalkFields, ChannelChoice } from "./channel-fields.tsx";
import { draftOf, QuestionFields, questionOf } from "./question-fields.tsx";
import { TextMessageBytes } from "./text-message-preview.tsx";
import { MailingCheck } from "#app/features/mailing/mailing-check.tsx";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { SingleFileControl, UPLOADING } from "#app/features/alumni/own-field-control.tsx";
import { formText, useAction } from "#app/features/form/action.tsx";
import { useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox, RadioGroup } from "#app/ui/choice.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Field, Input, Textarea } from "#app/ui/field.tsx";
import { usePlaceholderInsertion } from "#app/features/mail/use-placeholder-insertion.ts";
import {
  MAIL_TEMPLATE_LIMITS,
  type MailKind,
  MESSAGE_CHANNEL_NAMES,
  type MessageChannel,
  TEXT_ADVERTISING_AGREEMENT,
} from "#worker/contract/mail/mail.ts";
import {
  ADVERTISING_BY_ALIMTALK,
  ATTACHMENT_LIMITS,
  fileIdFromAddress,
  MAILING_FILES_MAX,
  type MailingFile,
  REFUSAL_FIELD,
} from "#worker/contract/mailing/mailing.ts";
import { SITE_LINK_FIELD, SITE_NAME_FIELD } from "#worker/contract/mail/templates.ts";
import type { OwnFile } from "#worker/contract/alumni/own-fields.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import type { MailingPreview } from "#worker/domain/mailing/preview-mailing.server.ts";
import type { MailingView } from "#worker/domain/mailing/mailing.server.ts";

const KINDS = [
  { value: "informational", label: "업무 안내" },
  { value: "advertising", label: "광고·홍보" },
];
const INFORMATION_HINT = "총회나 회비처럼 꼭 알려야 하는 것입니다. 고른 사람 모두에게 나갑니다.";

function kindHint(kind: MailKind, channel: MessageChannel): string {
  if (channel === "alimtalk") return ADVERTISING_BY_ALIMTALK;
  if (kind === "informational") return INFORMATION_HINT;
  const night = "밤 9시부터 아침 8시 사이에는 기다렸다가 보냅니다.";
  return channel === "email"
    ? `소식지 수신에 동의한 회원에게만, 제목에 '(광고)'를 붙여 보냅니다. 아래에 보낸 곳과 수신 거부 주소가 붙고, ${night}`
    : `문자 광고 수신에 동의한 회원에게만 보냅니다('동의 문서'의 코드 ${TEXT_ADVERTISING_AGREEMENT}). 앞에 '(광고)'와 보낸 곳이, 끝에 무료수신거부 주소가 붙고, ${night}`;
}

type Described = Pick<MailingView, "channel" | "subject" | "text" | "kind" | "templateCode"> & {
  attachment: OwnFile | null;
};
const describeMailing = ({ channel, subject, text, kind, templateCode, attachment }: Described) => ({
  방법: MESSAGE_CHANNEL_NAMES[channel],
  종류: kind === "advertising" ? "광고·홍보" : "업무 안내",
  제목: subject,
  ...(channel === "alimtalk" ? { "템플릿 코드": templateCode } : { 본문: text }),
  첨부파일: attachment?.fileName ?? "",
});

export function MailingEditor({ mailing }: { mailing: MailingView }) {
  const [draft, setDraft] = useState(mailing);
  const [fileIds, setFileIds] = useState(() => mailing.files.map(({ id }) => id));
  const [question, setQuestion] = useState(() => draftOf(mailing.isReminder ? null : mailing.asked));
  const [preview, setPreview] = useState<MailingPreview | null>(null);
  useUnsavedCheck(
    () =>
      fileIds.join() !== mailing.files.map(({ id }) => id).join() ||
      (!mailing.isReminder && JSON.stringify(question) !== JSON.stringify(draftOf(mailing.asked))),
  );
  const saving = useAction();
  // Is a separate action so that errors that prevent sending do not prevent saving.
  const checking = useAction({ reloads: "never" });
  const busy = saving.busy || checking.busy;
  const fields = { ...saving.fields, ...checking.fields };
  const general = saving.general ?? checking.general;
  const { conflict, generation, versionToSend, keep, take } = useConflict({
    latest: mailing,
    describe: describeMailing,
    isConflict: saving.isConflict,
  });
  const param = { id: mailing.id };
  const calls = api.admin.mailing[":id"];
  const change = (changes: Partial<MailingView>) => {
    setDraft({ ...draft, ...changes });
    setPreview(null);
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = formText(new FormData(event.currentTarget), "attachment");
    const attachment = sent && sent !== UPLOADING ? (JSON.parse(sent) as OwnFile) : null;
    const { channel, kind, subject, text, isEach, keepsEmpty, templateCode } = draft;
    const templateValues = templateCode === mailing.templateCode ? draft.templateValues : {};
    const isPreviewed = (event.nativeEvent as SubmitEvent).submitter?.getAttribute("value") === "preview";
    const json = {
      channel,
      kind,
      subject,
      text,
      templateCode,
      templateValues,
      fileIds: channel === "alimtalk" ? [] : fileIds,
      attachmentId: attachment?.fileId ?? null,
      isEach,
      keepsEmpty,
      question: channel === "email" ? questionOf(question) : null,
      version: versionToSend(event, describeMailing({ ...draft, attachment })),
    };
    void save(json, isPreviewed, sent === UPLOADING);
  };
  const save = async (json: Parameters<typeof calls.$patch>[0]["json"], isPreviewed: boolean, isUploading: boolean) => {
    checking.clear();
    const work = async () => {
      if (isUploading) throw invalidInput({ attachmentId: "파일을 다 올린 뒤에 저장해 주십시오." });
      keep((await callApi(calls.$patch({ param, json }))).version);
    };
    if (!(await saving.run(work, isPreviewed ? null : "저장하였습니다."))) return;
    if (isPreviewed)
      await checking.run(async () => setPreview(await callApi(calls.preview.$post({ param }))), null, false);
  };
  const takeTheirs = () => {
    take();
    setDraft(mailing);
    setFileIds(mailing.files.map(({ id }) => id));
    setQuestion(draftOf(mailing.isReminder ? null : mailing.asked));
    setPreview(null);
    saving.clear();
  };
  const { channel } = draft;
  const placeholders = [
    ...mailing.fields,
    SITE_NAME_FIELD,
    SITE_LINK_FIELD,
    ...(channel === "sms" ? [REFUSAL_FIELD] : []),
  ];
  const { area, insert: insertInText } = usePlaceholderInsertion();
  const { area: subjectInput, insert: insertInSubject } = usePlaceholderInsertion<HTMLInputElement>();
  const [last, setLast] = useState<"text" | "subject">("text");
  const insert = last === "subject" && channel === "email" ? insertInSubject : insertInText;

  return (
    <div className="grid items-start gap-8 xl:grid-cols-2">
      <form onSubmit={submit} noValidate className="grid min-w-0 gap-5">
        <ChannelChoice
          channel={channel}
          isSetUp={mailing.isSetUp}
          error={fields.channel}
          onChange={(next) => change({ channel: next, ...(next === "alimtalk" ? { kind: "informational" } : {}) })}
        />
        <RadioGroup
          legend="종류"
          name="kind"
          options={channel === "alimtalk" ? KINDS.slice(0, 1) : KINDS}
          value={draft.kind}
          onChange={(kind) => change({ kind: kind as MailKind })}
          hint={kindHint(draft.kind, channel)}
          error={fields.kind}
          required
        />
        <Field
          label="제목"
          required
          hint={channel === "email" ? undefined : "보낸 목록에서 알아보는 이름입니다. 받는 사람에게는 나가지 않습니다."}
          error={fields.subject}
        >
          <Input
            ref={subjectInput}
            onFocus={() => setLast("subject")}
            value={draft.subject}
            onChange={(event) => change({ subject: event.target.value })}
            maxLength={MAIL_TEMPLATE_LIMITS.subject}
          />
        </Field>
        {channel === "alimtalk" ? (
          <AlimtalkFields
            mailing={mailing}
            code={draft.templateCode}
            values={draft.templateValues}
            errors={fields}
            busy={busy}
            onChange={change}
          />
        ) : (
          <>
            <Field label="본문" required error={fields.text}>
              <Textarea
                ref={area}
                onFocus={() => setLast("text")}
                value={draft.text}
                onChange={(event) => change({ text: event.target.value })}
                rows={12}
                className="min-h-72"
                maxLength={MAIL_TEMPLATE_LIMITS.text}
              />
            </Field>
            {channel === "sms" && <TextMessageBytes text={draft.text} />}
            <div>
              <p className="mb-2 text-sm text-gray-60">
                누르면 {channel === "email" && "제목이나 "}본문의 커서 자리에 들어갑니다. 보낼 때 받는 사람에 맞는
                값으로 바뀝니다.
              </p>
              <ul className="flex flex-wrap gap-2">
                {placeholders.map((name) => (
                  <li key={name}>
                    <Button size="sm" onClick={() => insert(name)}>
                      {`{{${name}}}`}
                    </Button>
                  </li>
                ))}
              </ul>
            </div>
            {channel === "email" && (
              <SingleFileControl
                key={generation}
                id="attachment"
                name="attachment"
                label="첨부파일"
                stored={mailing.attachment}
                write={JSON.stringify}
                limits={ATTACHMENT_LIMITS}
                error={fields.attachmentId}
                onChange={() => setPreview(null)}
              />
            )}
            <MailingFiles
              files={mailing.files}
              ids={fileIds}
              error={fields.fileIds}
              onChange={(ids) => {
                setFileIds(ids);
                setPreview(null);
              }}
            />
          </>
        )}
        {channel === "email" &&
          (mailing.isReminder && mailing.asked ? (
            <p className="rounded-lg bg-gray-5 px-5 py-4">
              ‘{mailing.asked.text}’ 질문의 답 주소가 글 뒤에 다시 붙습니다. 보내기 전에 답한 사람은 빠집니다.
            </p>
          ) : (
            <QuestionFields
              question={question}
              errors={fields}
              onChange={(next) => {
                setQuestion(next);
                setPreview(null);
              }}
            />
          ))}
        <div className="grid">
          {channel !== "alimtalk" && (
            <Checkbox
              label="넣은 항목이 비어 있는 사람에게도 보내기"
              checked={draft.keepsEmpty}
              onChange={(event) => change({ keepsEmpty: event.target.checked })}
            />
          )}
          <Checkbox
            label="같은 주소나 번호를 함께 쓰는 사람에게도 각각 보내기"
            checked={draft.isEach}
            onChange={(event) => change({ isEach: event.target.checked })}
          />
        </div>
        <ConflictAlert conflict={conflict} busy={busy} onTake={takeTheirs} />
        <ErrorAlert>{!conflict && general}</ErrorAlert>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" value="preview" busy={busy}>
            저장하고 미리보기
          </Button>
          <Button type="submit" value="save" busy={busy}>
            저장
          </Button>
        </div>
      </form>
      {preview ? (
        <MailingCheck mailing={mailing} preview={preview} />
      ) : (
        <p className="rounded-lg bg-gray-5 px-5 py-8 text-center text-gray-60 xl:sticky xl:top-[calc(var(--header-height)+1rem)]">
          미리보기를 하면 몇 명이 받는지와 실제로 받을 세 사람의 글을 보여 드립니다. 그 뒤에 보낼 수 있습니다.
        </p>
      )}
    </div>
  );
}

interface MailingFilesProps {
  files: readonly MailingFile[];
  ids: readonly string[];
  error: string | undefined;
  onChange: (ids: string[]) => void;
}

/** Links to files of board items; recipients need download permission there. */
function MailingFiles({ files, ids, error, onChange }: MailingFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const nameOf = (id: string) => {
    const known = files.find((file) => file.id === id);
    return known ? `${known.fileName} (${formatBytes(known.size)})` : "저장하면 이름이 나옵니다";
  };
  const add = () => {
    const id = fileIdFromAddress(input.current?.value ?? "");
    if (!id) return setProblem("이 사이트의 첨부파일 주소를 붙여 넣어 주십시오.");
    setProblem(null);
    if (input.current) input.current.value = "";
    if (!ids.includes(id)) onChange([...ids, id]);
  };
  return (
    <div className="grid gap-2">
      <Field
        label="게시판 파일의 링크"
        hint="게시판 글에 올린 파일의 주소를 복사해 붙여 넣습니다. 링크로 들어가며, 그 글의 파일을 내려받을 수 있는 사람만 열 수 있습니다."
        error={problem ?? error}
      >
        <span className="flex gap-2">
          <Input ref={input} type="url" disabled={ids.length >= MAILING_FILES_MAX} />
          <Button className="shrink-0" onClick={add} disabled={ids.length >= MAILING_FILES_MAX}>
            붙이기
          </Button>
        </span>
      </Field>
      {ids.length > 0 && (
        <ul className="grid gap-1">
          {ids.map((id) => (
            <li key={id} className="flex items-center justify-between gap-3 rounded-md bg-gray-5 px-3 py-1.5">
              <span className="min-w-0">{nameOf(id)}</span>
              <Button
                size="sm"
                variant="quiet"
                className="shrink-0"
                onClick={() => onChange(ids.filter((each) => each !== id))}
              >
                빼기<span className="sr-only">: {nameOf(id)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
