import { WriterName } from "#app/features/board/writer-name.tsx";
import CornerDownRight from "lucide-react/icons/corner-down-right";
import { useLocation, useRevalidator } from "react-router";
import { useBoardHrefs, usePostTexts } from "#app/features/board/post-texts.ts";
import { useItemTexts } from "#app/features/board/item-texts.ts";
import { COMMENT_FORMS, CommentForm, useLeftForms } from "#app/features/board/comment-form.tsx";
import { useRootData, useTexts } from "#app/lib/page-language.ts";
import { formatCount } from "#app/lib/format.ts";
import { returningPath } from "#app/lib/return-url.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import type { BoardViewPage } from "#worker/domain/board/view.server.ts";
import { useState } from "react";
import type { LocalDraftPlace } from "#app/lib/local-drafts.ts";
import { ReportButton } from "#app/features/board/report-button.tsx";
import { cx } from "#app/ui/cx.ts";
import { Time } from "#app/ui/inline.tsx";
import { type Question, QuestionDialog } from "#app/features/form/action.tsx";
import { LinkedText } from "#app/ui/linked-text.tsx";
import type { CommentView, ItemRow } from "#worker/contract/board/view.ts";
import { api, callApi, ONCE } from "#app/lib/api.ts";

/** Replies are one level deep. */
export function CommentSection({ board, item, comments, can }: BoardViewPage) {
  const calls = useCommentCalls(item);
  const user = useRootData<{ user: { id: string } | null }>()?.user;
  const isGuest = user === null;
  const place = { userId: user?.id ?? "", boardCode: `${item.boardCode}.comment`, itemNo: item.itemNo };
  const leftForms = useLeftForms(place);
  const texts = useItemTexts();
  const { doInKorean } = usePostTexts();
  const isWhole = doInKorean === "";
  const count = comments.filter((comment) => !comment.isDeleted).length;
  const conversation = (
    <>
      {comments.length > 0 && (
        <ul className="mt-3 divide-y divide-gray-20 border-y border-gray-20">
          {comments.map((comment) => (
            <CommentEntry
              key={comment.commentId}
              comment={isWhole ? comment : { ...comment, mine: false }}
              calls={calls}
              place={place}
              leftForms={leftForms}
              canReply={isWhole && can.comment}
              canManage={isWhole && board.permissions.manage}
              reportTarget={isWhole && can.report ? item : null}
            />
          ))}
        </ul>
      )}
      <div className="mt-5">
        {isWhole && can.comment ? (
          <>
            <CommentForm
              label="댓글"
              submitLabel="등록"
              draft={{ place, form: COMMENT_FORMS.create }}
              onSubmit={(content) => calls.create(content)}
            />
            <noscript>
              <p className="mt-2 text-sm text-gray-60">댓글을 쓰시려면 브라우저의 자바스크립트를 켜 주십시오.</p>
            </noscript>
          </>
        ) : item.isCommentClosed ? (
          isWhole && <p className="rounded-lg bg-gray-5 px-5 py-4 text-gray-70">댓글을 닫은 글입니다.</p>
        ) : isGuest ? (
          <GuestAlert />
        ) : !isWhole ? null : (
          <p className="rounded-lg bg-gray-5 px-5 py-4 text-gray-70">댓글을 쓸 권한이 없습니다.</p>
        )}
      </div>
    </>
  );
  return (
    <section aria-labelledby="comments" className="mt-14 print:hidden">
      <h2 id="comments" className="text-lg">
        <span>{texts.comments}</span> <span className="tabular text-primary-60">{formatCount(count)}</span>
      </h2>
      {conversation}
    </section>
  );
}

function GuestAlert() {
  const { pathname, search } = useLocation();
  const texts = useItemTexts();
  const { to } = useBoardHrefs();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-gray-5 px-5 py-4">
      <p className="text-gray-70">{texts.memberOnly}</p>
      <ButtonLink size="sm" to={to(returningPath("/Account/Signin", `${pathname}${search}#comments`))}>
        {texts.signin}
      </ButtonLink>
    </div>
  );
}

interface CommentEntryProps {
  comment: CommentView;
  calls: CommentCalls;
  place: LocalDraftPlace;
  /** Forms with a draft from a closed page. */
  leftForms: ReadonlySet<string>;
  canReply: boolean;
  canManage: boolean;
  reportTarget: { boardCode: string; itemNo: number } | null;
}

