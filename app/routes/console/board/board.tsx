import { type FormEvent, useState } from "react";
import { BOARD_ACTION_NAMES, BOARD_ACTIONS, type BoardAction } from "#worker/contract/kernel/permissions.ts";
import { roleConsequences } from "#worker/contract/access/role.ts";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { useConsequences } from "#app/features/form/consequences.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { useAction } from "#app/features/form/use-action.ts";
import {
  BOARD_TYPES,
  describeBoard,
  describeBoardAudience,
  megabytes,
  readBoardForm,
} from "#app/features/board/setting/board-values.ts";
import { useSiteFrame } from "#app/lib/root-data.ts";
import { boardListHref } from "#app/features/board/board-paths.ts";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";
import { FILE_TYPES } from "#worker/contract/file/rules.ts";
import { listBoards } from "#worker/domain/board/board-setting.server.ts";
import type { Route } from "./+types/board";
import { ownValue } from "#worker/contract/kernel/labels.ts";
import { Table, TableHead, Td, Th } from "#app/ui/table.tsx";
import { EnglishField } from "#app/features/form/english-field.tsx";
import { Checkbox, CheckboxGroup } from "#app/ui/choice.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { NumberField } from "#app/ui/number-field.tsx";
import { Select } from "#app/ui/select.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { BOARD_LIMITS } from "#worker/contract/board/rules.ts";
import type { AdminBoard } from "#worker/contract/board/view.ts";

const CHECK_AGAIN = ERRORS.INVALID_INPUT.message;

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const { boards, roles } = await listBoards(scope);
  const board = boards.find(({ boardCode }) => boardCode === params.boardCode.toLowerCase());
  if (!board) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  return { board, roles, extensions: Object.keys(FILE_TYPES) };
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta({ matches, title: [loaderData?.board.boardName ?? "게시판", "게시판 관리"] });
}

