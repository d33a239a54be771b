import { useWords } from "#app/lib/page-language.ts";
import { type FormEvent, useEffect, useRef, useState } from "react";
import {
  CENTER_FIELDS,
  centerDifferences,
  type CenterField,
  ENGLISH_CENTER_FIELDS,
} from "#app/features/content/edit/center-difference.tsx";
import { DraftForm, useRevision } from "#app/features/content/edit/draft-form.tsx";
import type { PublishChoice } from "./draft-dialogs.tsx";
import { useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { ConflictDialog } from "#app/features/form/conflict-view.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { nowIso } from "#app/lib/clock.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import type { CenterEdit } from "#worker/contract/content/view.ts";
import type { CenterValue } from "#worker/contract/content/center-input.ts";
import { Field, FieldError, Input, Textarea } from "#app/ui/field.tsx";
import { CENTER_LIMITS } from "#worker/contract/content/rules.ts";
import { PICTURE_TYPES } from "#app/features/editor/picture-inserter.ts";
import { firstErrorMessage, isAbortError, sendWithProgress } from "#app/features/form/send-with-progress.ts";
import { Button } from "#app/ui/button.tsx";
import { ProgressBar } from "#app/ui/progress.tsx";

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
  path: string;
  /** Managers cannot change their region's name. */
  isAdministrator: boolean;
  onRestart: (center: CenterEdit) => void;
}

export function CenterForm({ center, path, isAdministrator, onRestart }: CenterFormProps) {
  const say = useWords();
  const { regionCode } = center;
  const [start] = useState(() => toCenterValue(center));
  const values = useRef(start);
  const [read] = useState(() => () => values.current);
  const [picture, setPicture] = useState({ fileId: start.imageFileId, busy: false });
  const [saved, setSaved] = useState<{ values: string; date: string | null }>({
    values: JSON.stringify(start),
    date: null,
  });
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
    setSaved({ values: sent, date: nowIso() });
    return answer;
  };
  const steps = () => (dirty.current() ? [save] : []);
  const publish = async (publication: PublishChoice) => {
    const step = (version: number) =>
      callApi(calls.publish.$post({ param, json: { note: publication.note, version } }));
    const all = center.hasDraft || saved.date ? [...steps(), step] : [save, step];
    return run(all, "게시하였습니다.");
  };
  const drop = async () => {
    const step = (version: number) => callApi(calls.draft.$delete({ param, json: { version } }));
    const done = await run([step], "초안을 버렸습니다.");
    if (done) setSaved({ values: JSON.stringify(values.current), date: null });
    return done;
  };
  const hasDraft = center.hasDraft || saved.date !== null;
  return (
    <>
      <DraftForm
        className="grid max-w-3xl gap-6"
        savedDate={saved.date}
        canDrop={hasDraft && center.status === "published"}
        busy={busy}
        waits={picture.busy}
        onSave={() => void run([save], "초안을 저장하였습니다.")}
        onPreview={async () => ((await run(steps(), null)) ? path : null)}
        onPublish={publish}
        onAct={drop}
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
      </DraftForm>
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

interface PictureFieldProps {
  label: string;
  fileId: string;
  alt: string;
  errors: { fileId?: string | undefined; alt?: string | undefined };
  onFile: (fileId: string) => void;
  onAlt: (alt: string) => void;
  onBusy: (busy: boolean) => void;
}

function PictureField({ label, fileId, alt, errors, onFile, onAlt, onBusy }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController | null>(null);
  const [percent, setPercent] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const upload = async (file: File | undefined) => {
    if (!file) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setProblem(null);
    setPercent(0);
    onBusy(true);
    try {
      const body = new FormData();
      body.append("file", file, file.name.normalize("NFC"));
      const transfer = { method: "PUT", url: "/api/board-item/images", body, signal: controller.signal } as const;
      const stored = await sendWithProgress<{ fileId: string }>({ ...transfer, onProgress: setPercent });
      onFile(stored.fileId);
    } catch (error) {
      if (!isAbortError(error)) setProblem(`${file.name.normalize("NFC")}: ${firstErrorMessage(error)}`);
    } finally {
      if (running.current === controller) {
        setPercent(null);
        onBusy(false);
      }
    }
  };
  const error = problem ?? errors.fileId;
  return (
    <div role="group" aria-label={label}>
      <p className="mb-2 font-semibold text-gray-90">{label}</p>
      {fileId && (
        <img
          src={`/api/file/${fileId}`}
          alt={alt}
          className="mb-3 aspect-video w-full max-w-md rounded-lg border border-gray-20 object-cover"
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={() => input.current?.click()} aria-describedby="picture-hint">
          {fileId ? "사진 바꾸기" : "사진 올리기"}
        </Button>
        {fileId && (
          <Button size="sm" variant="quiet" onClick={() => onFile("")}>
            사진 빼기
          </Button>
        )}
        {percent !== null && <ProgressBar label="사진 올리기" value={percent} className="max-w-60" />}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={PICTURE_TYPES}
        onChange={(event) => {
          void upload(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <p id="picture-hint" className="mt-2 text-sm text-gray-60">
        png, jpg, gif, webp. 가로로 긴 사진(16:9)이 알맞습니다. 얼굴을 알아볼 수 있는 사진은 올리지 마십시오.
      </p>
      {error && <FieldError>{error}</FieldError>}
      {fileId && (
        <Field
          label="사진 설명(대체 텍스트)"
          hint="사진을 볼 수 없는 분에게 읽어 드립니다. 예: 어린이병동 정문"
          required
          error={errors.alt}
          className="mt-4"
        >
          <Input
            maxLength={CENTER_LIMITS.imageAlt}
            defaultValue={alt}
            onInput={(event) => onAlt(event.currentTarget.value)}
          />
        </Field>
      )}
    </div>
  );
}
