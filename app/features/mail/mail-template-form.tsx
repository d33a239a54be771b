import { type FormEvent, useState } from "react";
import { MessagePreview } from "#app/features/mail/message-preview.tsx";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { useWords } from "#app/lib/use-words.ts";
import { usePlaceholderInsertion } from "#app/lib/use-placeholder-insertion.ts";
import { Textarea } from "#app/ui/textarea.tsx";
import { type Question, QuestionButton } from "#app/features/form/question.tsx";
import type { MailTemplateView } from "#worker/contract/mail/view.ts";
import {
  renderTemplate,
  mailTemplateProblems,
  MAIL_TEMPLATES,
  mailTemplateSamples,
  SITE_LINK_FIELD,
  SITE_NAME_FIELD,
} from "#worker/contract/mail/templates.ts";
import { MAIL_TEMPLATE_LIMITS } from "#worker/contract/mail/rules.ts";
import { withParticle } from "#worker/contract/kernel/particles.ts";

const describeTemplate = ({ subject, text }: Pick<MailTemplateView, "subject" | "text">) => ({
  제목: subject,
  본문: text,
});

/** The text of one mail template, beside what a message made of it looks like. */
export function MailTemplateForm({ template }: { template: MailTemplateView }) {
  const say = useWords();
  const { kind, siteName, origin, ownAddress } = template;
  const [subject, setSubject] = useState(template.subject);
  const [text, setText] = useState(template.text);
  const { busy, run, clear, fields, general, isConflict } = useAction();
  const { conflict, versionToSend, keep, take } = useConflict({
    latest: template,
    describe: describeTemplate,
    isConflict,
  });
  const own = mailTemplateProblems(MAIL_TEMPLATES[kind].fields, { subject, text });
  const values = { ...mailTemplateSamples(kind, origin), [SITE_NAME_FIELD]: siteName, [SITE_LINK_FIELD]: origin };
  const preview = renderTemplate({ subject, text }, values);
  const at = { param: { kind } };
  const calls = api.admin["mail-template"][":kind"];

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const json = { subject, text, version: versionToSend(event, describeTemplate({ subject, text })) };
    const work = async () => keep((await callApi(calls.$patch({ ...at, json }))).version);
    void run(work, "문구를 저장하였습니다.");
  };
  const takeTheirs = () => {
    take();
    setSubject(template.subject);
    setText(template.text);
    clear();
  };
  const test = () =>
    run(
      () => callApi(calls.test.$post({ ...at, json: { subject, text } })),
      `시험 메일을 ${withParticle(ownAddress ?? "", "으로/로")} 보냅니다. 오지 않으면 메일·문자 기록을 확인해 주십시오.`,
      false,
    );
  const restoreQuestion: Question<{ version: number }> = {
    label: "되돌리기",
    title: "처음 문구로 되돌리시겠습니까?",
    text: <p>고친 문구는 지워집니다. 지금까지의 문구는 감사 기록에 남습니다.</p>,
    work: async () => {
      const stored = await callApi(calls.$delete({ ...at, query: { version: String(template.version) } }));
      keep(stored.version);
      return stored;
    },
    done: "처음 문구로 되돌렸습니다.",
    onDone: () => {
      setSubject(say(MAIL_TEMPLATES[kind].subject));
      setText(say(MAIL_TEMPLATES[kind].text));
    },
  };
  const { area, insert } = usePlaceholderInsertion(text, setText);

  return (
    <div className="grid items-start gap-8 xl:grid-cols-2">
      <form onSubmit={submit} noValidate className="grid min-w-0 gap-5">
        <Field label="제목" required error={fields.subject ?? own.subject}>
          <Input
            value={subject}
            onChange={(event) => setSubject(event.target.value)}
            maxLength={MAIL_TEMPLATE_LIMITS.subject}
          />
        </Field>
        <Field label="본문" required error={fields.text ?? own.text}>
          <Textarea
            ref={area}
            value={text}
            onChange={(event) => setText(event.target.value)}
            rows={14}
            maxLength={MAIL_TEMPLATE_LIMITS.text}
          />
        </Field>
        <TemplatePlaces kind={kind} onInsert={insert} />
        <ConflictAlert conflict={conflict} busy={busy} onTake={takeTheirs} />
        <ErrorAlert>{!conflict && general}</ErrorAlert>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={busy}>
            저장
          </Button>
          <Button busy={busy} disabled={ownAddress === null} onClick={() => void test()}>
            나에게 시험 메일 보내기
          </Button>
          {template.isChanged && (
            <QuestionButton question={restoreQuestion} variant="quiet" size="md" disabled={busy}>
              처음 문구로
            </QuestionButton>
          )}
        </div>
        {ownAddress === null && (
          <p className="text-sm text-gray-60">회원정보에 이메일이 없어 시험 메일을 보낼 수 없습니다.</p>
        )}
      </form>
      <MessagePreview {...preview} origin={origin} />
    </div>
  );
}

function TemplatePlaces({ kind, onInsert }: { kind: MailTemplateView["kind"]; onInsert: (name: string) => void }) {
  const fields: Record<string, { sample: string; required?: true }> = { ...MAIL_TEMPLATES[kind].fields };
  return (
    <div>
      <p className="mb-2 text-sm text-gray-60">
        누르면 본문의 커서 자리에 들어갑니다. 보낼 때 받는 사람에 맞는 값으로 바뀝니다.
      </p>
      <ul className="flex flex-wrap gap-2">
        {[...Object.keys(fields), SITE_NAME_FIELD, SITE_LINK_FIELD].map((name) => (
          <li key={name}>
            <Button size="sm" onClick={() => onInsert(name)}>
              {`{{${name}}}`}
              {fields[name]?.required && <span className="text-danger-60">필수</span>}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
