import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { CodeField } from "#app/features/form/code-field.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { AddRowButton, OrderedRows, RowButton } from "#app/features/list/ordered-rows.tsx";
import { RowDialog, useEditedRow } from "#app/features/list/row-dialog.tsx";
import { formText, type Question, QuestionDialog } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge, TextLink } from "#app/ui/inline.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { describeBoardAudience } from "#app/features/board/setting/board-values.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { BOARD_LIMITS, BOARD_TYPES } from "#worker/contract/board/rules.ts";
import { listBoards } from "#worker/domain/board/board-setting.server.ts";
import type { Route } from "./+types/boards";
import type { AdminBoard } from "#worker/contract/board/view.ts";
import type { BoardClosing } from "#worker/contract/site/view.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => listBoards(scope));

const calls = api.admin.board;

export default function ConsoleBoardsPage({ loaderData: { boards, roles } }: Route.ComponentProps) {
  // The board chosen here is copied.
  const { key, ...made } = useEditedRow(boards, "boardCode");
  const navigate = useNavigate();
  const [closingCode, setClosing] = useState<string | null>(null);
  // Looked up by code, so that a retry after a conflict uses the board's current version.
  const closing = boards.find(({ boardCode, isClosed }) => boardCode === closingCode && !isClosed);
  const [openingCode, setOpening] = useState<string | null>(null);
  const opening = boards.find(({ boardCode, isClosed }) => boardCode === openingCode && isClosed);
  const guest = useSiteFrame()?.roleCodeForGuest;
  return (
    <>
      <ConsoleHeader
        description="위에서부터 메뉴에 나오는 차례입니다."
        action={<AddRowButton onClick={made.add}>게시판 추가</AddRowButton>}
      />
      <OrderedRows
        rows={boards}
        rowKey="boardCode"
        rowName="boardName"
        renderActions={(board) => {
          const { boardCode, boardName } = board;
          if (!board.isManaged) return null;
          return (
            <>
              <RowButton name={boardName} onClick={() => made.edit(board)}>
                복사
              </RowButton>
              {board.isClosed ? (
                <RowButton name={boardName} onClick={() => setOpening(boardCode)}>
                  열기
                </RowButton>
              ) : (
                <RowButton name={boardName} onClick={() => setClosing(boardCode)}>
                  닫기
                </RowButton>
              )}
            </>
          );
        }}
        question={({ boardCode, boardName, version, isManaged }): Question<{ deleted: boolean }> | null =>
          isManaged
            ? {
                label: "삭제",
                title: `'${boardName}' 게시판을 삭제하시겠습니까?`,
                text: <p>글이 한 번이라도 올라온 게시판은 삭제하지 않고 닫습니다. 글은 사라지지 않습니다.</p>,
                danger: true,
                work: () =>
                  callApi(calls[":boardCode"].$delete({ param: { boardCode }, query: { version: String(version) } })),
                done: ({ deleted }) => (deleted ? "게시판을 삭제하였습니다." : "글이 있어 지우지 않고 닫았습니다."),
              }
            : null
        }
        saveOrder={calls.order}
      >
        {(board) => (
          <>
            <p className="flex flex-wrap items-center gap-2">
              <TextLink to={`/Admin/Boards/${board.boardCode}`} className="text-lg font-semibold">
                {board.boardName}
              </TextLink>
              {board.isClosed && <Badge tone="danger">닫힘</Badge>}
              {!board.isManaged && <Badge>관리 권한 없음</Badge>}
            </p>
            <p className="tabular text-sm text-gray-60">
              {board.boardCode} · {BOARD_TYPES[board.boardType]} · 글 {formatCount(board.itemCount)}건
            </p>
          </>
        )}
      </OrderedRows>
      <QuestionDialog question={closing ? closeBoardQuestion(closing) : null} onClose={() => setClosing(null)} />
      <QuestionDialog
        question={opening ? openBoardQuestion(opening, describeBoardAudience({ roles, ...opening }, guest)) : null}
        onClose={() => setOpening(null)}
      />
      <RowDialog
        key={key}
        edited={made}
        title={made.row ? `'${made.row.boardName}' 복사` : "게시판 추가"}
        submitLabel="추가"
        size="sm"
        read={(form) => ({ boardCode: formText(form, "boardCode"), boardName: formText(form, "boardName") })}
        save={(json, from) =>
          from
            ? callApi(calls[":boardCode"].copy.$post({ param: { boardCode: from.boardCode }, json, header: ONCE }))
            : callApi(calls.$put({ json, header: ONCE }))
        }
        done="게시판을 추가하였습니다."
        onSaved={({ boardCode }) => navigate(`/Admin/Boards/${boardCode}`)}
        hidesGeneral
      >
        {(from, errors, general) => (
          <>
            {from && <p>설정과 권한만 복사하고 글은 복사하지 않습니다.</p>}
            <p>새 게시판은 닫힌 채로 만들어집니다. 권한을 정한 뒤에 여십시오.</p>
            <Field label="게시판 이름" required error={errors.boardName}>
              <Input name="boardName" maxLength={BOARD_LIMITS.boardName} />
            </Field>
            <CodeField
              name="boardCode"
              label="코드"
              hint="주소에 쓰입니다. 영문 소문자로 적고, 나중에 바꿀 수 없습니다. 예: press"
              maxLength={BOARD_LIMITS.boardCode}
              error={errors.boardCode ?? general}
            />
          </>
        )}
      </RowDialog>
    </>
  );
}

const closeBoardQuestion = ({
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

const openBoardQuestion = (
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