export default function BoardPage({ loaderData }: Route.ComponentProps) {
  const { roles, extensions } = loaderData;
  const { busy, run, clear, fields, message, general, isConflict } = useAction();
  const {
    base: board,
    conflict,
    generation,
    versionToSend,
    keep,
    take,
  } = useConflict({
    latest: loaderData.board,
    describe: (latest) => describeBoard(latest, roles),
    isConflict,
  });
  const [grant, setGrant] = useState(board.grant);
  const { sendAsked, dialog } = useConsequences();
  const guest = useSiteFrame()?.roleCodeForGuest;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = { ...readBoardForm(new FormData(event.currentTarget)), grant };
    const json = { ...typed, version: versionToSend(event, describeBoard(typed, roles)) };
    const param = { boardCode: board.boardCode };
    const work = async () => keep((await callApi(api.admin.board[":boardCode"].$patch({ param, json }))).version);
    const taken = roles.flatMap(({ roleCode, roleName }) => {
      const [before, after] = [board.grant, grant].map((each) => each[roleCode] ?? []) as [
        BoardAction[],
        BoardAction[],
      ];
      const nameOf = (action: string) => BOARD_ACTION_NAMES[action as BoardAction];
      return roleConsequences({ roleName, isGuest: false, before, after }, nameOf);
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
        <BoardBasics board={board} errors={fields} />
        <EnglishBoardFields board={board} errors={fields} />
        <BoardFileFields board={board} errors={fields} extensions={extensions} />
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
          <ErrorAlert>{message && !conflict && (general ?? CHECK_AGAIN)}</ErrorAlert>
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

type GrantByBoard = Record<string, BoardAction[]>;
interface GrantTableProps {
  roles: readonly { roleCode: string; roleName: string }[];
  grant: GrantByBoard;
  onChange: (grant: GrantByBoard) => void;
}

function GrantTable({ roles, grant, onChange }: GrantTableProps) {
  const toggle = (roleCode: string, action: BoardAction, on: boolean) => {
    const held = ownValue(grant, roleCode) ?? [];
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
                  checked={(ownValue(grant, role.roleCode) ?? []).includes(action)}
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

interface BoardFieldsProps {
  board: AdminBoard;
  errors: Record<string, string>;
}

function BoardBasics({ board, errors }: BoardFieldsProps) {
  return (
    <ConsoleSection title="기본">
      <div className="grid gap-5 md:grid-cols-2">
        <Field label="이름" required error={errors.boardName}>
          <Input name="boardName" defaultValue={board.boardName} maxLength={BOARD_LIMITS.boardName} />
        </Field>
        <Field label="모양">
          <Select name="boardType" defaultValue={board.boardType} options={BOARD_TYPES} />
        </Field>
        <Field label="설명" className="md:col-span-2" error={errors.description}>
          <Input name="description" defaultValue={board.description} maxLength={BOARD_LIMITS.description} />
        </Field>
        <Field label="분류" hint="한 줄에 하나씩 적습니다." error={errors.categories}>
          <Textarea name="categories" defaultValue={board.categories.join("\n")} />
        </Field>
        <div className="grid content-start gap-5">
          <NumberField
            label="한 페이지의 글 수"
            hint={`${BOARD_LIMITS.pageSizeMin}~${BOARD_LIMITS.pageSizeMax}`}
            error={errors.pageSize}
            name="pageSize"
            min={BOARD_LIMITS.pageSizeMin}
            max={BOARD_LIMITS.pageSizeMax}
            defaultValue={board.pageSize}
          />
          <div>
            <Checkbox name="useComment" label="댓글을 쓸 수 있습니다" defaultChecked={board.useComment} />
            <br />
            <Checkbox name="useSecret" label="비밀글을 쓸 수 있습니다" defaultChecked={board.useSecret} />
            <br />
            <Checkbox
              name="useEvents"
              label="글에 일정(일시와 장소)을 적을 수 있습니다"
              defaultChecked={board.useEvents}
            />
          </div>
        </div>
      </div>
    </ConsoleSection>
  );
}

const ENGLISH_FIELDS = [
  { name: "englishName", label: "영문 이름", hint: "비워 두면 영문 페이지에도 한글 이름이 나옵니다." },
  { name: "englishDescription", label: "영문 설명", hint: undefined },
] as const;

function EnglishBoardFields({ board, errors }: BoardFieldsProps) {
  return (
    <ConsoleSection title="영문 페이지">
      <div className="grid gap-5 md:grid-cols-2">
        {ENGLISH_FIELDS.map((field) => (
          <EnglishField key={field.name} {...field} of={board} maxLength={BOARD_LIMITS[field.name]} errors={errors} />
        ))}
        <Field
          label="영문 분류"
          hint="위의 분류와 같은 차례로 한 줄에 하나씩 적습니다."
          error={errors.englishCategories}
        >
          <Textarea name="englishCategories" lang="en" defaultValue={board.englishCategories.join("\n")} />
        </Field>
      </div>
    </ConsoleSection>
  );
}

function BoardFileFields({ board, errors, extensions }: BoardFieldsProps & { extensions: string[] }) {
  return (
    <ConsoleSection title="첨부파일">
      <div className="grid gap-5 md:grid-cols-2">
        <NumberField
          label="글 하나에 올릴 수 있는 개수"
          hint="0이면 올릴 수 없습니다."
          error={errors.fileMaxCount}
          name="fileMaxCount"
          min={0}
          max={BOARD_LIMITS.filesMax}
          defaultValue={board.fileMaxCount}
        />
        <Field label="파일 하나의 크기 (MB)" hint="20MB까지" error={errors.fileMaxSize}>
          <Input
            name="fileMaxMegabytes"
            type="number"
            min={0}
            max={20}
            step="any"
            defaultValue={megabytes(board.fileMaxSize)}
          />
        </Field>
      </div>
      <div className="mt-5">
        <CheckboxGroup
          legend="올릴 수 있는 형식"
          name="fileExtensions"
          options={extensions}
          defaultValue={board.fileExtensions}
          error={errors.fileExtensions}
        />
      </div>
    </ConsoleSection>
  );
}
