import { lookUp } from "#worker/contract/kernel/labels.ts";
import { type FormEvent, type ReactNode, useState } from "react";
import { useAction } from "#app/features/form/action.tsx";
import { roleOptions } from "#app/features/access/role-options.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { BOARD_LIMITS } from "#worker/contract/board/rules.ts";
import type { BoardTarget, FieldTarget } from "#worker/contract/moving/input.ts";
import type { MovingView } from "#worker/domain/moving/moving-view.server.ts";
import {
  BOARD_ACCESS,
  type BoardAccess,
  DOUBTFUL_CHOICES,
  type DoubtfulChoice,
  oldFieldName,
} from "#worker/contract/moving/rules.ts";
import { PROFILE_FIELD_LIMITS } from "#worker/contract/account/rules.ts";
import type { MovingPageData } from "#worker/domain/moving/moving.server.ts";

const DOUBTFUL_OPTIONS = Object.entries(DOUBTFUL_CHOICES).map(([value, label]) => ({ value, label }));

/** The list names the first ones alone. */
const doubtfulCount = ({ issues, doubtful }: MovingView): number =>
  issues.find(({ code }) => code === "member-doubt")?.count ?? doubtful.length;

function proposedBoards(view: MovingView, targets: MovingPageData["targets"]): Record<string, BoardTarget> {
  const taken = new Set(targets.boards.map(({ boardCode }) => boardCode));
  return Object.fromEntries(
    view.boards.map(({ key, title, items, pictures }): [string, BoardTarget] => {
      const boardCode = proposedCode(key, taken);
      taken.add(boardCode);
      const boardType = pictures > items * 0.8 ? "gallery" : "list";
      return [
        key,
        { to: "new", boardCode, boardName: title.slice(0, BOARD_LIMITS.boardName), boardType, access: "members" },
      ];
    }),
  );
}

export function MappingForm({ view, targets }: { view: MovingView; targets: MovingPageData["targets"] }) {
  const [boards, setBoards] = useState(() => proposedBoards(view, targets));
  const [groups, setGroups] = useState<Record<string, string>>({});
  const [fields, setFields] = useState<Record<string, FieldTarget>>(() =>
    Object.fromEntries(
      view.fields.map(({ name }): [string, FieldTarget] => {
        const same = targets.fields.find((field) => field.name === name || field.code === name);
        return [name, same ? { to: "field", code: same.code } : { to: "skip" }];
      }),
    ),
  );
  const [doubtful, setDoubtful] = useState<Record<string, DoubtfulChoice>>({});
  const [doubtfulOthers, setDoubtfulOthers] = useState<DoubtfulChoice>();
  const { busy, run, fields: errors, problem } = useAction();
  const start = (event: FormEvent) => {
    event.preventDefault();
    const json = { boards, groups, fields, doubtful, doubtfulOthers, keepItemFields: true, version: view.version };
    void run(
      () => callApi(api.admin.moving[":id"].start.$post({ param: { id: view.id }, json })),
      "옮기기 시작하였습니다.",
    );
  };
  return (
    <form onSubmit={start} noValidate>
      <ErrorAlert className="mb-5">{problem}</ErrorAlert>
      <MappingGroup
        legend="게시판"
        hint="이전 사이트의 읽기·쓰기 권한은 RDX에 들어 있지 않습니다. 게시판마다 누가 볼 수 있는지 정해 주십시오."
      >
        <ul className="mt-3 divide-y divide-gray-20 border-y border-gray-20">
          {view.boards.map((board) => (
            <BoardMappingRow
              key={board.key}
              board={board}
              target={lookUp(boards, board.key) ?? { to: "skip" }}
              targets={targets}
              error={errors[`boards.${board.key}`] ?? errors[`boards.${board.key}.boardCode`]}
              onChange={(target) => setBoards((now) => ({ ...now, [board.key]: target }))}
            />
          ))}
        </ul>
      </MappingGroup>
      {view.groups.length > 0 && (
        <MappingGroup legend="회원 그룹과 역할">
          <div className="mt-3 grid gap-x-6 gap-y-4 md:grid-cols-2">
            {view.groups.map(({ name, count }) => (
              <Field key={name} label={`${name} (${formatCount(count)}명)`} error={errors[`groups.${name}`]}>
                <Select
                  value={lookUp(groups, name) ?? ""}
                  placeholder="일반 회원"
                  options={roleOptions(targets.roles.filter(({ roleCode }) => roleCode !== "guest"))}
                  onChange={(event) => {
                    const { [name]: _before, ...rest } = groups;
                    setGroups(event.target.value === "" ? rest : { ...rest, [name]: event.target.value });
                  }}
                />
              </Field>
            ))}
          </div>
        </MappingGroup>
      )}
      {view.fields.length > 0 && (
        <MappingGroup
          legend="회원의 여분 항목"
          hint="고르지 않은 항목은 옮기지 않습니다. 필요하지 않은 개인정보는 옮기지 않는 것이 좋습니다."
        >
          <div className="mt-3 grid gap-x-6 gap-y-4 md:grid-cols-2">
            {view.fields.map(({ name, count }) => (
              <Field
                key={name}
                label={`${oldFieldName(name)} (${formatCount(count)}명)`}
                error={errors[`fields.${name}`]}
              >
                <FieldTargetSelect
                  name={name}
                  target={lookUp(fields, name)}
                  targets={targets}
                  onChange={(target) => setFields((now) => ({ ...now, [name]: target }))}
                />
              </Field>
            ))}
          </div>
        </MappingGroup>
      )}
      {view.doubtful.length > 0 && (
        <MappingGroup
          legend="메모를 보고 정할 회원"
          hint="메모나 이름에 제명, 강퇴, 작고, 탈퇴 같은 말이 있는 회원입니다. 한 번에 정한 뒤, 다르게 할 회원만 따로 고르십시오."
        >
          <Field
            className="mt-3 max-w-md"
            label={`모두 ${formatCount(doubtfulCount(view))}명`}
            error={errors.doubtfulOthers}
          >
            <Select
              value={doubtfulOthers ?? ""}
              placeholder="골라 주십시오"
              options={DOUBTFUL_OPTIONS}
              onChange={(event) => setDoubtfulOthers((event.target.value || undefined) as DoubtfulChoice | undefined)}
            />
          </Field>
          <ul className="mt-4 divide-y divide-gray-20 border-y border-gray-20">
            {view.doubtful.map(({ userId, text }) => (
              <li key={userId} className="grid gap-x-6 gap-y-2 py-3 md:grid-cols-[1fr_20rem] md:items-center">
                <p className="min-w-0 wrap-anywhere">
                  <span className="font-semibold text-gray-90">{userId}</span>{" "}
                  <span className="text-gray-60">{text}</span>
                </p>
                <Select
                  aria-label={`${userId} 회원`}
                  value={lookUp(doubtful, userId) ?? ""}
                  placeholder="위에서 정한 대로"
                  options={DOUBTFUL_OPTIONS}
                  onChange={(event) => {
                    const { [userId]: _before, ...rest } = doubtful;
                    const choice = event.target.value as DoubtfulChoice | "";
                    setDoubtful(choice === "" ? rest : { ...rest, [userId]: choice });
                  }}
                />
              </li>
            ))}
          </ul>
        </MappingGroup>
      )}
      <div className="mt-8">
        <Button type="submit" variant="primary" busy={busy}>
          이대로 옮기기
        </Button>
        <p className="mt-3 max-w-2xl text-sm text-gray-60">
          나누어 옮기므로 이 화면을 닫아도 됩니다. 옮긴 뒤 30일 안에는 통째로 되돌릴 수 있습니다.
        </p>
      </div>
    </form>
  );
}

