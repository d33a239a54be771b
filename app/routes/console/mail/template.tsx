import { useWords } from "#app/lib/page-language.ts";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import {
  type Field as TemplateField,
  holdsCodeOrLink,
  MAIL_TEMPLATES,
  mailTemplateSamples,
  ownTemplateProblems,
  renderTemplate,
  SITE_LINK_FIELD,
  SITE_NAME_FIELD,
} from "#worker/contract/mail/templates.ts";
import { getMailTemplate, type MailTemplateView } from "#worker/domain/mail/template.server.ts";
import type { Route } from "./+types/template";
import { type FormEvent, useState } from "react";
import { MessagePreview } from "#app/features/mail/message-preview.tsx";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { type Question, QuestionButton, useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { cx } from "#app/ui/cx.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Input, Textarea } from "#app/ui/field.tsx";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { usePlaceholderInsertion } from "#app/features/mail/use-placeholder-insertion.ts";
import { MAIL_TEMPLATE_LIMITS } from "#worker/contract/mail/mail.ts";
import { addressesIn } from "#worker/contract/mail/addresses.ts";
import { SITE_PERMISSION_NAMES } from "#worker/contract/kernel/permissions.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => getMailTemplate(scope, params.kind));

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData ? MAIL_TEMPLATES[loaderData.kind].name : "메일 문구", "관리"] });

export default function MailTemplatePage({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const { name, when } = MAIL_TEMPLATES[loaderData.kind];
  return (
    <>
      <ConsoleHeader
        title={name}
        description={say(when)}
        links={[{ label: "메일 문구 목록", href: "/Admin/MailTemplates" }]}
      />
      <MailTemplateForm key={loaderData.kind} template={loaderData} />
    </>
  );
}

const describeTemplate = ({ subject, text }: Pick<MailTemplateView, "subject" | "text">) => ({
  제목: subject,
  본문: text,
});

function MailTemplateForm({ template }: { template: MailTemplateView }) {
  const say = useWords();
  const { kind, siteName, origin, ownAddress, canEdit } = template;
  const [subject, setSubject] = useState(template.subject);
  const [text, setText] = useState(template.text);
  const { busy, run, clear, fields, general, isConflict } = useAction();
  const { conflict, versionToSend, keep, take } = useConflict({
    latest: template,
    describe: describeTemplate,
    isConflict,
  });
  const own = ownTemplateProblems(kind, { subject, text }, origin);
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
    ...(holdsCodeOrLink(kind) && { reasonHint: "시스템 관리자에게 메일로 알리고 감사 기록에 남깁니다." }),
    work: async (reason) => {
      const query = { version: String(template.version), ...(reason && { reason }) };
      const stored = await callApi(calls.$delete({ ...at, query }));
      keep(stored.version);
      return stored;
    },
    done: "처음 문구로 되돌렸습니다.",
    onDone: () => {
      setSubject(say(MAIL_TEMPLATES[kind].subject));
      setText(say(MAIL_TEMPLATES[kind].text));
    },
  };
  const { area, insert } = usePlaceholderInsertion();

  return (
    <div className="grid items-start gap-8 xl:grid-cols-2">
      <div className="grid min-w-0 gap-5">
        <form onSubmit={submit} noValidate className="grid gap-5">
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
          {!canEdit && (
            <Alert tone="info">
              인증번호나 주소가 들어 있는 문구입니다. ‘{SITE_PERMISSION_NAMES.Mail_Template}’ 권한이 있는 관리자만 고칠
              수 있습니다.
            </Alert>
          )}
          <TemplatePlaceholders kind={kind} onInsert={insert} />
          <ConflictAlert conflict={conflict} busy={busy} onTake={takeTheirs} />
          <ErrorAlert>{!conflict && general}</ErrorAlert>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={busy} disabled={!canEdit}>
              저장
            </Button>
            <Button busy={busy} disabled={ownAddress === null || !canEdit} onClick={() => void test()}>
              나에게 시험 메일 보내기
            </Button>
          </div>
          {ownAddress === null && (
            <p className="text-sm text-gray-60">회원정보에 이메일이 없어 시험 메일을 보낼 수 없습니다.</p>
          )}
        </form>
        {/* Its dialog has a form of its own. */}
        {template.isChanged && canEdit && (
          <QuestionButton
            question={restoreQuestion}
            variant="quiet"
            size="md"
            className="justify-self-start"
            disabled={busy}
          >
            처음 문구로
          </QuestionButton>
        )}
      </div>
      <div className="grid min-w-0 gap-4">
        <MessagePreview {...preview} origin={origin} />
        <PreviewAddresses text={`${preview.subject}\n${preview.text}`} origin={origin} />
      </div>
    </div>
  );
}

function PreviewAddresses({ text, origin }: { text: string; origin: string }) {
  const found = addressesIn(text, origin);
  return (
    <section aria-label="메일에 들어 있는 주소">
      <h3 className="mb-1 text-base">메일에 들어 있는 주소</h3>
      {found.length === 0 && <p className="text-sm text-gray-60">없습니다.</p>}
      <ul className="grid gap-1 text-sm">
        {found.map(({ address, isOwn }) => (
          <li key={address} className={cx(!isOwn && "font-semibold text-danger-60")}>
            {address}
            {!isOwn && " (다른 사이트의 주소)"}
          </li>
        ))}
      </ul>
    </section>
  );
}

function TemplatePlaceholders({
  kind,
  onInsert,
}: {
  kind: MailTemplateView["kind"];
  onInsert: (name: string) => void;
}) {
  const fields: Record<string, TemplateField> = { ...MAIL_TEMPLATES[kind].fields };
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
              {lookUp(fields, name)?.required && <span className="text-danger-60">필수</span>}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
