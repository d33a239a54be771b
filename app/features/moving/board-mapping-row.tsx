import { formatCount } from "#app/lib/format.ts";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Select } from "#app/ui/select.tsx";
import { BOARD_LIMITS } from "#worker/contract/board/rules.ts";
import type { BoardTarget } from "#worker/contract/moving/input.ts";
import { BOARD_ACCESS, type BoardAccess } from "#worker/contract/moving/rules.ts";
import type { MovingBoardView } from "#worker/contract/moving/view.ts";
import type { MovingPageData } from "#worker/contract/moving/view.ts";

const ACCESS = Object.entries(BOARD_ACCESS).map(([value, { label }]) => ({ value, label }));

const TYPES = [
  { value: "list", label: "목록" },
  { value: "gallery", label: "사진첩" },
  { value: "faq", label: "자주 묻는 질문" },
];

/** Derives a valid code from the old site's name. */
export function proposedCode(key: string, taken: ReadonlySet<string>): string {
  const base =
    key
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^[^a-z]+/, "")
      .replace(/-$/, "")
      .slice(0, BOARD_LIMITS.boardCode - 4) || "board";
  for (let number = 1; ; number++) {
    const code = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(code)) return code;
  }
}

interface BoardMappingRowProps {
  board: MovingBoardView;
  target: BoardTarget;
  targets: MovingPageData["targets"];
  error: string | undefined;
  onChange: (target: BoardTarget) => void;
}

export function BoardMappingRow({ board, target, targets, error, onChange }: BoardMappingRowProps) {
  const where = target.to === "board" ? `board ${target.boardCode}` : target.to;
  const options = [
    { value: "new", label: "새 게시판" },
    ...targets.boards.map(({ boardCode, boardName }) => ({
      value: `board ${boardCode}`,
      label: `'${boardName}'에 넣기`,
    })),
    { value: "skip", label: "옮기지 않음" },
  ];
  const choose = (chosen: string) => {
    if (chosen === "skip") return onChange({ to: "skip" });
    if (chosen.startsWith("board ")) return onChange({ to: "board", boardCode: chosen.slice("board ".length) });
    const taken = new Set(targets.boards.map(({ boardCode }) => boardCode));
    const boardCode = proposedCode(board.key, taken);
    return onChange({ to: "new", boardCode, boardName: board.title, boardType: "list", access: "members" });
  };
  const facts = [
    `글 ${formatCount(board.items)}`,
    `댓글 ${formatCount(board.comments)}`,
    `파일 ${formatCount(board.files)}`,
    board.notices > 0 && `공지 ${formatCount(board.notices)}`,
    board.secrets > 0 && `비밀글 ${formatCount(board.secrets)}`,
    Object.keys(board.categories).length > 0 && `분류 ${formatCount(Object.keys(board.categories).length)}`,
  ].filter(Boolean);
  return (
    <li className="py-4">
      <p className="font-semibold text-gray-90">
        {board.title} <span className="font-normal text-gray-60">({board.key})</span>
      </p>
      <p className="tabular text-sm text-gray-60">{facts.join(" · ")}</p>
      <div className="mt-3 grid gap-3 md:grid-cols-2 lg:grid-cols-5">
        <Field label="옮길 곳" error={error}>
          <Select value={where} options={options} onChange={(event) => choose(event.target.value)} />
        </Field>
        {target.to === "new" && (
          <>
            <Field label="코드" hint={undefined}>
              <Input
                value={target.boardCode}
                maxLength={BOARD_LIMITS.boardCode}
                autoCapitalize="none"
                onChange={(event) => onChange({ ...target, boardCode: event.target.value })}
              />
            </Field>
            <Field label="이름">
              <Input
                value={target.boardName}
                maxLength={BOARD_LIMITS.boardName}
                onChange={(event) => onChange({ ...target, boardName: event.target.value })}
              />
            </Field>
            <Field label="모양">
              <Select
                value={target.boardType}
                options={TYPES}
                onChange={(event) => onChange({ ...target, boardType: event.target.value as typeof target.boardType })}
              />
            </Field>
            <Field label="권한">
              <Select
                value={target.access}
                options={ACCESS}
                onChange={(event) => onChange({ ...target, access: event.target.value as BoardAccess })}
              />
            </Field>
          </>
        )}
      </div>
    </li>
  );
}
