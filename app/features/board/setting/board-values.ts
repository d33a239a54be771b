import { lookUp } from "#worker/contract/kernel/labels.ts";
import { BOARD_ACTION_NAMES, type BoardAction } from "#worker/contract/kernel/permissions.ts";
import type { AdminBoard } from "#worker/contract/board/view.ts";
import type { BoardsPage } from "#worker/domain/board/board-setting.server.ts";

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
  const [listing, reading] = [who("List"), who("View")].map((names) => names.join(", ") || "해당하는 역할 없음");
  return listing === reading
    ? `목록과 글을 보는 역할: ${listing}.`
    : `목록을 보는 역할: ${listing}. 글을 읽는 역할: ${reading}.`;
}

/** Actions of each role, for the conflict view. */
export const describeGrant = ({ grant }: Pick<AdminBoard, "grant">, roles: BoardsPage["roles"]) =>
  Object.fromEntries(
    roles.map(({ roleCode, roleName }) => [
      `${roleName}의 권한`,
      (lookUp(grant, roleCode) ?? [])
        .map((action) => BOARD_ACTION_NAMES[action])
        .toSorted()
        .join(", "),
    ]),
  );
