import { useLocation } from "react-router";
import { useBoardHrefs, usePostTexts } from "#app/features/board/post-texts.ts";
import { useItemTexts } from "#app/features/board/item-texts.ts";
import { CommentEntry, useCommentCalls } from "./comment-entry.tsx";
import { COMMENT_FORMS, CommentForm, useLeftForms } from "#app/features/board/comment-form.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { useRootData } from "#app/lib/page-language.ts";
import { formatCount } from "#app/lib/format.ts";
import { returningPath } from "#app/lib/return-url.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import type { BoardViewPage } from "#worker/domain/board/view.server.ts";

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
      <div className="contents">
        {isWhole && can.comment ? (
          <SigninGate className="contents" keepsDrafts>
            {conversation}
          </SigninGate>
        ) : (
          conversation
        )}
      </div>
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