function CommentEntry({ comment, calls, place, leftForms, canReply, canManage, reportTarget }: CommentEntryProps) {
  const forms = { reply: COMMENT_FORMS.reply(comment.commentId), edit: COMMENT_FORMS.edit(comment.commentId) };
  const [chosen, setDoing] = useState<"read" | "edit" | "reply" | "delete" | null>(null);
  const left =
    leftForms.has(forms.edit) && comment.mine ? "edit" : leftForms.has(forms.reply) && canReply ? "reply" : "read";
  const doing = chosen ?? left;
  const texts = useItemTexts();
  const { langOf } = useTexts();
  const isReply = comment.parentCommentId !== null;
  const read = () => setDoing("read");
  const deleteQuestion: Question = {
    label: "삭제",
    title: "댓글을 삭제하시겠습니까?",
    text: <p>삭제한 댓글은 되살릴 수 없습니다.</p>,
    danger: true,
    reloads: "never",
    work: () => calls.remove(comment),
    done: "댓글을 삭제하였습니다.",
  };
  return (
    <li id={`comment-${comment.commentId}`} className={cx("py-5", isReply && "flex gap-2.5 bg-gray-5 px-3 md:px-5")}>
      {isReply && <CornerDownRight aria-hidden="true" className="mt-1 size-4.5 shrink-0 text-gray-50" />}
      <div className="min-w-0 flex-1">
        {comment.isDeleted ? (
          <p className="text-gray-60">{texts.deletedComment}</p>
        ) : (
          <>
            <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
              {isReply && <span className="sr-only">{texts.reply}</span>}
              <strong className="text-base font-semibold text-gray-90">
                <WriterName>{comment.createdUserName}</WriterName>
              </strong>
              <span className="text-gray-60">
                <Time date={comment.createdDate} format="datetime" />
              </span>
            </p>
            {doing === "edit" ? (
              <div className="mt-2">
                <CommentForm
                  label="댓글 수정"
                  draft={{ place, form: forms.edit }}
                  submitLabel="저장"
                  initial={comment.content}
                  takeFocus
                  onCancel={read}
                  onSubmit={async (content) => {
                    await calls.update(comment, content);
                    read();
                  }}
                />
              </div>
            ) : (
              <p lang={langOf(comment.content)} className="mt-1.5 whitespace-pre-line">
                <LinkedText>{comment.content}</LinkedText>
              </p>
            )}
          </>
        )}
        {!comment.isDeleted && doing !== "edit" && (canReply || comment.mine || canManage || reportTarget) && (
          <div className="needs-script mt-1.5 -ml-3 flex print:hidden">
            {canReply && !isReply && <CommentAction onClick={() => setDoing("reply")}>답글</CommentAction>}
            {comment.mine && <CommentAction onClick={() => setDoing("edit")}>수정</CommentAction>}
            {reportTarget && !comment.mine && (
              <ReportButton
                boardCode={reportTarget.boardCode}
                itemNo={reportTarget.itemNo}
                commentId={comment.commentId}
                variant="quiet"
              />
            )}
            {(comment.mine || canManage) && <CommentAction onClick={() => setDoing("delete")}>삭제</CommentAction>}
          </div>
        )}
        {doing === "reply" && (
          <div className="mt-3">
            <CommentForm
              label={`${comment.createdUserName}님에게 답글`}
              draft={{ place, form: forms.reply }}
              submitLabel="답글 등록"
              takeFocus
              onCancel={read}
              onSubmit={async (content) => {
                await calls.create(content, comment.commentId);
                read();
              }}
            />
          </div>
        )}
        {(comment.mine || canManage) && (
          <QuestionDialog question={doing === "delete" ? deleteQuestion : null} onClose={read} />
        )}
      </div>
    </li>
  );
}

function CommentAction({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button variant="quiet" onClick={onClick} size="sm" className="px-3">
      {children}
    </Button>
  );
}

interface CommentCalls {
  create(content: string, parentCommentId?: string): Promise<void>;
  update(comment: CommentView, content: string): Promise<void>;
  remove(comment: CommentView): Promise<void>;
}

/** Each call resolves after its result is shown. */
function useCommentCalls({ boardCode, itemNo }: Pick<ItemRow, "boardCode" | "itemNo">): CommentCalls {
  const { revalidate } = useRevalidator();
  const comments = api["board-item-comment"][":boardCode"][":itemNo"];
  const param = { boardCode, itemNo: String(itemNo) };
  return {
    async create(content, parentCommentId) {
      await callApi(
        comments.$put({ param, header: ONCE, json: { content, ...(parentCommentId ? { parentCommentId } : {}) } }),
      );
      await revalidate();
    },
    async update({ commentId, version }, content) {
      await callApi(comments[":commentId"].$patch({ param: { ...param, commentId }, json: { content, version } }));
      await revalidate();
    },
    async remove({ commentId }) {
      await callApi(comments[":commentId"].$delete({ param: { ...param, commentId } }));
      await revalidate();
    },
  };
}
