import { useEffect, useState } from "react";
import type { Question } from "#app/features/form/question.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import type { AdminBoard } from "#worker/contract/board/view.ts";
import type { BoardClosing } from "#worker/contract/site/view.ts";

export const closeBoardQuestion = ({
  boardCode,
  boardName,
  version,
}: Pick<AdminBoard, "boardCode" | "boardName" | "version">): Question => ({
  label: "게시판 닫기",
  title: `‘${boardName}’ 게시판을 닫으시겠습니까?`,
  text: <BoardClosingText boardCode={boardCode} />,
  danger: true,
  work: () =>
    callApi(api.admin.board[":boardCode"].state.$post({ param: { boardCode }, json: { isClosed: true, version } })),
  done: "게시판을 닫았습니다. 글은 그대로 있습니다.",
});

export const openBoardQuestion = (
  { boardCode, boardName, version }: Pick<AdminBoard, "boardCode" | "boardName" | "version">,
  readers: string,
): Question => ({
  label: "게시판 열기",
  title: `‘${boardName}’ 게시판을 여시겠습니까?`,
  text: <p>열면 메뉴에 나옵니다. {readers}</p>,
  work: () =>
    callApi(api.admin.board[":boardCode"].state.$post({ param: { boardCode }, json: { isClosed: false, version } })),
  done: "게시판을 열었습니다.",
});

function BoardClosingText({ boardCode }: { boardCode: string }) {
  const [found, setFound] = useState<BoardClosing | "failed" | null>(null);
  useEffect(() => {
    let stale = false;
    callApi(api.admin.setting["board-closing"][":boardCode"].$get({ param: { boardCode } })).then(
      (closing) => !stale && setFound(closing),
      () => !stale && setFound("failed"),
    );
    return () => {
      stale = true;
    };
  }, [boardCode]);
  return (
    <div className="space-y-2" aria-live="polite">
      <p>닫으면 관리하는 사람에게만 보입니다. 글은 지워지지 않고, 다시 열면 그대로 돌아옵니다.</p>
      {found === null && <p className="text-gray-60">닫으면 보이지 않게 되는 것을 세고 있습니다.</p>}
      {found === "failed" && <p className="text-danger-60">무엇이 보이지 않게 되는지 불러오지 못했습니다.</p>}
      {found !== null && found !== "failed" && <ClosingFigures closing={found} />}
    </div>
  );
}

function ClosingFigures({ closing: { items, comments, followers, places } }: { closing: BoardClosing }) {
  return (
    <ul className="list-disc space-y-1 pl-5">
      <li>
        글 {formatCount(items)}건과 댓글 {formatCount(comments)}개가 방문자와 회원에게 보이지 않습니다.
      </li>
      {followers > 0 && <li>새 글 알림을 받는 {formatCount(followers)}명에게 알림이 가지 않습니다.</li>}
      {places.length > 0 && <li>다음에서 사라지거나 열리지 않습니다: {places.join(", ")}</li>}
    </ul>
  );
}
