import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { HOME_PART_NAMES, type IdentityFieldsProps } from "#app/features/site/identity/identity-fields.ts";
import { RowControls } from "#app/features/form/row-fields.tsx";
import { IDENTITY_FIELDS } from "#worker/contract/kernel/setting/site-fields.ts";
import { moveEntry, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { boardOptions } from "#app/features/board/board-paths.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import type { BoardLink } from "#worker/contract/board/view.ts";
import {
  ENGLISH_LABEL_MAX,
  FOOTER_LINKS_MAX,
  HOME_ACTIONS_MAX,
  HOME_BOARDS_MAX,
  MENU_LABEL_MAX,
} from "#worker/contract/site/rules.ts";
import type { SiteLink } from "#worker/contract/kernel/setting/site-setting.ts";

export function HomeFields({
  value,
  errors,
  onChange,
  boards,
}: IdentityFieldsProps & { boards: readonly BoardLink[] }) {
  const { home } = value;
  return (
    <>
      <ConsoleSection title="첫 화면">
        <ol className="max-w-2xl divide-y divide-gray-20 border-y border-gray-20">
          {home.map(({ part, isHidden }, at) => (
            <li key={part} className="list-row flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
              <span className="min-w-0 flex-1 font-semibold">{HOME_PART_NAMES[part]}</span>
              <Checkbox
                label={
                  <>
                    숨기기<span className="sr-only"> {HOME_PART_NAMES[part]}</span>
                  </>
                }
                checked={isHidden}
                onChange={(event) =>
                  onChange({ ...value, home: home.with(at, { part, isHidden: event.target.checked }) })
                }
              />
              <span className="flex gap-2">
                <RowMoveButtons
                  name={HOME_PART_NAMES[part]}
                  index={at}
                  count={home.length}
                  onMove={(by) => onChange({ ...value, home: moveEntry(home, at, by) })}
                />
              </span>
            </li>
          ))}
        </ol>
        <div className="mt-4 grid max-w-2xl gap-4 md:grid-cols-2">
          {Array.from({ length: HOME_BOARDS_MAX }, (_, at) => (
            <Field key={at} label={`새 글을 보일 게시판 ${at + 1}`} error={at === 0 ? errors["homeBoards"] : undefined}>
              <Select
                value={value.homeBoards[at] ?? ""}
                options={[{ value: "", label: "없음" }, ...boardOptions(boards)]}
                onChange={(event) => {
                  const chosen = Array.from({ length: HOME_BOARDS_MAX }, (_each, place) =>
                    place === at ? event.target.value : (value.homeBoards[place] ?? ""),
                  );
                  onChange({ ...value, homeBoards: [...new Set(chosen.filter((code) => code !== ""))] });
                }}
              />
            </Field>
          ))}
        </div>
        <h3 className="mt-6 mb-2 font-semibold">첫 그림 위의 버튼</h3>
        {value.actions === null ? (
          <p className="flex flex-wrap items-center gap-3">
            처음부터 있는 안내로 이어집니다.
            <Button size="sm" onClick={() => onChange({ ...value, actions: [] })}>
              버튼 바꾸기
            </Button>
          </p>
        ) : (
          <LinkRows name="버튼" path="actions" max={HOME_ACTIONS_MAX} {...{ value, errors, onChange }} />
        )}
      </ConsoleSection>
      <ConsoleSection title="바닥글">
        <LinkRows name="링크" path="footerLinks" max={FOOTER_LINKS_MAX} {...{ value, errors, onChange }} />
        <div className="mt-4 max-w-2xl">
          <RowControls
            fields={IDENTITY_FIELDS}
            only={["footerText"]}
            values={value}
            errors={errors}
            onChange={(changed) => onChange({ ...value, ...changed })}
          />
        </div>
      </ConsoleSection>
    </>
  );
}

interface LinkRowsProps extends IdentityFieldsProps {
  name: string;
  path: "actions" | "footerLinks";
  max: number;
}

function LinkRows({ name, path, max, value, errors, onChange }: LinkRowsProps) {
  const links = value[path] ?? [];
  const change = (changed: SiteLink[]) => onChange({ ...value, [path]: changed });
  return (
    <>
      <ol className="grid max-w-4xl gap-3">
        {links.map((link, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- links have no other name, and their fields are controlled
          <li key={at} className="flex flex-wrap items-end gap-3">
            <Field label={`${name} ${at + 1}의 이름`} error={errors[`${path}.${at}.label`]} className="basis-44">
              <Input
                value={link.label}
                maxLength={MENU_LABEL_MAX}
                autoComplete="off"
                onChange={(event) => change(links.with(at, { ...link, label: event.target.value }))}
              />
            </Field>
            <Field label={`${name} ${at + 1}의 영문 이름`} error={errors[`${path}.${at}.english`]} className="basis-44">
              <Input
                value={link.english}
                lang="en"
                maxLength={ENGLISH_LABEL_MAX}
                autoComplete="off"
                onChange={(event) => change(links.with(at, { ...link, english: event.target.value }))}
              />
            </Field>
            <Field
              label={`${name} ${at + 1}의 주소`}
              error={errors[`${path}.${at}.href`]}
              className="min-w-0 flex-1 basis-56"
            >
              <Input
                value={link.href}
                maxLength={SIZE_LIMITS.linkLength}
                autoComplete="off"
                placeholder="/로 시작하거나 https://로 시작"
                onChange={(event) => change(links.with(at, { ...link, href: event.target.value }))}
              />
            </Field>
            <span className="flex flex-wrap gap-2">
              <RowMoveButtons
                name={link.label}
                index={at}
                count={links.length}
                onMove={(by) => change(moveEntry(links, at, by))}
              />
              <Button size="sm" variant="quiet" onClick={() => change(links.filter((_link, other) => other !== at))}>
                빼기<span className="sr-only"> {link.label}</span>
              </Button>
            </span>
          </li>
        ))}
      </ol>
      {links.length < max && (
        <Button size="sm" className="mt-3" onClick={() => change([...links, { label: "", href: "", english: "" }])}>
          {name} 추가
        </Button>
      )}
    </>
  );
}
