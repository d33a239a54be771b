import { useState } from "react";
import { DocumentEditor } from "#app/features/editor/document-editor.tsx";
import type { EnglishSiteFrame } from "#app/features/content/edit/text-fields.tsx";
import { ArticleBody } from "#app/ui/article.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { formText, type Question, QuestionButton, useAction } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { useRootData } from "#app/lib/page-language.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Badge, Time } from "#app/ui/inline.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { toast } from "#app/ui/toast.tsx";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { draftLegalText } from "#worker/domain/content/legal-draft.server.ts";
import { type AdminAgreement, type getAgreement, listAgreements } from "#worker/domain/content/agreement.server.ts";
import type { Route } from "./+types/agreements";
import { AGREEMENT_LIMITS } from "#worker/contract/content/rules.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const rows = await listAgreements(scope);
  const draft = await draftLegalText(await scope.context(), "consent");
  return { rows, draft, today: koreanDay(scope.now()) };
});

type AgreementTexts = Pick<Awaited<ReturnType<typeof getAgreement>>, "content" | "englishTitle" | "englishContent">;

interface AgreementEditing {
  base: AdminAgreement | null;
  texts: AgreementTexts;
  first?: { code: string; title: string };
}

const NO_TEXTS: AgreementTexts = { content: "", englishTitle: "", englishContent: "" };

