import { useState } from "react";
import { AuditDetail } from "#app/features/operation/audit-detail.tsx";
import { Button } from "#app/ui/button.tsx";
import { Alert } from "#app/ui/alert.tsx";

/** What a form began with. It changes by the form's own saving alone, so that nobody is overwritten unseen. */
export function useBase<T extends { version: number }>(latest: T, conflict: boolean) {
  const [base, setBase] = useState(latest);
  const [own, setOwn] = useState(latest.version);
  if (base !== latest && latest.version === own) setBase(latest);
  const theirs = conflict && latest.version !== base.version ? latest : null;
  return {
    base,
    /** What somebody else has saved meanwhile, once the form knows of it. */
    theirs,
    /** The one to send: over theirs only after they were shown. */
    version: theirs?.version ?? base.version,
    /** The form's own save made this version. */
    keep: setOwn,
    take: () => setOwn(latest.version),
  };
}

interface ConflictAlertProps<T> {
  base: T;
  theirs: T;
  /** The fields that the form has. */
  fields: readonly (keyof T & string)[];
  busy: boolean;
  onTake: () => void;
}

/** Somebody else was first: what he changed, and the choice between his and mine. Stands in the form, whose save it offers. */
export function ConflictAlert<T>({ base, theirs, fields, busy, onTake }: ConflictAlertProps<T>) {
  const changed = fields.filter((name) => JSON.stringify(base[name]) !== JSON.stringify(theirs[name]));
  const pick = (from: T) => Object.fromEntries(changed.map((name) => [name, from[name]]));
  return (
    <Alert tone="warning" title="그사이 다른 곳에서 내용이 바뀌었습니다. 적으신 내용은 그대로 있습니다.">
      <div className="mt-3 rounded-md bg-white p-4 text-gray-80">
        <AuditDetail detail={{ before: pick(base), after: pick(theirs) }} />
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" busy={busy}>
          내 내용으로 저장
        </Button>
        <Button size="sm" disabled={busy} onClick={onTake}>
          바뀐 내용 불러오기
        </Button>
      </div>
    </Alert>
  );
}
