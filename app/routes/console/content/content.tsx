import { type RefObject, useEffect, useRef, useState } from "react";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { ContentStateBadges } from "#app/features/content/edit/state-badges.tsx";
import { DraftOffer } from "#app/features/board/write/draft-line.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import {
  dropLocalDraft,
  keepLocalDraft,
  type LocalDraft,
  type LocalDraftPlace,
  lockDraft,
  readLeftDrafts,
} from "#app/lib/local-drafts.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { TextLink, Time } from "#app/ui/inline.tsx";
import { contentPath } from "#worker/contract/content/input.ts";
import { isLegalPage, LEGAL_PAGES, type LegalPageCode } from "#worker/contract/content/info-pages.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { getItemWriter } from "#worker/domain/board/write.server.ts";
import { type ContentEdit, getContentToEdit } from "#worker/domain/content/content-edit.server.ts";
import type { Route } from "./+types/content";
import type { DraftAct, PublishChoice } from "#app/features/content/edit/draft-dialogs.tsx";
import { DraftForm, useRevision } from "#app/features/content/edit/draft-form.tsx";
import { type EnglishSiteFrame, PageTextFields, type PageTexts } from "#app/features/content/edit/text-fields.tsx";
import { TextConflict } from "#app/features/editor/text-conflict.tsx";
import { useSigninGate, useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { withoutEmptyTail } from "#app/features/editor/empty-tail.ts";
import type { EditorHandle } from "#app/features/editor/rich-editor.tsx";
import { FileField } from "#app/features/file/upload/file-field.tsx";
import { useUploads } from "#app/features/file/upload/use-uploads.ts";
import type { StoredFile } from "#worker/contract/file/view.ts";
import { useRootData } from "#app/lib/page-language.ts";
import { nowIso } from "#app/lib/clock.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { canHaveFiles, CONTENT_FILES } from "#worker/contract/content/rules.ts";
import { englishPath, type Language } from "#worker/contract/kernel/language.ts";
import type { WriterIdentity } from "#worker/contract/account/view.ts";
import { subscribeToSession } from "#app/lib/session.ts";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const path = contentPath.safeParse({ code: params.code.toLowerCase() });
  // Checks the right before the path, so that a refusal does not reveal which pages exist.
  const content = await getContentToEdit(ctx, path.data?.code ?? "about");
  if (!path.success) throw new AppError("NOT_FOUND");
  return { content, writer: await getItemWriter(ctx) };
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.content.label ?? "페이지 내용", "관리"] });

const SEARCHED_FILES = { ...CONTENT_FILES, isSearched: true } as const;

export default function ConsoleContentPage({ loaderData }: Route.ComponentProps) {
  const { code, version } = loaderData.content;
  return <ContentEditing key={`${code} ${version}`} data={loaderData} />;
}

function ContentEditing({ data }: { data: Route.ComponentProps["loaderData"] }) {
  const { writer } = data;
  const place = contentDraftPlace(writer.userId, data.content.code);
  const [form, setForm] = useState({
    content: data.content,
    start: contentFormStart(data.content),
    changed: false,
    generation: 0,
  });
  const [offers, setOffers] = useState<readonly LocalDraft<ContentFormStart>[]>([]);
  const [offer] = offers;
  const { userId, boardCode } = place;
  useEffect(() => {
    let isHere = true;
    const left = readLeftDrafts<ContentFormStart>({ userId, boardCode, itemNo: null });
    void left.then((found) => (isHere ? setOffers(found) : undefined));
    return () => {
      isHere = false;
    };
  }, [userId, boardCode]);
  const decide = () => {
    if (offer) dropLocalDraft(place, offer.slot);
    setOffers((found) => found.slice(1));
  };
  const { content } = form;
  const restart = (part: Partial<typeof form>) =>
    setForm((old) => ({ ...old, ...part, generation: old.generation + 1 }));
  return (
    <>
      <ConsoleHeader
        title={content.label}
        description={
          <>
            <ContentStateBadges {...content} />{" "}
            {content.published && (
              <>
                버전 {content.published.versionNo}, <Time date={content.published.effectiveDate} format="long" />
                부터
              </>
            )}
          </>
        }
        links={[
          { label: "이력", href: `/Admin/Contents/${content.code}/History` },
          { label: "목록", href: "/Admin/Contents" },
        ]}
      />
      {content.hasDraft && content.modifiedDate && (
        <p className="mb-6 text-gray-70">
          {content.modifiedUserName}님이 <Time date={content.modifiedDate} format="datetime" />에 저장한 초안입니다.
          게시하기 전에는 방문자에게 보이지 않습니다.
        </p>
      )}
      {content.code === "terms" && (
        <p className="mb-6 text-gray-70">
          게시하면 회원가입의 이용약관도 이 글로 바뀝니다. 회원에게 다시 받을 동의는{" "}
          <TextLink to="/Admin/Agreements">동의 문서</TextLink>
          에서 확인해 주십시오.
        </p>
      )}
      {isLegalPage(content.code) && (
        <p className="mb-6 flex flex-wrap items-center gap-3 text-gray-70">
          이름, 연락처, 쓰는 서비스가 바뀌면 초안에서 손대지 않은 문단이 따라 바뀝니다.
          <QuestionButton question={draftQuestion(content.code, content.version)}>초안 다시 쓰기</QuestionButton>
        </p>
      )}
      {offer && (
        <DraftOffer
          draftTitle={offer.value.title}
          date={offer.date}
          outdated={content.modifiedDate !== null && content.modifiedDate > offer.date}
          busy={false}
          onTake={() => {
            // A draft saved before English texts existed has none.
            restart({ start: { ...contentFormStart(content), ...offer.value }, changed: true });
            decide();
          }}
          onDrop={decide}
        />
      )}
      <ContentForm
        key={form.generation}
        content={content}
        writer={writer}
        start={form.start}
        changed={form.changed}
        onRestart={(theirs) => restart({ content: theirs, start: contentFormStart(theirs), changed: false })}
      />
    </>
  );
}

