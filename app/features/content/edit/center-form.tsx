import { useWords } from "#app/lib/use-words.ts";
import { useEffect, useRef, useState } from "react";
import {
  CENTER_FIELDS,
  centerDifferences,
  ENGLISH_CENTER_FIELDS,
} from "#app/features/content/edit/center-difference.tsx";
import { CenterInputs } from "#app/features/content/edit/center-inputs.tsx";
import { PictureField } from "#app/features/content/edit/picture-field.tsx";
import { DraftForm } from "#app/features/content/edit/draft-form.tsx";
import { type PublishChoice } from "#app/features/content/edit/publish-dialog.tsx";
import { useRevision } from "#app/features/content/edit/use-revision.ts";
import { useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { ConflictDialog } from "#app/features/form/conflict-view.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { nowIso } from "#app/lib/clock.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import type { CenterEdit } from "#worker/contract/content/view.ts";
import type { CenterValue } from "#worker/contract/content/center-input.ts";

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
