import { useState } from "react";
import { Link } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { findNewestRow } from "#app/features/list/find-newest-row.ts";
import { moveEntry, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { formText, useSave } from "#app/features/form/use-save.ts";
import { api, callApi } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Field } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { Input } from "#app/ui/input.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { QUICK_LINKS_MAX } from "#worker/contract/site/rules.ts";
import { listQuickLinks } from "#worker/domain/site/quick-link.server.ts";
import type { Route } from "./+types/quick-links";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => listQuickLinks(scope));

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["첫 화면 바로가기", "관리"] });
}

type QuickLinkData = Route.ComponentProps["loaderData"][number];

export default function QuickLinksPage({ loaderData: links }: Route.ComponentProps) {
  const [editing, setEditing] = useState<QuickLinkData | "new" | null>(null);
  const [chosen, setRemoving] = useState<QuickLinkData | null>(null);
  const removing = findNewestRow(chosen, links, quickLinkId);
  const { busy, save, clear, message } = useSave();
  const move = (at: number, by: -1 | 1) => {
    const codes = moveEntry(links, at, by).map(({ id }) => id);
    void save(() => callApi(api.admin["quick-link"].order.$post({ json: { codes } })), "순서를 바꾸었습니다.");
  };
  const remove = async () => {
    if (!removing) return;
    const { id, version } = removing;
    const query = { version: String(version) };
    const work = () => callApi(api.admin["quick-link"][":id"].$delete({ param: { id }, query }));
    if (await save(work, "바로가기를 삭제하였습니다.")) setRemoving(null);
  };
  return (
    <>
      <ConsoleHeader
        title="첫 화면 바로가기"
        description={
          <>
            첫 화면 배너 아래의 단추입니다. {QUICK_LINKS_MAX}개까지 두며, 하나도 없으면 게시판과 회원가입이 대신
            나옵니다. 배너의 글은{" "}
            <Link to="/Admin/Contents/banner" className="text-primary-70 underline underline-offset-4">
              첫 화면 배너
            </Link>
            에서 고칩니다.
          </>
        }
        action={
          <Button
            size="sm"
            variant="primary"
            disabled={links.length >= QUICK_LINKS_MAX}
            onClick={() => setEditing("new")}
          >
            바로가기 추가
          </Button>
        }
      />
      {message && !removing && (
        <Alert tone="error" className="mb-4">
          {message}
        </Alert>
      )}
      {links.length === 0 ? (
        <Empty className="border-y border-gray-20">등록한 바로가기가 없습니다.</Empty>
      ) : (
        <ul className="divide-y divide-gray-20 border-y border-gray-20">
          {links.map((link, at) => (
            <li key={link.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
              <div className="min-w-0 flex-1 basis-56">
                <p className="font-semibold text-gray-90">{link.label}</p>
                <p className="text-sm text-gray-60">
                  {link.note && `${link.note} · `}
                  {link.href}
                </p>
              </div>
              <div className="flex flex-wrap gap-2">
                <RowMoveButtons
                  name={link.label}
                  index={at}
                  count={links.length}
                  busy={busy}
                  onMove={(by) => move(at, by)}
                />
                <Button size="sm" onClick={() => setEditing(link)}>
                  고치기<span className="sr-only"> {link.label}</span>
                </Button>
                <Button size="sm" variant="danger" onClick={() => setRemoving(link)}>
                  삭제<span className="sr-only"> {link.label}</span>
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <QuickLinkDialog
        key={editing === null || editing === "new" ? String(editing) : editing.id}
        editing={findNewestRow(editing, links, quickLinkId)}
        onClose={() => setEditing(null)}
      />
      <ConfirmDialog
        open={removing !== null}
        onClose={() => {
          setRemoving(null);
          clear();
        }}
        title="바로가기를 삭제하시겠습니까?"
        confirmLabel="삭제"
        danger
        busy={busy}
        error={message}
        onConfirm={() => void remove()}
      >
        <p>첫 화면에서 '{removing?.label}' 단추가 사라집니다. 페이지는 그대로 있습니다.</p>
      </ConfirmDialog>
    </>
  );
}

const quickLinkId = ({ id }: QuickLinkData) => id;

function QuickLinkDialog({ editing, onClose }: { editing: QuickLinkData | "new" | null; onClose: () => void }) {
  const { busy, save, fields, general } = useSave();
  const old = editing === "new" ? null : editing;
  const submit = async (form: FormData) => {
    const json = { label: formText(form, "label"), note: formText(form, "note"), href: formText(form, "href") };
    const calls = api.admin["quick-link"];
    const work = () =>
      old
        ? callApi(calls[":id"].$patch({ param: { id: old.id }, json: { ...json, version: old.version } }))
        : callApi(calls.$put({ json }));
    if (await save(work, "바로가기를 저장하였습니다.")) onClose();
  };
  return (
    <FormDialog
      open={editing !== null}
      onClose={onClose}
      title={old ? "바로가기 고치기" : "바로가기 추가"}
      size="md"
      submitLabel="저장"
      busy={busy}
      error={general}
      onSubmit={(form) => void submit(form)}
    >
      <Field label="이름" required error={fields.label}>
        <Input name="label" defaultValue={old?.label ?? ""} maxLength={20} autoComplete="off" />
      </Field>
      <Field label="설명" hint="이름 아래에 작게 나옵니다." error={fields.note}>
        <Input name="note" defaultValue={old?.note ?? ""} maxLength={30} autoComplete="off" />
      </Field>
      <Field
        label="주소"
        hint="이 사이트의 주소는 /로, 다른 사이트는 https://로 시작합니다. 예: /research/proposal"
        required
        error={fields.href}
      >
        <Input name="href" defaultValue={old?.href ?? ""} maxLength={300} autoCapitalize="none" autoComplete="off" />
      </Field>
    </FormDialog>
  );
}
