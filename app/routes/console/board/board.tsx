import { type FormEvent, useState } from "react";
import { GrantTable } from "#app/features/access/grant-table.tsx";
import { BOARD_ACTION_NAMES } from "#worker/contract/access/permission-names.ts";
import { roleConsequences } from "#worker/contract/access/role-consequences.ts";
import type { BoardAction } from "#worker/contract/kernel/permissions.ts";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { useConsequences } from "#app/features/form/consequences.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { splitLines, formText } from "#app/features/form/form-values.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { boardListHref } from "#app/features/board/board-paths.ts";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Checkbox, CheckboxGroup } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Select } from "#app/ui/select.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";
import { FILE_TYPES } from "#worker/contract/file/rules.ts";
import { listBoards } from "#worker/domain/board/board-setting.server.ts";
import type { Route } from "./+types/board";
import { BOARD_LIMITS } from "#worker/contract/board/rules.ts";

const MB = 1024 * 1024;
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

const BOARD_TYPES = [
  { value: "list", label: "목록형" },
  { value: "gallery", label: "사진형" },
  { value: "faq", label: "질문과 답" },
];
type BoardData = Route.ComponentProps["loaderData"]["board"];
type BoardForm = Pick<
  BoardData,
  | "boardName"
  | "description"
  | "boardType"
  | "categories"
  | "englishName"
  | "englishDescription"
  | "englishCategories"
  | "pageSize"
  | "useComment"
  | "useSecret"
  | "useEvents"
  | "fileMaxCount"
  | "fileMaxSize"
  | "fileExtensions"
  | "grant"
>;
const yesOrNo = (value: boolean) => (value ? "예" : "아니요");
const megabytes = (bytes: number) => Math.round((bytes / MB) * 10) / 10;