export default function AgreementsPage({ loaderData }: Route.ComponentProps) {
  const { rows, draft, today } = loaderData;
  const [editing, setEditing] = useState<AgreementEditing | null>(null);
  const [reading, setReading] = useState<{ title: string; content: string } | null>(null);
  const codes = [...new Set(rows.map(({ code }) => code))];
  const open = ({ code, version }: AdminAgreement, then: (texts: AgreementTexts) => void) => {
    const read = callApi(api.admin.setting.agreement[":code"][":version"].$get({ param: { code, version } }));
    read.then(then, () => toast("문서를 불러오지 못했습니다. 다시 시도해 주십시오.", "error"));
  };
  return (
    <>
      <ConsoleHeader
        description="가입할 때 동의를 받는 문서입니다. 공포한 문서는 고칠 수 없고, 새 버전을 공포합니다. 뒷날 시행할 버전은 예고되어, 그날 저절로 바뀝니다. 이전 버전과 회원의 동의 기록은 그대로 남습니다."
        action={
          <Button size="sm" variant="primary" onClick={() => setEditing({ base: null, texts: NO_TEXTS })}>
            문서 추가
          </Button>
        }
      />
      {!codes.includes("privacy") && (
        <Alert tone="warning" className="mb-6">
          <p className="mb-3">
            개인정보 수집·이용 동의가 아직 없습니다. 지금 설정으로 만든 초안을 읽고 고친 뒤 공포하실 수 있습니다.
          </p>
          <Button
            size="sm"
            onClick={() =>
              setEditing({
                base: null,
                texts: { ...NO_TEXTS, content: draft.content },
                first: { code: "privacy", title: draft.title },
              })
            }
          >
            초안으로 추가
          </Button>
        </Alert>
      )}
      {codes.map((code) => {
        const versions = rows.filter((row) => row.code === code);
        const current = versions.find((row) => row.isCurrent);
        const shown = current ?? versions[0];
        if (!shown) return null;
        const isAnnounced = versions.some((row) => row.isAnnounced);
        return (
          <section key={code} className="mb-6 rounded-lg border border-gray-20 p-5">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <h2 className="text-lg">
                {shown.title}{" "}
                <Badge tone={current ? (current.required ? "primary" : "gray") : isAnnounced ? "gray" : "danger"}>
                  {current ? (current.required ? "필수" : "선택") : isAnnounced ? "시행 전" : "받지 않음"}
                </Badge>
              </h2>
              <div className="flex flex-wrap gap-2">
                {versions.length > 1 && (
                  <ButtonLink size="sm" to={`/Admin/Agreements/${code}`}>
                    버전 비교<span className="sr-only">: {shown.title}</span>
                  </ButtonLink>
                )}
                {code === "terms" ? (
                  <ButtonLink size="sm" to="/Admin/Contents/terms">
                    페이지 내용에서 고치기<span className="sr-only">: {shown.title}</span>
                  </ButtonLink>
                ) : (
                  <Button size="sm" onClick={() => open(shown, (texts) => setEditing({ base: shown, texts }))}>
                    새 버전 공포<span className="sr-only">: {shown.title}</span>
                  </Button>
                )}
                {code === "privacy" && (
                  <Button
                    size="sm"
                    onClick={() =>
                      open(shown, (texts) => setEditing({ base: shown, texts: { ...texts, content: draft.content } }))
                    }
                  >
                    지금 설정으로 다시 쓰기
                  </Button>
                )}
                {current && !isAnnounced && (
                  <QuestionButton question={closeQuestion(current)}>
                    그만 받기<span className="sr-only">: {shown.title}</span>
                  </QuestionButton>
                )}
              </div>
            </div>
            <ul className="mt-3 divide-y divide-gray-20">
              {versions.map((row) => (
                <li key={row.version} className="list-row flex flex-wrap items-center justify-between gap-3 py-2">
                  <span>
                    {row.version} · 시행 <Time date={row.effectiveDate} format="long" />{" "}
                    {row.isCurrent && <Badge tone="success">지금</Badge>}
                    {row.isAnnounced && <AnnouncedState row={row} />}
                  </span>
                  <span className="flex flex-wrap items-center gap-3">
                    {row.isAnnounced && (
                      <QuestionButton question={withdrawQuestion(row)}>
                        예고 취소<span className="sr-only">: {row.version}</span>
                      </QuestionButton>
                    )}
                    <button
                      type="button"
                      className="min-h-8 text-primary-70 underline underline-offset-4"
                      onClick={() =>
                        open(row, ({ content }) => setReading({ title: `${row.title} (${row.version})`, content }))
                      }
                    >
                      읽기<span className="sr-only">: {row.version}</span>
                    </button>
                  </span>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      <Dialog open={reading !== null} onClose={() => setReading(null)} title={reading?.title ?? ""} size="lg">
        <ArticleBody html={reading?.content ?? ""} />
      </Dialog>
      <PublishAgreementDialog
        key={`${editing?.base?.code ?? editing?.first?.code} ${editing?.base?.version} ${editing === null}`}
        editing={editing}
        today={today}
        onClose={() => setEditing(null)}
      />
    </>
  );
}

const closeQuestion = ({ code, title, version }: AdminAgreement): Question => ({
  label: "그만 받기",
  title: `'${title}' 동의를 그만 받으시겠습니까?`,
  text: <p>새로 가입하는 회원에게 묻지 않습니다. 지금까지의 동의 기록은 남고, 새 버전을 공포하면 다시 받습니다.</p>,
  danger: true,
  work: () =>
    callApi(api.admin.setting.agreement[":code"].close.$post({ param: { code }, json: { baseVersion: version } })),
  done: "더 이상 동의를 받지 않습니다.",
});

function AnnouncedState({ row: { mailedCount, isMailing } }: { row: AdminAgreement }) {
  return (
    <>
      <Badge tone="primary">예고</Badge>{" "}
      <span className="text-gray-60">
        {isMailing
          ? `안내 메일 ${formatCount(mailedCount)}통을 썼고, 나머지를 쓰고 있습니다.`
          : `안내 메일을 ${formatCount(mailedCount)}명에게 보냈습니다.`}
      </span>
    </>
  );
}

const withdrawQuestion = ({ code, title, version, mailedCount }: AdminAgreement): Question => ({
  label: "예고 취소",
  title: `'${title}' ${version} 예고를 취소하시겠습니까?`,
  text: (
    <p>
      이 버전은 시행되지 않고 모든 페이지의 안내도 사라집니다. 아직 나가지 않은 안내 메일은 보내지 않습니다.
      {mailedCount > 0 &&
        ` 이미 나간 메일은 되돌릴 수 없으므로, 취소하였다는 것을 회원에게 따로 알려 주십시오. 지금까지 ${formatCount(mailedCount)}명에게 안내 메일을 썼습니다.`}
    </p>
  ),
  danger: true,
  work: () => callApi(api.admin.setting.agreement[":code"][":version"].withdraw.$post({ param: { code, version } })),
  done: "예고를 취소하였습니다.",
});

function PublishAgreementDialog({
  editing,
  today,
  onClose,
}: {
  editing: AgreementEditing | null;
  today: string;
  onClose: () => void;
}) {
  const { busy, run, fields, general } = useAction();
  const base = editing?.base ?? null;
  const texts = editing?.texts ?? NO_TEXTS;
  const hasEnglish = useRootData<EnglishSiteFrame>()?.look.hasEnglish === true || texts.englishContent !== "";
  const [day, setDay] = useState(today);
  const isLater = day > today;
  const submit = async (form: FormData) => {
    const json = {
      code: base?.code ?? formText(form, "code"),
      title: formText(form, "title"),
      required: form.has("required"),
      content: formText(form, "content"),
      englishTitle: formText(form, "englishTitle"),
      englishContent: formText(form, "englishContent"),
      version: formText(form, "version"),
      effectiveDate: `${formText(form, "effectiveDate")}T00:00:00+09:00`,
      baseVersion: base?.isCurrent ? base.version : "",
    };
    const work = () => callApi(api.admin.setting.agreement.$put({ json, header: ONCE }));
    if (await run(work, isLater ? "예고하였습니다." : "공포하였습니다.")) onClose();
  };
  return (
    <FormDialog
      open={editing !== null}
      onClose={onClose}
      title={base ? `'${base.title}' 새 버전 공포` : "동의 문서 추가"}
      size="lg"
      submitLabel={isLater ? "예고" : "공포"}
      busy={busy}
      error={general}
      onSubmit={(form) => void submit(form)}
    >
      {!base && (
        <Field label="코드" hint="영문 소문자. 나중에 바꿀 수 없습니다. 예: newsletter" required error={fields.code}>
          <Input
            name="code"
            defaultValue={editing?.first?.code ?? ""}
            maxLength={AGREEMENT_LIMITS.code}
            autoCapitalize="none"
          />
        </Field>
      )}
      <Field label="제목" required error={fields.title}>
        <Input
          name="title"
          defaultValue={base?.title ?? editing?.first?.title ?? ""}
          maxLength={AGREEMENT_LIMITS.title}
        />
      </Field>
      <Checkbox
        name="required"
        label="가입하려면 반드시 동의해야 합니다"
        defaultChecked={base?.required ?? editing?.first !== undefined}
      />
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="버전 이름" hint="지금까지와 다르게 적습니다." required error={fields.version}>
          <Input name="version" defaultValue={today} maxLength={AGREEMENT_LIMITS.version} />
        </Field>
        <Field label="시행일" hint="오늘이면 바로 바뀌고, 뒷날이면 예고됩니다." required error={fields.effectiveDate}>
          <Input
            name="effectiveDate"
            type="date"
            defaultValue={today}
            onChange={({ currentTarget }) => setDay(currentTarget.value)}
          />
        </Field>
      </div>
      {isLater && (
        <Alert>
          {`시행일까지 모든 페이지에 안내가 나오고, ${base && !base.required ? "이 항목에 동의한 회원" : "모든 회원"}에게 안내 메일을 한 번 보냅니다. 단체 메일을 받지 않겠다고 한 회원은 빠집니다. 약관 변경은 7일 전, 회원에게 불리한 변경은 30일 전에 알리는 것이 표준약관의 기준입니다.`}
        </Alert>
      )}
      <DocumentEditor name="content" label="내용" initial={texts.content} error={fields.content} />
      {hasEnglish && (
        <>
          <Field
            label="영문 제목"
            hint="영문 회원가입에 나옵니다. 비우면 한국어 문서가 나옵니다."
            error={fields.englishTitle}
          >
            <Input name="englishTitle" lang="en" defaultValue={texts.englishTitle} maxLength={AGREEMENT_LIMITS.title} />
          </Field>
          <DocumentEditor
            id="english-document"
            name="englishContent"
            label="영문 내용"
            isOptional
            initial={texts.englishContent}
            error={fields.englishContent}
          />
        </>
      )}
    </FormDialog>
  );
}
