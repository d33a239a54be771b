import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { SettingForm, useEditedSetting } from "#app/features/form/edited-setting.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import type { MenuEntry, MenuLink } from "#worker/contract/site/input.ts";
import { getMenuSetting } from "#worker/domain/site/menu-setting.server.ts";
import type { Route } from "./+types/menu";
import { moveEntry, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import type { MenuSettingView } from "#worker/contract/site/view.ts";
import { ENGLISH_LABEL_MAX, MENU_LABEL_MAX, MENU_TARGET_MAX } from "#worker/contract/site/rules.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getMenuSetting(scope));

const describeMenu = (entries: readonly MenuEntry[]) => {
  const line = ({ label, english = "", isHidden }: { label: string; english?: string; isHidden: boolean }) =>
    [label, english].filter(Boolean).join(" / ") + (isHidden ? " (숨김)" : "");
  return {
    메뉴: entries
      .map((entry) => (entry.kind === "group" ? `${line(entry)}: ${entry.children.map(line).join(", ")}` : line(entry)))
      .join("\n"),
  };
};

export default function MenuPage({ loaderData: data }: Route.ComponentProps) {
  const setting = useEditedSetting({
    latest: data,
    valueOf: (latest): MenuEntry[] => latest.value.entries,
    describe: describeMenu,
    save: (entries, version) => callApi(api.admin.setting.menu.$patch({ json: { entries, version } })),
    done: "메뉴를 저장하였습니다.",
  });
  const { value: entries, ...form } = setting.form;
  return (
    <SettingForm setting={setting} noun="메뉴">
      <ConsoleHeader description="모든 페이지의 위와 아래에 나오는 메뉴입니다. 숨긴 페이지도 주소로는 열립니다. 게시판은 게시판 화면에서 정한 차례로, 새로 만들면 저절로 나옵니다. 영문 메뉴에는 영문 글이 있는 페이지만 나오며, 영문 이름을 비우면 그 글의 제목이 쓰입니다." />
      <MenuRows entries={entries} targets={data.targets} {...form} />
    </SettingForm>
  );
}

type MenuTargets = MenuSettingView["targets"];

interface MenuRowsProps {
  entries: readonly MenuEntry[];
  targets: MenuTargets;
  errors: Record<string, string>;
  onChange: (entries: MenuEntry[]) => void;
}

function MenuRows({ entries, targets, errors, onChange }: MenuRowsProps) {
  const set = (at: number, entry: MenuEntry) => onChange(entries.map((old, index) => (index === at ? entry : old)));
  const remove = (at: number) => onChange(entries.filter((_entry, index) => index !== at));
  const used = new Set(
    entries
      .flatMap((entry) => (entry.kind === "group" ? entry.children : entry.kind === "link" ? [entry] : []))
      .map(({ target }) => target),
  );
  const free = targets.filter(({ target }) => !used.has(target));
  const add = (entry: MenuEntry) => onChange([...entries, entry]);
  const hasBoards = entries.some((entry) => entry.kind === "boards");
  return (
    <>
      <ol className="grid gap-4">
        {entries.map((entry, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- entries have no other name, and their controls are controlled
          <li key={at} className="field-group rounded-lg border border-gray-20 p-4">
            <MenuRow
              kind={entry.kind === "group" ? "묶음" : entry.kind === "boards" ? "게시판 모두" : "페이지"}
              label={entry.label}
              isHidden={entry.isHidden}
              error={errors[`entries.${at}.label`] ?? errors[`entries.${at}.target`]}
              note={entry.kind === "link" ? targetName(targets, entry.target) : null}
              index={at}
              count={entries.length}
              onLabel={(label) => set(at, { ...entry, label })}
              english={entry.english}
              englishError={errors[`entries.${at}.english`]}
              onEnglish={(english) => set(at, { ...entry, english })}
              onHide={(isHidden) => set(at, { ...entry, isHidden })}
              address={entry.kind === "link" && entry.target.startsWith("https:") ? entry.target : null}
              onAddress={(target) => entry.kind === "link" && set(at, { ...entry, target })}
              onMove={(by) => onChange(moveEntry(entries, at, by))}
              onRemove={entry.kind === "group" && entry.children.length > 0 ? null : () => remove(at)}
            />
            {entry.kind === "group" && (
              <MenuChildren
                links={entry.children}
                targets={targets}
                free={free}
                group={entry.label}
                errorOf={(inner) =>
                  errors[`entries.${at}.children.${inner}.label`] ?? errors[`entries.${at}.children.${inner}.target`]
                }
                englishErrorOf={(inner) => errors[`entries.${at}.children.${inner}.english`]}
                onChange={(children) => set(at, { ...entry, children })}
              />
            )}
          </li>
        ))}
      </ol>
      <div className="mt-5 flex flex-wrap gap-2">
        <AddMenuLink name="맨 위에 페이지 추가" free={free} onAdd={add} />
        <Button
          size="sm"
          onClick={() => add({ kind: "link", label: "다른 사이트", english: "", target: "https://", isHidden: false })}
        >
          다른 사이트 추가
        </Button>
        <Button
          size="sm"
          onClick={() => add({ kind: "group", label: "새 묶음", english: "", isHidden: false, children: [] })}
        >
          묶음 추가
        </Button>
        {!hasBoards && (
          <Button size="sm" onClick={() => add({ kind: "boards", label: "게시판", english: "", isHidden: false })}>
            게시판 묶음 추가
          </Button>
        )}
      </div>
    </>
  );
}

interface MenuChildrenProps {
  links: readonly MenuLink[];
  targets: MenuTargets;
  free: MenuTargets;
  group: string;
  errorOf: (at: number) => string | undefined;
  englishErrorOf: (at: number) => string | undefined;
  onChange: (links: MenuLink[]) => void;
}

function MenuChildren({ links, targets, free, group, errorOf, englishErrorOf, onChange }: MenuChildrenProps) {
  return (
    <>
      <ol className="mt-3 ml-2 grid gap-3 border-l-2 border-gray-20 pl-4 md:ml-4">
        {links.map((link, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- an address of another site changes while it is typed
          <li key={at}>
            <MenuRow
              kind="페이지"
              label={link.label}
              isHidden={link.isHidden}
              error={errorOf(at)}
              note={targetName(targets, link.target)}
              index={at}
              count={links.length}
              onLabel={(label) => onChange(links.with(at, { ...link, label }))}
              english={link.english}
              englishError={englishErrorOf(at)}
              onEnglish={(english) => onChange(links.with(at, { ...link, english }))}
              onHide={(isHidden) => onChange(links.with(at, { ...link, isHidden }))}
              address={link.target.startsWith("https:") ? link.target : null}
              onAddress={(target) => onChange(links.with(at, { ...link, target }))}
              onMove={(by) => onChange(moveEntry(links, at, by))}
              onRemove={() => onChange(links.filter((_link, index) => index !== at))}
            />
          </li>
        ))}
      </ol>
      <div className="mt-3 ml-2 md:ml-4">
        <AddMenuLink name={`'${group}'에 페이지 추가`} free={free} onAdd={(link) => onChange([...links, link])} />
        <Button
          size="sm"
          className="mt-2"
          onClick={() =>
            onChange([
              ...links,
              { kind: "link", label: "다른 사이트", english: "", target: "https://", isHidden: false },
            ])
          }
        >
          다른 사이트 추가<span className="sr-only"> '{group}'에</span>
        </Button>
      </div>
    </>
  );
}

const targetName = (targets: MenuTargets, target: string) =>
  targets.find((known) => known.target === target)?.label ?? target;

interface MenuRowProps {
  kind: string;
  label: string;
  isHidden: boolean;
  error: string | undefined;
  note: string | null;
  address: string | null;
  onAddress: (address: string) => void;
  index: number;
  count: number;
  onLabel: (label: string) => void;
  english: string;
  englishError: string | undefined;
  onEnglish: (english: string) => void;
  onHide: (isHidden: boolean) => void;
  onMove: (by: -1 | 1) => void;
  /** Null while the group has entries. */
  onRemove: (() => void) | null;
}

function MenuRow({
  kind,
  label,
  isHidden,
  error,
  note,
  address,
  onAddress,
  index,
  count,
  onLabel,
  english,
  englishError,
  onEnglish,
  onHide,
  onMove,
  onRemove,
}: MenuRowProps) {
  return (
    <div className="field-row flex flex-wrap items-end gap-x-4 gap-y-2">
      <Field
        label={note && note !== label ? `${kind}: ${note}` : kind}
        error={error}
        className="min-w-0 flex-1 basis-48"
      >
        <Input
          value={label}
          maxLength={MENU_LABEL_MAX}
          autoComplete="off"
          onChange={(event) => onLabel(event.target.value)}
        />
      </Field>
      <Field
        label={
          <>
            영문 이름<span className="sr-only"> {label}</span>
          </>
        }
        error={englishError}
        className="min-w-0 flex-1 basis-40"
      >
        <Input
          value={english}
          lang="en"
          maxLength={ENGLISH_LABEL_MAX}
          autoComplete="off"
          onChange={(event) => onEnglish(event.target.value)}
        />
      </Field>
      {address !== null && (
        <Field label={`'${label}'의 주소`} className="min-w-0 flex-1 basis-56">
          <Input
            value={address}
            maxLength={MENU_TARGET_MAX}
            autoComplete="off"
            onChange={(event) => onAddress(event.target.value.startsWith("https:") ? event.target.value : "https://")}
          />
        </Field>
      )}
      <Checkbox
        className="mb-0.5"
        label={
          <>
            숨기기<span className="sr-only"> {label}</span>
          </>
        }
        checked={isHidden}
        onChange={(event) => onHide(event.target.checked)}
      />
      <div className="flex min-h-12 flex-wrap items-center gap-2">
        <RowMoveButtons name={label} index={index} count={count} onMove={onMove} />
        {onRemove && (
          <Button size="sm" variant="quiet" onClick={onRemove}>
            빼기<span className="sr-only"> {label}</span>
          </Button>
        )}
      </div>
    </div>
  );
}

function AddMenuLink({ name, free, onAdd }: { name: string; free: MenuTargets; onAdd: (link: MenuLink) => void }) {
  if (free.length === 0) return null;
  return (
    <Select
      aria-label={name}
      className="w-64 max-w-full"
      placeholder={name}
      value=""
      options={free.map(({ target, label }) => ({ value: target, label }))}
      onChange={(event) => {
        const chosen = free.find(({ target }) => target === event.target.value);
        if (chosen) onAdd({ kind: "link", target: chosen.target, label: chosen.label, english: "", isHidden: false });
      }}
    />
  );
}