function describeBoard(board: BoardForm, roles: Route.ComponentProps["loaderData"]["roles"]) {
  const actions = (roleCode: string) => (board.grant[roleCode] ?? []).map((action) => BOARD_ACTION_NAMES[action]);
  return {
    이름: board.boardName,
    모양: BOARD_TYPES.find(({ value }) => value === board.boardType)?.label ?? "",
    설명: board.description,
    분류: board.categories.join(", "),
    "영문 이름": board.englishName,
    "영문 설명": board.englishDescription,
    "영문 분류": board.englishCategories.join(", "),
    "한 페이지의 글 수": String(board.pageSize),
    댓글: yesOrNo(board.useComment),
    비밀글: yesOrNo(board.useSecret),
    일정: yesOrNo(board.useEvents),
    "첨부파일 개수": String(board.fileMaxCount),
    "파일 하나의 크기 (MB)": String(megabytes(board.fileMaxSize)),
    "올릴 수 있는 형식": board.fileExtensions.toSorted().join(", "),
    ...Object.fromEntries(
      roles.map(({ roleCode, roleName }) => [`${roleName}의 권한`, actions(roleCode).toSorted().join(", ")]),
    ),
  };
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
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const typed = {
      boardName: formText(form, "boardName"),
      description: formText(form, "description"),
      boardType: formText(form, "boardType") as typeof board.boardType,
      categories: splitLines(formText(form, "categories")),
      englishName: formText(form, "englishName"),
      englishDescription: formText(form, "englishDescription"),
      // Line by line beside the Korean ones: an empty line has no English name.
      englishCategories: formText(form, "englishCategories")
        .trimEnd()
        .split("\n")
        .map((line) => line.trim()),
      pageSize: Number(formText(form, "pageSize")),
      useComment: form.has("useComment"),
      useSecret: form.has("useSecret"),
      useEvents: form.has("useEvents"),
      fileMaxCount: Number(formText(form, "fileMaxCount")),
      fileMaxSize: Math.round(Number(formText(form, "fileMaxMegabytes")) * MB),
      fileExtensions: form.getAll("fileExtensions").map(String),
      grant,
    };
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
        action={
          <>
            <ButtonLink to={boardListHref(board.boardCode)} size="sm">
              게시판 보기
            </ButtonLink>
            <ButtonLink to={`/board/${board.boardCode}/Bin`} size="sm">
              휴지통
            </ButtonLink>
          </>
        }
      />
      <form onSubmit={submit} noValidate key={generation}>
        <ConsoleSection title="기본">
          <div className="grid gap-5 md:grid-cols-2">
            <Field label="이름" required error={fields.boardName}>
              <Input name="boardName" defaultValue={board.boardName} maxLength={BOARD_LIMITS.boardName} />
            </Field>
            <Field label="모양">
              <Select name="boardType" defaultValue={board.boardType} options={BOARD_TYPES} />
            </Field>
            <Field label="설명" className="md:col-span-2" error={fields.description}>
              <Input name="description" defaultValue={board.description} maxLength={BOARD_LIMITS.description} />
            </Field>
            <Field label="분류" hint="한 줄에 하나씩 적습니다." error={fields.categories}>
              <Textarea name="categories" defaultValue={board.categories.join("\n")} />
            </Field>
            <div className="grid content-start gap-5">
              <Field
                label="한 페이지의 글 수"
                hint={`${BOARD_LIMITS.pageSizeMin}~${BOARD_LIMITS.pageSizeMax}`}
                error={fields.pageSize}
              >
                <Input
                  name="pageSize"
                  type="number"
                  min={BOARD_LIMITS.pageSizeMin}
                  max={BOARD_LIMITS.pageSizeMax}
                  defaultValue={board.pageSize}
                />
              </Field>
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
        <ConsoleSection title="영문 페이지">
          <div className="grid gap-5 md:grid-cols-2">
            <Field label="영문 이름" hint="비워 두면 영문 페이지에도 한글 이름이 나옵니다." error={fields.englishName}>
              <Input
                name="englishName"
                lang="en"
                defaultValue={board.englishName}
                maxLength={BOARD_LIMITS.englishName}
                autoComplete="off"
              />
            </Field>
            <Field label="영문 설명" error={fields.englishDescription}>
              <Input
                name="englishDescription"
                lang="en"
                defaultValue={board.englishDescription}
                maxLength={BOARD_LIMITS.englishDescription}
                autoComplete="off"
              />
            </Field>
            <Field
              label="영문 분류"
              hint="위의 분류와 같은 차례로 한 줄에 하나씩 적습니다."
              error={fields.englishCategories}
            >
              <Textarea name="englishCategories" lang="en" defaultValue={board.englishCategories.join("\n")} />
            </Field>
          </div>
        </ConsoleSection>
        <ConsoleSection title="첨부파일">
          <div className="grid gap-5 md:grid-cols-2">
            <Field label="글 하나에 올릴 수 있는 개수" hint="0이면 올릴 수 없습니다." error={fields.fileMaxCount}>
              <Input
                name="fileMaxCount"
                type="number"
                min={0}
                max={BOARD_LIMITS.filesMax}
                defaultValue={board.fileMaxCount}
              />
            </Field>
            <Field label="파일 하나의 크기 (MB)" hint="20MB까지" error={fields.fileMaxSize}>
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
              error={fields.fileExtensions}
            />
          </div>
        </ConsoleSection>
        <ConsoleSection title="누가 무엇을 할 수 있습니까">
          <GrantTable roles={roles} grant={grant} onChange={setGrant} />
        </ConsoleSection>
        <div className="mt-8 grid justify-items-start gap-5">
          <ConflictAlert conflict={conflict} busy={busy} onTake={takeTheirs} className="w-full" />
          {message && !conflict && <Alert tone="error">{general ?? CHECK_AGAIN}</Alert>}
          <Button type="submit" variant="primary" busy={busy}>
            저장
          </Button>
        </div>
      </form>
      {dialog}
    </>
  );
}
