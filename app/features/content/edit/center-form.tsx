import { useWords } from "#app/lib/use-words.ts";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import {
  CENTER_FIELDS,
  type CenterField,
  centerDifferences,
  ENGLISH_CENTER_FIELDS,
} from "#app/features/content/edit/center-difference.tsx";
import { PictureField } from "#app/features/content/edit/picture-field.tsx";
import { ContentPreviewDialog } from "#app/features/content/edit/preview-dialog.tsx";
import { type PublishChoice, PublishContentDialog } from "#app/features/content/edit/publish-dialog.tsx";
import { useRevision } from "#app/features/content/edit/use-revision.ts";
import { useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { ConflictDialog } from "#app/features/form/conflict-view.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatDateTime } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { useIsHydrated } from "#app/ui/use-is-hydrated.ts";
import type { CenterEdit } from "#worker/contract/content/view.ts";
import type { CenterValue } from "#worker/contract/content/center-input.ts";
import { CENTER_LIMITS } from "#worker/contract/content/rules.ts";

export const toCenterValue = (center: CenterEdit): CenterValue => {
  const {
    regionCode: _code,
    status: _status,
    hasDraft: _draft,
    versionNo: _number,
    version: _version,
    ...rest
  } = center;
  const { modifiedDate: _date, modifiedUserName: _user, ...value } = rest;
  return value;
};

interface CenterFormProps {
  center: CenterEdit;
  /** The public page. */
  path: string;
  /** What a region is called is not for its manager to change. */
  isAdministrator: boolean;
  onRestart: (center: CenterEdit) => void;
}

/** A centre's page: drafted, looked at, published. */
export function CenterForm({ center, path, isAdministrator, onRestart }: CenterFormProps) {
  const say = useWords();
  const { regionCode } = center;
  const hydrated = useIsHydrated();
  const { revalidate } = useRevalidator();
  const [start] = useState(() => toCenterValue(center));
  const values = useRef(start);
  const [read] = useState(() => () => values.current);
  const [picture, setPicture] = useState({ fileId: start.imageFileId, busy: false });
  const [saved, setSaved] = useState<{ values: string; date: string | null }>({
    values: JSON.stringify(start),
    date: null,
  });
  const [asking, setAsking] = useState<"publish" | "drop" | null>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const param = { regionCode };
  const calls = api.admin.center[":regionCode"];
  const revision = useRevision<CenterEdit>({ version: center.version, reread: () => callApi(calls.$get({ param })) });
  const { busy, run, fields, general, stored } = revision;
  const dirty = useRef<() => boolean>(() => false);
  useEffect(() => {
    dirty.current = () => JSON.stringify(values.current) !== saved.values || picture.busy;
  });
  useUnsavedCheck(() => dirty.current());
  const change = (part: Partial<CenterValue>) => {
    values.current = { ...values.current, ...part };
  };
  const save = async (version: number) => {
    const sent = JSON.stringify(values.current);
    const answer = await callApi(calls.draft.$put({ param, json: { ...values.current, version } }));
    setSaved({ values: sent, date: new Date().toISOString() });
    return answer;
  };
  const steps = () => (dirty.current() ? [save] : []);
  const publish = async (publication: PublishChoice) => {
    const step = (version: number) =>
      callApi(calls.publish.$post({ param, json: { note: publication.note, version } }));
    const all = center.hasDraft || saved.date ? [...steps(), step] : [save, step];
    const done = await run(all, "게시하였습니다.");
    setAsking(null);
    if (done) await revalidate();
  };
  const drop = async () => {
    const step = (version: number) => callApi(calls.draft.$delete({ param, json: { version } }));
    const done = await run([step], "초안을 버렸습니다.");
    setAsking(null);
    if (!done) return;
    setSaved({ values: JSON.stringify(values.current), date: null });
    await revalidate();
  };
  const hasDraft = center.hasDraft || saved.date !== null;
  return (
    <>
      <form
        noValidate
        data-own-guard
        className="grid max-w-3xl gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          void run([save], "초안을 저장하였습니다.");
        }}
      >
        <ErrorAlert>{general}</ErrorAlert>
        <CenterInputs
          fields={CENTER_FIELDS.filter(({ name }) => isAdministrator || name !== "regionName")}
          start={start}
          errors={fields}
          onChange={change}
        />
        <PictureField
          label={say("{센터} 사진")}
          fileId={picture.fileId}
          alt={start.imageAlt}
          errors={{ fileId: fields.imageFileId, alt: fields.imageAlt }}
          onFile={(fileId) => {
            change({ imageFileId: fileId, ...(fileId === "" ? { imageAlt: "" } : {}) });
            setPicture((old) => ({ ...old, fileId }));
          }}
          onAlt={(imageAlt) => change({ imageAlt })}
          onBusy={(uploading) => setPicture((old) => ({ ...old, busy: uploading }))}
        />
        <fieldset className="grid gap-6 border-t border-gray-20 pt-6">
          <legend className="float-left mb-4 text-xl font-bold">영문</legend>
          <CenterInputs fields={ENGLISH_CENTER_FIELDS} start={start} errors={fields} onChange={change} />
        </fieldset>
        <div className="sticky bottom-0 z-10 -mx-1 flex flex-wrap items-center gap-2 border-t border-gray-20 bg-white/97 px-1 py-4">
          <p role="status" className="mr-auto text-sm text-gray-60">
            {saved.date && `초안 저장됨 ${formatDateTime(saved.date).slice(11)}`}
          </p>
          {hasDraft && center.status === "published" && (
            <Button size="sm" variant="quiet" onClick={() => setAsking("drop")}>
              초안 버리기
            </Button>
          )}
          <Button
            size="sm"
            disabled={!hydrated || picture.busy}
            onClick={async () => {
              if (await run(steps(), null)) setPreview(path);
            }}
          >
            미리보기
          </Button>
          <Button size="sm" type="submit" busy={busy} disabled={!hydrated || picture.busy}>
            초안 저장
          </Button>
          <Button size="sm" variant="primary" disabled={!hydrated || picture.busy} onClick={() => setAsking("publish")}>
            게시
          </Button>
        </div>
      </form>
      <ContentPreviewDialog path={preview} onClose={() => setPreview(null)} />
      <PublishContentDialog
        open={asking === "publish"}
        hasDay={false}
        busy={busy}
        error={null}
        onClose={() => setAsking(null)}
        onPublish={publish}
      />
      <ConfirmDialog
        open={asking === "drop"}
        onClose={() => setAsking(null)}
        title="초안을 버리시겠습니까?"
        confirmLabel="버리기"
        danger
        busy={busy}
        onConfirm={() => void drop()}
      >
        <p>지금 게시된 내용으로 돌아갑니다. 버린 초안은 되살릴 수 없습니다.</p>
      </ConfirmDialog>
      {stored && (
        <ConflictDialog
          noun="내용"
          rows={centerDifferences(read(), toCenterValue(stored)).map(({ label, before, after }) => ({
            label,
            mine: before,
            stored: after,
          }))}
          description={<p>{stored.modifiedUserName}님이 먼저 저장하였습니다. 다른 항목을 비교한 뒤 선택해 주십시오.</p>}
          busy={busy}
          onClose={revision.closeConflict}
          onTakeMine={() => void revision.overwrite(save, "내 내용으로 초안을 저장하였습니다.")}
          onTakeStored={() => {
            revision.closeConflict();
            onRestart(stored);
          }}
        />
      )}
    </>
  );
}

interface CenterInputsProps {
  fields: readonly CenterField[];
  start: CenterValue;
  errors: Record<string, string>;
  onChange: (part: Partial<CenterValue>) => void;
}

function CenterInputs({ fields, start, errors, onChange }: CenterInputsProps) {
  return fields.map(({ name, label, kind, hint }) => {
    const shared = {
      maxLength: CENTER_LIMITS[name],
      defaultValue: start[name],
      lang: name.startsWith("english") ? "en" : undefined,
      onInput: (event: FormEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        onChange({ [name]: event.currentTarget.value }),
    };
    const required = name === "regionName" || name === "centerName";
    return (
      <Field key={name} label={label} hint={hint} required={required} error={errors[name]}>
        {kind === "text" ? <Textarea rows={4} {...shared} /> : <Input type={kind} autoComplete="off" {...shared} />}
      </Field>
    );
  });
}
