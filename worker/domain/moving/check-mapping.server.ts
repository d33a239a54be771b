import type { board } from "#db/schema/board.ts";
import { ownValue } from "#worker/contract/kernel/labels.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import type { BoardTarget, MovingMapping } from "#worker/contract/moving/input.ts";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import type { MovingBoard } from "#worker/contract/moving/state.ts";
import { withParticle } from "#worker/contract/kernel/particles.ts";

export type BoardDbRow = typeof board.$inferSelect;

export type NewBoard = Extract<BoardTarget, { to: "new" }>;

/** Boards of an earlier move keep their target, because their items are there. */
export function withMovedBoards(mapping: MovingMapping, moved: { oldKey: string; targetId: string }[]): MovingMapping {
  const boards = Object.entries(mapping.boards).map(([key, target]): [string, BoardTarget] => {
    const earlier = moved.find(({ oldKey }) => oldKey === key);
    return [key, earlier && target.to !== "skip" ? { to: "board", boardCode: earlier.targetId } : target];
  });
  return { ...mapping, boards: Object.fromEntries(boards) };
}

interface Known {
  boards: BoardDbRow[];
  fields: { code: string; name: string }[];
  roles: { roleCode: string }[];
}

export function checkMapping(found: MovingBoard[], mapping: MovingMapping, { boards, fields, roles }: Known): void {
  const errors: Record<string, string> = {};
  const taken = new Set(boards.map(({ boardCode }) => boardCode));
  for (const { key, title } of found) {
    const target = ownValue(mapping.boards, key);
    if (!target) errors[`boards.${key}`] = `'${title}' 게시판을 어디로 옮길지 정해 주십시오.`;
    else if (target.to === "board" && !boards.some(({ boardCode }) => boardCode === target.boardCode))
      errors[`boards.${key}`] = "그사이 없어진 게시판입니다. 다시 골라 주십시오.";
    else if (target.to === "new") {
      if (taken.has(target.boardCode))
        errors[`boards.${key}`] = `${withParticle(`'${target.boardCode}'`, "은/는")} 이미 쓰는 게시판 코드입니다.`;
      taken.add(target.boardCode);
    }
  }
  for (const [name, target] of Object.entries(mapping.fields))
    if (target.to === "field" && !fields.some(({ code }) => code === target.code))
      errors[`fields.${name}`] = "그사이 없어진 가입 항목입니다. 다시 골라 주십시오.";
  if (found.length > MOVING_LIMITS.boards)
    errors.boards = `게시판은 한 번에 ${MOVING_LIMITS.boards}개까지 옮길 수 있습니다. 나누어 내보내 주십시오.`;
  if (Object.values(mapping.fields).filter(({ to }) => to === "new").length > MOVING_LIMITS.newFields)
    errors.fields = `새 가입 항목은 한 번에 ${MOVING_LIMITS.newFields}개까지 만들 수 있습니다.`;
  for (const [name, code] of Object.entries(mapping.groups))
    if (!roles.some(({ roleCode }) => roleCode === code))
      errors[`groups.${name}`] = "그사이 없어진 역할입니다. 다시 골라 주십시오.";
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
}
