import { type FormEvent, useState } from "react";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { PROFILE_FIELD_LIMITS } from "#worker/contract/account/rules.ts";
import { BOARD_LIMITS } from "#worker/contract/board/rules.ts";
import type { BoardTarget, FieldTarget } from "#worker/contract/moving/input.ts";
import type { MovingPageData, MovingView } from "#worker/contract/moving/view.ts";
import { BoardMappingRow, proposedCode } from "#app/features/moving/board-mapping-row.tsx";

const OLD_FIELD_NAMES: Record<string, string> = {
  address: "주소",
  phone_number: "전화번호",
  homepage: "홈페이지",
  blog: "블로그",
  birthday: "생일",
};
/** What people call a field of the old site; gnuboard numbers those that a site made itself. */
const oldFieldName = (name: string): string =>
  OLD_FIELD_NAMES[name] ?? (/^mb_\d{1,2}$/.test(name) ? `여분 필드 ${name.slice(3)}` : name);

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

/** Where everything goes, proposed and changed by hand; then the commit begins. */
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
      {problem && (
        <Alert tone="error" className="mb-5">
          {problem}
        </Alert>
      )}
      <fieldset>
        <legend className="text-base font-semibold text-gray-90">게시판</legend>
        <p className="mt-1 max-w-2xl text-sm text-gray-60">
          이전 사이트의 읽기·쓰기 권한은 RDX에 들어 있지 않습니다. 게시판마다 누가 볼 수 있는지 정해 주십시오.
        </p>
        <ul className="mt-3 divide-y divide-gray-20 border-y border-gray-20">
          {view.boards.map((board) => (
            <BoardMappingRow
              key={board.key}
              board={board}
              target={boards[board.key] ?? { to: "skip" }}
              targets={targets}
              error={errors[`boards.${board.key}`] ?? errors[`boards.${board.key}.boardCode`]}
              onChange={(target) => setBoards((now) => ({ ...now, [board.key]: target }))}
            />
          ))}
        </ul>
      </fieldset>
      {view.groups.length > 0 && (
        <fieldset className="mt-8">
          <legend className="text-base font-semibold text-gray-90">회원 그룹과 역할</legend>
          <div className="mt-3 grid gap-x-6 gap-y-4 md:grid-cols-2">
            {view.groups.map(({ name, count }) => (
              <Field key={name} label={`${name} (${formatCount(count)}명)`} error={errors[`groups.${name}`]}>
                <Select
                  value={groups[name] ?? ""}
                  placeholder="일반 회원"
                  options={targets.roles
                    .filter(({ roleCode }) => roleCode !== "guest")
                    .map(({ roleCode, roleName }) => ({ value: roleCode, label: roleName }))}
                  onChange={(event) => {
                    const { [name]: _before, ...rest } = groups;
                    setGroups(event.target.value === "" ? rest : { ...rest, [name]: event.target.value });
                  }}
                />
              </Field>
            ))}
          </div>
        </fieldset>
      )}
      {view.fields.length > 0 && (
        <fieldset className="mt-8">
          <legend className="text-base font-semibold text-gray-90">회원의 여분 항목</legend>
          <p className="mt-1 max-w-2xl text-sm text-gray-60">
            고르지 않은 항목은 옮기지 않습니다. 필요하지 않은 개인정보는 옮기지 않는 것이 좋습니다.
          </p>
          <div className="mt-3 grid gap-x-6 gap-y-4 md:grid-cols-2">
            {view.fields.map(({ name, count }) => (
              <Field
                key={name}
                label={`${oldFieldName(name)} (${formatCount(count)}명)`}
                error={errors[`fields.${name}`]}
              >
                <FieldSelect
                  name={name}
                  target={fields[name]}
                  targets={targets}
                  onChange={(target) => setFields((now) => ({ ...now, [name]: target }))}
                />
              </Field>
            ))}
          </div>
        </fieldset>
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

function FieldSelect({
  name,
  target,
  targets,
  onChange,
}: {
  name: string;
  target: FieldTarget | undefined;
  targets: MovingPageData["targets"];
  onChange: (target: FieldTarget) => void;
}) {
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
