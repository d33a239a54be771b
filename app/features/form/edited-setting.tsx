import { type FormEvent, type ReactNode, useState } from "react";
import { ConflictAlert, type ConflictNoun } from "#app/features/form/conflict-view.tsx";
import type { StoredFormProps } from "#app/features/form/stored-form.tsx";
import { useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { useAction } from "#app/features/form/action.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";

type SettingOptions<Stored, Value> = Pick<
  StoredFormProps<Stored, Value>,
  "latest" | "valueOf" | "describe" | "save" | "done"
>;

/** Keeps edits until they are saved; an untouched setting follows the stored value. */
export function useEditedSetting<Stored extends { version: number }, Value>(options: SettingOptions<Stored, Value>) {
  const { latest, valueOf, describe, save, done } = options;
  /** Null until something is changed. */
  const [mine, setMine] = useState<{ value: Value } | null>(null);
  const { busy, run, clear, fields, message, isConflict } = useAction();
  const stored = valueOf(latest);
  const value = mine ? mine.value : stored;
  const changed = JSON.stringify(value) !== JSON.stringify(stored);
  const { conflict, versionToSend, keep, take } = useConflict({
    latest,
    describe: (each) => describe(valueOf(each)),
    isConflict,
    follows: true,
  });
  useUnsavedCheck(() => changed);
  return {
    form: { value, errors: fields, onChange: (next: Value) => setMine({ value: next }) },
    state: { busy, changed, conflict, message },
    restore: () => {
      take();
      setMine(null);
      clear();
    },
    submit: async (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const version = versionToSend(event, describe(value));
      const work = async () => keep((await save(value, version)).version);
      if (await run(work, done)) setMine(null);
    },
  };
}

interface SettingFormProps {
  setting: Pick<ReturnType<typeof useEditedSetting>, "state" | "restore" | "submit">;
  noun?: ConflictNoun;
  className?: string;
  children: ReactNode;
}

export function SettingForm({ setting, noun, className, children }: SettingFormProps) {
  const { state, restore, submit } = setting;
  const { busy, changed, conflict, message } = state;
  return (
    <form onSubmit={submit} noValidate data-own-guard className={className}>
      {children}
      <div className="sticky bottom-0 z-10 mt-6 flex flex-wrap items-center gap-2 border-t border-gray-20 bg-white/97 py-4">
        <ConflictAlert conflict={conflict} noun={noun} busy={busy} onTake={restore} className="w-full" />
        <ErrorAlert className="w-full">{!conflict && message}</ErrorAlert>
        <Button type="submit" variant="primary" busy={busy} disabled={!changed}>
          저장
        </Button>
        <Button disabled={busy || !changed} onClick={restore}>
          되돌리기
        </Button>
        <span role="status" className="text-gray-70">
          {changed && "저장하지 않은 변경이 있습니다."}
        </span>
      </div>
    </form>
  );
}