const draftQuestion = (code: LegalPageCode, version: number): Question => ({
  label: "초안 다시 쓰기",
  title: "지금 설정으로 초안을 다시 쓰시겠습니까?",
  text: <p>쓰던 초안은 사라지고, 이름과 연락처, 쓰는 서비스에 맞춘 새 초안이 들어옵니다. 게시한 글은 그대로입니다.</p>,
  work: () => callApi(api.admin.content[":code"].draft.$post({ param: { code }, json: { version } })),
  done: "초안을 다시 썼습니다. 읽고 고친 뒤 게시해 주십시오.",
});

interface ContentFormStart extends PageTexts {
  files: StoredFile[];
}
const contentFormStart = (stored: ContentEdit): ContentFormStart => ({
  title: stored.title,
  content: stored.content,
  englishTitle: stored.englishTitle,
  englishContent: stored.englishContent,
  files: stored.files,
});
const contentDraftPlace = (userId: string, code: string) => ({
  userId,
  boardCode: `content.${code}`,
  itemNo: null,
});

interface ContentFormProps {
  content: ContentEdit;
  writer: WriterIdentity;
  start: ContentFormStart;
  /** True if `start` is a draft from this browser that differs from the server's. */
  changed: boolean;
  onRestart: (content: ContentEdit) => void;
}

