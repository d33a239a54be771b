import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { moveEntry, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { formText, useSave } from "#app/features/form/use-save.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Field } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { Input } from "#app/ui/input.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { listBoards } from "#worker/domain/board/board-setting.server.ts";
import type { Route } from "./+types/boards";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => listBoards(scope));

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["게시판", "관리"] });
}

type BoardData = Route.ComponentProps["loaderData"]["boards"][number];
const TYPES = { list: "목록형", gallery: "사진형", faq: "질문과 답" } as const;

export default function ConsoleBoardsPage({ loaderData }: Route.ComponentProps) {
  const { boards } = loaderData;
  const [making, setMaking] = useState<{ from?: BoardData } | null>(null);
  // By its code: after a conflict the next try is made on the board as it stands then.
  const [removingCode, setRemoving] = useState<string | null>(null);
  const removing = boards.find(({ boardCode }) => boardCode === removingCode) ?? null;
  const { busy, save, clear, message } = useSave();
  const [acting, setActing] = useState("");
  const move = (at: number, by: -1 | 1) => {
    if (busy) return;
    setActing(`${boards[at]?.boardCode} ${by}`);
    const codes = moveEntry(boards, at, by).map(({ boardCode }) => boardCode);
    void save(() => callApi(api.admin.board.order.$post({ json: { codes } })), "순서를 바꾸었습니다.");
  };
  const setClosed = ({ boardCode, version }: BoardData, isClosed: boolean) => {
    if (busy) return;
    setActing(boardCode);
    const work = () =>
      callApi(api.admin.board[":boardCode"].state.$post({ param: { boardCode }, json: { isClosed, version } }));
    void save(work, isClosed ? "게시판을 닫았습니다. 글은 그대로 있습니다." : "게시판을 다시 열었습니다.");
  };
  const remove = async () => {
    if (!removing) return;
    const { boardCode, version } = removing;
    const work = () =>
      callApi(api.admin.board[":boardCode"].$delete({ param: { boardCode }, query: { version: String(version) } }));
    const done = ({ deleted }: { deleted: boolean }) =>
      deleted ? "게시판을 삭제하였습니다." : "글이 있어 지우지 않고 닫았습니다.";
    if (await save(work, done)) setRemoving(null);
  };
  return (
    <>
      <ConsoleHeader
        title="게시판"
        description="위에서부터 메뉴에 나오는 차례입니다."
        action={
          <Button size="sm" variant="primary" onClick={() => setMaking({})}>
            게시판 추가
          </Button>
        }
      />
      {message && !removing && (
        <Alert tone="error" className="mb-4">
          {message}
        </Alert>
      )}
      <ul className="divide-y divide-gray-20 border-y border-gray-20">
        {boards.map((board, at) => (
          <li key={board.boardCode} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
            <div className="min-w-0 flex-1 basis-60">
              <p className="flex flex-wrap items-center gap-2">
                <Link
                  to={`/Admin/Boards/${board.boardCode}`}
                  className="text-lg font-semibold text-primary-70 underline underline-offset-4"
                >
                  {board.boardName}
                </Link>
                {board.isClosed && <Badge tone="danger">닫힘</Badge>}
              </p>
              <p className="tabular text-sm text-gray-60">
                {board.boardCode} · {TYPES[board.boardType]} · 글 {formatCount(board.itemCount)}건
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <RowMoveButtons
                name={board.boardName}
                index={at}
                count={boards.length}
                busy={busy && acting.startsWith(`${board.boardCode} `)}
                onMove={(by) => move(at, by)}
              />
              <Button size="sm" onClick={() => setMaking({ from: board })}>
                복사<span className="sr-only"> {board.boardName}</span>
              </Button>
              <Button
                size="sm"
                busy={busy && acting === board.boardCode}
                onClick={() => setClosed(board, !board.isClosed)}
              >
                {board.isClosed ? "열기" : "닫기"}
                <span className="sr-only"> {board.boardName}</span>
              </Button>
              <Button size="sm" variant="danger" onClick={() => setRemoving(board.boardCode)}>
                삭제<span className="sr-only"> {board.boardName}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <NewBoardDialog
        key={making?.from?.boardCode ?? String(making === null)}
        making={making}
        onClose={() => setMaking(null)}
      />
      <ConfirmDialog
        open={removing !== null}
        onClose={() => {
          setRemoving(null);
          clear();
        }}
        title={`'${removing?.boardName}' 게시판을 삭제하시겠습니까?`}
        confirmLabel="삭제"
        danger
        busy={busy}
        error={message}
        onConfirm={remove}
      >
        <p>글이 한 번이라도 올라온 게시판은 삭제하지 않고 닫습니다. 글은 사라지지 않습니다.</p>
      </ConfirmDialog>
    </>
  );
}

function NewBoardDialog({ making, onClose }: { making: { from?: BoardData } | null; onClose: () => void }) {
  const { busy, save, fields, message } = useSave();
  const navigate = useNavigate();
  const from = making?.from;
  const submit = async (form: FormData) => {
    const json = { boardCode: formText(form, "boardCode"), boardName: formText(form, "boardName") };
    const work = () =>
      from
        ? callApi(api.admin.board[":boardCode"].copy.$post({ param: { boardCode: from.boardCode }, json }))
        : callApi(api.admin.board.$put({ json }));
    if (!(await save(work, "게시판을 추가하였습니다."))) return;
    onClose();
    await navigate(`/Admin/Boards/${json.boardCode}`);
  };
  return (
    <FormDialog
      open={making !== null}
      onClose={onClose}
      title={from ? `'${from.boardName}' 복사` : "게시판 추가"}
      submitLabel="추가"
      busy={busy}
      onSubmit={(form) => void submit(form)}
    >
      {from && <p>설정과 권한만 복사하고 글은 복사하지 않습니다.</p>}
      <Field label="게시판 이름" required error={fields.boardName}>
        <Input name="boardName" maxLength={50} />
      </Field>
      <Field
        label="코드"
        hint="주소에 쓰입니다. 영문 소문자로 적고, 나중에 바꿀 수 없습니다. 예: press"
        required
        error={fields.boardCode ?? (fields.boardName ? null : message)}
      >
        <Input name="boardCode" maxLength={30} autoCapitalize="none" />
      </Field>
    </FormDialog>
  );
}
