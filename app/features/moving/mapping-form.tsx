import { ownValue } from "#worker/contract/kernel/labels.ts";
import { type FormEvent, useState } from "react";
import { useAction } from "#app/features/form/use-action.ts";
import { roleOptions } from "#app/features/access/role-options.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { BOARD_LIMITS } from "#worker/contract/board/rules.ts";
import type { BoardTarget, FieldTarget } from "#worker/contract/moving/input.ts";
import type { MovingPageData, MovingView } from "#worker/contract/moving/view.ts";
import { FieldTargetSelect, oldFieldName } from "#app/features/moving/field-target-select.tsx";
import { MappingGroup } from "#app/features/moving/mapping-group.tsx";
import { BoardMappingRow, proposedCode } from "#app/features/moving/board-mapping-row.tsx";

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
  const { busy, run, fields: errors, problem } = useAction();
  const start = (event: FormEvent) => {
    event.preventDefault();
    const json = { boards, groups, fields, keepItemFields: true, version: view.version };
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
              target={ownValue(boards, board.key) ?? { to: "skip" }}
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
                  value={ownValue(groups, name) ?? ""}
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
                  target={ownValue(fields, name)}
                  targets={targets}
                  onChange={(target) => setFields((now) => ({ ...now, [name]: target }))}
                />
              </Field>
            ))}
          </div>
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
