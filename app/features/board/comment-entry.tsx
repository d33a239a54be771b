import CornerDownRight from "lucide-react/icons/corner-down-right";
import { useState } from "react";
import { useItemTexts } from "#app/features/board/item-texts.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { COMMENT_FORMS, CommentForm } from "#app/features/board/comment-form.tsx";
import type { LocalDraftPlace } from "#app/lib/local-drafts.ts";
import { ReportButton } from "#app/features/board/report-button.tsx";
import { Button } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { Time } from "#app/ui/inline.tsx";
import { type Question, QuestionDialog } from "#app/features/form/action.tsx";
import { LinkedText } from "#app/ui/linked-text.tsx";
import type { CommentView, ItemRow } from "#worker/contract/board/view.ts";
import { useRevalidator } from "react-router";
import { api, callApi } from "#app/lib/api.ts";

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

export function CommentEntry({
  comment,
  calls,
  place,
  leftForms,
  canReply,
  canManage,
  reportTarget,
}: CommentEntryProps) {
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
              <strong lang={langOf(comment.createdUserName)} className="text-base font-semibold text-gray-90">
                {comment.createdUserName}
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
export function useCommentCalls({ boardCode, itemNo }: Pick<ItemRow, "boardCode" | "itemNo">): CommentCalls {
  const { revalidate } = useRevalidator();
  const comments = api["board-item-comment"][":boardCode"][":itemNo"];
  const param = { boardCode, itemNo: String(itemNo) };
  return {
    async create(content, parentCommentId) {
      await callApi(comments.$put({ param, json: { content, ...(parentCommentId ? { parentCommentId } : {}) } }));
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