const ACCESS = Object.entries(BOARD_ACCESS).map(([value, { label }]) => ({ value, label }));

const TYPES = [
  { value: "list", label: "목록" },
  { value: "gallery", label: "사진첩" },
  { value: "faq", label: "자주 묻는 질문" },
];

/** Derives a valid code from the old site's name. */
function proposedCode(key: string, taken: ReadonlySet<string>): string {
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
  board: MovingView["boards"][number];
  target: BoardTarget;
  targets: MovingPageData["targets"];
  error: string | undefined;
  onChange: (target: BoardTarget) => void;
}

function BoardMappingRow({ board, target, targets, error, onChange }: BoardMappingRowProps) {
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

interface FieldTargetSelectProps {
  name: string;
  target: FieldTarget | undefined;
  targets: MovingPageData["targets"];
  onChange: (target: FieldTarget) => void;
}

function FieldTargetSelect({ name, target, targets, onChange }: FieldTargetSelectProps) {
  const options = [
    { value: "new", label: "새 가입 항목 만들기" },
    ...targets.fields.map(({ code, name: label }) => ({ value: `field ${code}`, label })),
  ];
  const value = target?.to === "field" ? `field ${target.code}` : target?.to === "new" ? "new" : "";
  const choose = (chosen: string) => {
    if (chosen === "") return onChange({ to: "skip" });
    if (chosen === "new") return onChange({ to: "new", name: oldFieldName(name).slice(0, PROFILE_FIELD_LIMITS.name) });
    return onChange({ to: "field", code: chosen.slice("field ".length) });
  };
  return (
    <Select
      value={value}
      placeholder="옮기지 않음"
      options={options}
      onChange={(event) => choose(event.target.value)}
    />
  );
}

function MappingGroup({ legend, hint, children }: { legend: string; hint?: string; children: ReactNode }) {
  return (
    <fieldset className="not-first-of-type:mt-8">
      <legend className="text-base font-semibold text-gray-90">{legend}</legend>
      {hint && <p className="mt-1 max-w-2xl text-sm text-gray-60">{hint}</p>}
      {children}
    </fieldset>
  );
}
