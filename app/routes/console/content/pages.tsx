import { Link } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { SettingForm, useEditedSetting } from "#app/features/form/edited-setting.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { TextLink } from "#app/ui/inline.tsx";
import { getInfoPages } from "#worker/domain/content/info-page.server.ts";
import { getMenuSetting } from "#worker/domain/site/menu-setting.server.ts";
import type { Route } from "./+types/pages";
import { moveEntry, RowDragHandle, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { useRowDrag } from "#app/features/list/use-row-drag.ts";
import { cx } from "#app/ui/cx.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { INFO_PAGE_LIMITS, type InfoPage, PAGE_LOOKS, type PageLook } from "#worker/contract/content/info-pages.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [pages, menu] = await Promise.all([getInfoPages(scope), getMenuSetting(scope)]);
  const links = menu.value.entries.flatMap((entry) => (entry.kind === "group" ? entry.children : entry));
  const targets = new Set(links.flatMap((link) => (link.kind === "link" ? link.target : [])));
  const isLost = ({ code, parent, isHidden }: (typeof pages.pages)[number]) =>
    !isHidden && parent === "" && !targets.has(code);
  return { pages, notInMenu: pages.pages.filter(isLost).map(({ label }) => label) };
});

const describePages = (pages: readonly EditedPage[]) => ({
  "안내 페이지": pages
    .map(({ label, parent, isHidden }) => `${parent ? "└ " : ""}${label}${isHidden ? " (숨김)" : ""}`)
    .join("\n"),
});

export default function InfoPagesPage({ loaderData: { pages: data, notInMenu } }: Route.ComponentProps) {
  const setting = useEditedSetting({
    latest: data,
    valueOf: (latest): EditedPage[] => latest.pages,
    describe: describePages,
    save: (pages, version) => {
      const sent = pages.map(({ code, label, parent, look, isHidden }) => ({ code, label, parent, look, isHidden }));
      return callApi(api.admin.setting.pages.$patch({ json: { pages: sent, version } }));
    },
    done: "안내 페이지를 저장하였습니다.",
  });
  const { value: pages, ...form } = setting.form;
  return (
    <SettingForm setting={setting}>
      <ConsoleHeader
        description={
          <>
            어떤 안내 페이지를 어떤 차례로 둘지 정합니다. 글은{" "}
            <Link to="/Admin/Contents" className="underline underline-offset-4">
              페이지 내용
            </Link>
            에서, 위의 메뉴에 나오는 곳은{" "}
            <Link to="/Admin/Menu" className="underline underline-offset-4">
              메뉴
            </Link>
            에서 정합니다.
          </>
        }
      />
      {notInMenu.length > 0 && (
        <Alert tone="warning" className="mb-3">
          메뉴에 없는 페이지: {notInMenu.join(", ")}. 방문자가 찾을 수 있도록{" "}
          <TextLink to="/Admin/Menu">메뉴에 넣어</TextLink> 주십시오.
        </Alert>
      )}
      <InfoPageRows pages={pages} {...form} />
    </SettingForm>
  );
}

type EditedPage = InfoPage &
  Partial<Pick<Route.ComponentProps["loaderData"]["pages"]["pages"][number], "href" | "isFirst" | "hasText">>;

interface InfoPageRowsProps {
  pages: readonly EditedPage[];
  errors: Record<string, string>;
  onChange: (pages: EditedPage[]) => void;
}

const LOOKS = Object.entries(PAGE_LOOKS).map(([value, label]) => ({ value, label }));

function InfoPageRows({ pages, errors, onChange }: InfoPageRowsProps) {
  const tops = pages.filter(({ parent }) => parent === "");
  const drag = useRowDrag((from, to) => onChange(moveEntry(pages, from, to - from)));
  const add = () => onChange([...pages, { code: "", label: "", parent: "", look: "", isHidden: false }]);
  return (
    <>
      <ol className="field-rows divide-y divide-gray-20 border-y border-gray-20">
        {pages.map((page, at) => {
          const set = (changed: Partial<EditedPage>) => onChange(pages.with(at, { ...page, ...changed }));
          const hasPagesBelow = page.code !== "" && pages.some(({ parent }) => parent === page.code);
          const above = tops.filter(({ code }) => code !== page.code && code !== "");
          return (
            // oxlint-disable-next-line react/no-array-index-key -- a new page has no code yet, and its fields are controlled
            <li
              key={at}
              {...drag.rowOf(at)}
              className={cx(
                "list-row flex flex-wrap items-end gap-x-4 gap-y-2 py-3",
                drag.over === at && "bg-primary-10",
              )}
            >
              <Field
                label={`${page.parent ? "└ " : ""}${at + 1}번째 페이지의 이름`}
                error={errors[`pages.${at}.label`]}
                className="min-w-0 flex-1 basis-48"
              >
                <Input
                  value={page.label}
                  maxLength={INFO_PAGE_LIMITS.label}
                  autoComplete="off"
                  onChange={(event) => set({ label: event.target.value })}
                />
              </Field>
              {page.href === undefined ? (
                <Field label="주소의 끝" error={errors[`pages.${at}.code`]} className="basis-36">
                  <Input
                    value={page.code}
                    placeholder="history"
                    maxLength={INFO_PAGE_LIMITS.code}
                    autoCapitalize="none"
                    autoComplete="off"
                    onChange={(event) => set({ code: event.target.value })}
                  />
                </Field>
              ) : (
                <p className="basis-36 pb-1.5 text-sm">
                  <TextLink to={page.href}>{page.href}</TextLink>
                </p>
              )}
              <Field label="어디에" error={errors[`pages.${at}.parent`]} className="basis-40">
                <Select
                  value={page.parent}
                  disabled={hasPagesBelow}
                  options={[
                    { value: "", label: "맨 위" },
                    ...above.map(({ code, label }) => ({ value: code, label: `${label} 아래` })),
                  ]}
                  onChange={(event) => set({ parent: event.target.value })}
                />
              </Field>
              <Field label="글의 모양" className="basis-40">
                <Select
                  value={page.look}
                  options={LOOKS}
                  onChange={(event) => set({ look: event.target.value as PageLook })}
                />
              </Field>
              <Checkbox
                className="mb-0.5"
                label={
                  <>
                    숨기기<span className="sr-only"> {page.label}</span>
                  </>
                }
                checked={page.isHidden}
                onChange={(event) => set({ isHidden: event.target.checked })}
              />
              <span className="flex min-h-12 flex-wrap items-center gap-2">
                <RowDragHandle handle={drag.handleOf(at)} />
                <RowMoveButtons
                  name={page.label}
                  index={at}
                  count={pages.length}
                  onMove={(by) => onChange(moveEntry(pages, at, by))}
                />
                {!page.isFirst && !page.hasText && !hasPagesBelow && (
                  <Button
                    size="sm"
                    variant="quiet"
                    onClick={() => onChange(pages.filter((_page, other) => other !== at))}
                  >
                    빼기<span className="sr-only"> {page.label}</span>
                  </Button>
                )}
              </span>
            </li>
          );
        })}
      </ol>
      {errors["pages"] && <p className="mt-2 text-danger-60">{errors["pages"]}</p>}
      {pages.length < INFO_PAGE_LIMITS.pages && (
        <Button size="sm" className="mt-4" onClick={add}>
          페이지 추가
        </Button>
      )}
    </>
  );
}
