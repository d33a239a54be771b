import { ownValue } from "#worker/contract/kernel/labels.ts";
import { formText, neighbourLines, splitLines } from "#app/features/form/form-values.ts";
import { BOARD_ACTION_NAMES, type BoardAction } from "#worker/contract/kernel/permissions.ts";
import type { AdminBoard, BoardsPage, BoardType } from "#worker/contract/board/view.ts";

const MB = 1024 * 1024;

export const BOARD_TYPES = [
  { value: "list", label: "목록형" },
  { value: "gallery", label: "사진형" },
  { value: "faq", label: "질문과 답" },
];

export function describeBoardAudience(
  { roles, grant }: Pick<BoardsPage, "roles"> & Pick<AdminBoard, "grant">,
  roleCodeForGuest: string | undefined,
): string {
  const who = (action: BoardAction) =>
    roles
      .filter(({ roleCode }) => grant[roleCode]?.some((held) => held === action || held === "Manage"))
      .map(({ roleCode, roleName }) =>
        roleCode === roleCodeForGuest ? `${roleName}(로그인하지 않은 사람)` : roleName,
      );
  const nobody = "해당하는 역할 없음";
  const [listing, reading] = [who("List"), who("View")].map((names) => names.join(", ") || nobody);
  return listing === reading
    ? `목록과 글을 보는 역할: ${listing}.`
    : `목록을 보는 역할: ${listing}. 글을 읽는 역할: ${reading}.`;
}

type BoardValues = Omit<AdminBoard, "boardCode" | "itemCount" | "isClosed" | "version">;

const yesOrNo = (value: boolean) => (value ? "예" : "아니요");
export const megabytes = (bytes: number) => Math.round((bytes / MB) * 10) / 10;

export function describeBoard(board: BoardValues, roles: BoardsPage["roles"]) {
  const actions = (roleCode: string) =>
    (ownValue(board.grant, roleCode) ?? []).map((action) => BOARD_ACTION_NAMES[action]);
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

export function readBoardForm(form: FormData): Omit<BoardValues, "grant"> {
  return {
    boardName: formText(form, "boardName"),
    description: formText(form, "description"),
    boardType: formText(form, "boardType") as BoardType,
    categories: splitLines(formText(form, "categories")),
    englishName: formText(form, "englishName"),
    englishDescription: formText(form, "englishDescription"),
    englishCategories: neighbourLines(formText(form, "englishCategories")),
    pageSize: Number(formText(form, "pageSize")),
    useComment: form.has("useComment"),
    useSecret: form.has("useSecret"),
    useEvents: form.has("useEvents"),
    fileMaxCount: Number(formText(form, "fileMaxCount")),
    fileMaxSize: Math.round(Number(formText(form, "fileMaxMegabytes")) * MB),
    fileExtensions: form.getAll("fileExtensions").map(String),
  };
}
