import { useLocation } from "react-router";
import { useCommentCalls } from "#app/features/board/comment-calls.ts";
import { CommentForm } from "#app/features/board/comment-form.tsx";
import { CommentEntry } from "#app/features/board/comment-entry.tsx";
import { useRootData } from "#app/lib/root-data.ts";
import { formatCount } from "#app/lib/format.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import type { BoardViewPage } from "#worker/contract/board/view.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";

/** The conversation under an item, one level of replies deep. */
export function CommentSection({ board, item, comments, can }: BoardViewPage) {
  const calls = useCommentCalls(item);
  const isGuest = useRootData<{ user: object | null }>()?.user === null;
  const count = comments.filter((comment) => !comment.isDeleted).length;
  return (
    <section aria-labelledby="comments" className="mt-14 print:hidden">
      <h2 id="comments" className="text-lg">
        댓글 <span className="tabular text-primary-60">{formatCount(count)}</span>
      </h2>
      {comments.length > 0 && (
        <ul className="mt-3 divide-y divide-gray-20 border-y border-gray-20">
          {comments.map((comment) => (
            <CommentEntry
              key={comment.commentId}
              comment={comment}
              calls={calls}
              canReply={can.comment}
              canManage={board.permissions.manage}
              reportTarget={can.report ? item : null}
            />
          ))}
        </ul>
      )}
      <div className="mt-5">
        {can.comment ? (
          <>
            <CommentForm label="댓글" submitLabel="등록" onSubmit={(content) => calls.create(content)} />
            <noscript>
              <p className="mt-2 text-sm text-gray-60">댓글을 쓰시려면 브라우저의 자바스크립트를 켜 주십시오.</p>
            </noscript>
          </>
        ) : isGuest ? (
          <GuestAlert />
        ) : (
          <p className="rounded-lg bg-gray-5 px-5 py-4 text-gray-70">댓글을 쓸 권한이 없습니다.</p>
        )}
      </div>
    </section>
  );
}

function GuestAlert() {
  const { pathname, search } = useLocation();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-gray-5 px-5 py-4">
      <p className="text-gray-70">{UI_MESSAGES.memberOnly}</p>
      <ButtonLink size="sm" to={`/Account/Signin?returnUrl=${encodeURIComponent(pathname + search)}`}>
        로그인
      </ButtonLink>
    </div>
  );
}
