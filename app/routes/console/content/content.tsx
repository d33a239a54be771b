import { useEffect, useState } from "react";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import {
  ContentForm,
  type ContentFormStart,
  contentDraftPlace,
  contentFormStart,
} from "#app/features/content/edit/content-form.tsx";
import { ContentStateBadges } from "#app/features/content/edit/state-badges.tsx";
import { DraftOffer } from "#app/features/board/write/draft-line.tsx";
import { type Question, QuestionButton } from "#app/features/form/question.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { dropLocalDraft, type LocalDraft, readLeftDrafts } from "#app/lib/local-drafts.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Time } from "#app/ui/time.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { contentPath } from "#worker/contract/content/input.ts";
import { isLegalPage, type LegalPageCode } from "#worker/contract/content/info-pages.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { getItemWriter } from "#worker/domain/board/write.server.ts";
import { getContentToEdit } from "#worker/domain/content/content-edit.server.ts";
import type { Route } from "./+types/content";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const path = contentPath.safeParse({ code: params.code.toLowerCase() });
  // Checks the right before the path, so that a refusal does not reveal which pages exist.
  const content = await getContentToEdit(ctx, path.data?.code ?? "about");
  if (!path.success) throw new AppError("NOT_FOUND");
  return { content, writer: await getItemWriter(ctx) };
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta({ matches, title: [loaderData?.content.label ?? "페이지 내용", "관리"] });
}

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