function ContentForm({ content, writer, start, changed, onRestart }: ContentFormProps) {
  const { code } = content;
  const frame = useRootData<EnglishSiteFrame>();
  const productCode = frame?.site.productCode ?? "";
  const hasEnglish = frame?.look.hasEnglish === true;
  const korean = useRef<EditorHandle>(null);
  const english = useRef<EditorHandle>(null);
  const [language, setLanguage] = useState<Language>("ko");
  const values = useRef(start);
  const [saved, setSaved] = useState<{ values: string; date: string | null }>({
    values: changed ? "" : contentSnapshot(start),
    date: null,
  });
  const [problem, setProblem] = useState<string | null>(null);
  const param = { code };
  const pages = api.admin.content[":code"];
  const revision = useRevision<ContentEdit>({ version: content.version, reread: () => callApi(pages.$get({ param })) });
  const { busy, run, fields, general, stored } = revision;
  const askSignin = useSigninGate();
  const uploads = useUploads(null, SEARCHED_FILES, start.files, () => void askSignin());
  const files = uploads.items.flatMap(({ fileId, fileName, size }) => (fileId ? [{ fileId, fileName, size }] : []));
  const fileKey = uploads.fileIds.join();
  useEffect(() => {
    values.current = { ...values.current, files };
    // oxlint-disable-next-line react/exhaustive-deps -- `files` is new with each rendering; `fileKey` says when it changed
  }, [fileKey]);
  const [read] = useState(() => () => values.current);
  const dirty = useRef<() => boolean>(() => false);
  useEffect(() => {
    dirty.current = () => contentSnapshot(values.current) !== saved.values || uploads.busy;
  });
  const place = contentDraftPlace(writer.userId, code);
  const localDraft = useLocalDraft(place, read, dirty);
  useUnsavedCheck(() => dirty.current());

  const save = async (version: number) => {
    const { content: html, englishContent, files: kept, ...titles } = read();
    const sent = contentSnapshot(read());
    const json = {
      ...titles,
      content: withoutEmptyTail(html),
      englishContent: withoutEmptyTail(englishContent),
      fileIds: kept.map(({ fileId }) => fileId),
      version,
    };
    const answer = await callApi(pages.draft.$put({ param, json }));
    setSaved({ values: sent, date: nowIso() });
    localDraft.drop();
    return answer;
  };
  /** Saves the draft first, because previews and publishing use the stored one. */
  const steps = () => (dirty.current() || content.version === 0 ? [save] : []);
  const ready = () => {
    const wait = uploads.busy || korean.current?.isBusy() || english.current?.isBusy();
    const failed = uploads.items.some((item) => item.state === "failed");
    setProblem(
      wait
        ? "파일을 올리고 있습니다. 다 올라간 뒤에 다시 눌러 주십시오."
        : failed
          ? "올리지 못한 파일이 있습니다. 다시 올리거나 목록에서 빼 주십시오."
          : null,
    );
    return !wait && !failed;
  };
  const publish = async (publication: PublishChoice) => {
    const step = (version: number) => callApi(pages.publish.$post({ param, json: { ...publication, version } }));
    // A discarded draft leaves nothing to publish, so the form is saved first.
    const all = content.hasDraft || saved.date ? [...steps(), step] : [save, step];
    return run(all, "게시하였습니다.");
  };
  const act = async (kind: DraftAct) => {
    const step = (version: number) =>
      kind === "drop"
        ? callApi(pages.draft.$delete({ param, json: { version } }))
        : callApi(pages.withdraw.$post({ param, json: { version } }));
    if (!(await run([step], kind === "drop" ? "초안을 버렸습니다." : "게시를 내렸습니다."))) return false;
    localDraft.drop();
    setSaved({ values: contentSnapshot(read()), date: null });
    return true;
  };
  const show = async () => {
    const path = language === "en" && hasEnglish ? englishPath(productCode, content.path) : content.path;
    return (await run(steps(), null)) ? path : null;
  };
  const hasDraft = content.hasDraft || saved.date !== null;
  return (
    <>
      <DraftForm
        className="flex flex-col gap-7"
        savedDate={saved.date}
        canDrop={hasDraft && content.versionNo !== null}
        canWithdraw={content.status === "published"}
        hasDay={code in LEGAL_PAGES}
        busy={busy}
        isReady={ready}
        onSave={() => void run([save], "초안을 저장하였습니다.")}
        onPreview={show}
        onPublish={publish}
        onAct={act}
      >
        <ErrorAlert>{problem ?? general}</ErrorAlert>
        <PageTextFields
          code={code}
          start={start}
          errors={fields}
          editors={{ ko: korean, en: english }}
          language={language}
          onLanguage={setLanguage}
          onChange={(part) => {
            values.current = { ...values.current, ...part };
          }}
          onSignedOut={() => void askSignin()}
        />
        {canHaveFiles(code) && <FileField uploads={uploads} limits={CONTENT_FILES} error={fields.fileIds} />}
      </DraftForm>
      {stored && (
        <TextConflict
          mine={read()}
          stored={{ ...stored, modifiedDate: stored.modifiedDate ?? nowIso() }}
          busy={busy}
          onClose={revision.closeConflict}
          onTakeMine={() => void revision.overwrite(save, "내 글로 초안을 저장하였습니다.")}
          onTakeStored={() => {
            revision.closeConflict();
            localDraft.drop();
            onRestart(stored);
          }}
        />
      )}
    </>
  );
}

const contentSnapshot = ({ content, englishContent, files, ...titles }: ContentFormStart) =>
  JSON.stringify([
    titles.title,
    titles.englishTitle,
    withoutEmptyTail(content),
    withoutEmptyTail(englishContent),
    files.map(({ fileId }) => fileId),
  ]);

const KEEP_EVERY_MS = 3000;

function useLocalDraft(
  place: LocalDraftPlace,
  read: () => object,
  dirty: RefObject<() => boolean>,
): { drop: () => void } {
  const { userId, boardCode, itemNo } = place;
  const [slot] = useState(() => crypto.randomUUID());
  useEffect(() => {
    const own = { userId, boardCode, itemNo };
    let last = "";
    const keep = () => {
      if (!dirty.current()) return;
      const now = JSON.stringify(read());
      if (now !== last && keepLocalDraft(own, slot, read())) last = now;
    };
    // A sign-out in another tab drops all drafts; this page still shows its text.
    const unsubscribe = subscribeToSession(() => {
      last = "";
      keep();
    });
    const release = lockDraft(own, slot);
    const timer = setInterval(keep, KEEP_EVERY_MS);
    document.addEventListener("visibilitychange", keep);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", keep);
      unsubscribe();
      release();
    };
  }, [userId, boardCode, itemNo, slot, read, dirty]);
  return { drop: () => dropLocalDraft({ userId, boardCode, itemNo }, slot) };
}
