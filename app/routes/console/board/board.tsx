import { type FormEvent, useState } from "react";
import { BOARD_ACTION_NAMES, BOARD_ACTIONS, type BoardAction } from "#worker/contract/kernel/permissions.ts";
import { roleConsequences } from "#worker/contract/access/role.ts";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { useConsequences } from "#app/features/form/consequences.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { useAction } from "#app/features/form/action.tsx";
import { describeRow, readRow, SectionedControls } from "#app/features/form/row-fields.tsx";
import { describeBoardAudience, describeGrant } from "#app/features/board/setting/board-values.ts";
import { BOARD_FIELDS } from "#worker/contract/board/fields.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { boardListHref } from "#app/features/board/board-paths.ts";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";
import { type BoardsPage, listBoards } from "#worker/domain/board/board-setting.server.ts";
import type { Route } from "./+types/board";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { Table, TableHead, Td, Th } from "#app/ui/table.tsx";
import type { AdminBoard } from "#worker/contract/board/view.ts";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const { boards, roles } = await listBoards(scope);
  const board = boards.find(({ boardCode }) => boardCode === params.boardCode.toLowerCase());
  if (!board) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  return { board, roles };
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.board.boardName ?? "게시판", "게시판 관리"] });

export default function BoardPage({ loaderData }: Route.ComponentProps) {
  const { roles } = loaderData;
  const describe = (values: Parameters<typeof describeRow<typeof BOARD_FIELDS>>[1] & Pick<AdminBoard, "grant">) => ({
    ...describeRow(BOARD_FIELDS, values),
    ...describeGrant(values, roles),
  });
  const { busy, run, clear, fields, message, general, isConflict } = useAction();
  const edited = useConflict({ latest: loaderData.board, describe, isConflict });
  const { base: board, conflict, generation, versionToSend, keep, take } = edited;
  const [grant, setGrant] = useState(board.grant);
  const { sendAsked, dialog } = useConsequences();
  const guest = useSiteFrame()?.roleCodeForGuest;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = { ...readRow(BOARD_FIELDS, new FormData(event.currentTarget)), grant };
    const json = { ...typed, version: versionToSend(event, describe(typed)) };
    const param = { boardCode: board.boardCode };
    const work = async () => keep((await callApi(api.admin.board[":boardCode"].$patch({ param, json }))).version);
    const taken = roles.flatMap(({ roleCode, roleName }) => {
      const change = {
        roleName,
        isGuest: false,
        before: lookUp(board.grant, roleCode) ?? [],
        after: lookUp(grant, roleCode) ?? [],
      };
      return roleConsequences(change, (action) => BOARD_ACTION_NAMES[action as BoardAction]);
    });
    sendAsked("권한을 줄이시겠습니까?", taken, () => void run(work, "게시판을 저장하였습니다."));
  };
  const takeTheirs = () => {
    take();
    setGrant(loaderData.board.grant);
    clear();
  };
  return (
    <>
      <ConsoleHeader
        parent={{ label: "게시판 목록", href: "/Admin/Boards" }}
        title={board.boardName}
        description={`주소: /board/${board.boardCode}/List/`}
        links={[
          { label: "게시판 보기", href: boardListHref(board.boardCode) },
          ...(loaderData.board.isManaged ? [{ label: "휴지통", href: `/board/${board.boardCode}/Bin` }] : []),
        ]}
      />
      <form onSubmit={submit} noValidate key={generation}>
        <SectionedControls fields={BOARD_FIELDS} values={board} errors={fields} />
        <ConsoleSection title="누가 무엇을 할 수 있습니까">
          <GrantTable roles={roles} grant={grant} onChange={setGrant} />
          <p className="mt-4" role="status">
            {loaderData.board.isClosed
              ? "닫힌 게시판이라 지금은 관리하는 사람에게만 보입니다. 게시판 목록에서 열면 다음과 같이 보입니다. "
              : "저장하면 다음과 같이 보입니다. "}
            {describeBoardAudience({ roles, grant }, guest)}
          </p>
        </ConsoleSection>
        <div className="mt-8 grid justify-items-start gap-5">
          <ConflictAlert conflict={conflict} busy={busy} onTake={takeTheirs} className="w-full" />
          <ErrorAlert>{message && !conflict && (general ?? ERRORS.INVALID_INPUT.message)}</ErrorAlert>
          {loaderData.board.isManaged ? (
            <Button type="submit" variant="primary" busy={busy}>
              저장
            </Button>
          ) : (
            <Alert>
              이 게시판의 관리 권한이 없어 설정을 볼 수만 있습니다. 그 권한을 가진 관리자에게 요청해 주십시오.
            </Alert>
          )}
        </div>
      </form>
      {dialog}
    </>
  );
}

interface GrantTableProps extends Pick<BoardsPage, "roles">, Pick<AdminBoard, "grant"> {
  onChange: (grant: AdminBoard["grant"]) => void;
}

function GrantTable({ roles, grant, onChange }: GrantTableProps) {
  const toggle = (roleCode: string, action: BoardAction, on: boolean) => {
    const held = lookUp(grant, roleCode) ?? [];
    const next = BOARD_ACTIONS.filter((each) => (each === action ? on : held.includes(each)));
    onChange({ ...grant, [roleCode]: next });
  };
  return (
    <Table caption="역할마다 할 수 있는 일" className="md:min-w-[34rem]">
      <TableHead>
        <Th className="max-md:px-1">역할</Th>
        {BOARD_ACTIONS.map((action) => (
          <Th key={action} className="text-center max-md:px-1">
            {BOARD_ACTION_NAMES[action]}
          </Th>
        ))}
      </TableHead>
      <tbody>
        {roles.map((role) => (
          <tr key={role.roleCode}>
            <th scope="row" className="border-b border-gray-20 px-4 py-2 text-left font-semibold max-md:px-1">
              {role.roleName}
            </th>
            {BOARD_ACTIONS.map((action) => (
              <Td key={action} className="py-2 text-center max-md:px-1">
                <input
                  type="checkbox"
                  className="size-5.5 align-middle accent-primary-60"
                  aria-label={`${role.roleName}: ${BOARD_ACTION_NAMES[action]}`}
                  checked={(lookUp(grant, role.roleCode) ?? []).includes(action)}
                  onChange={(event) => toggle(role.roleCode, action, event.target.checked)}
                />
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
