import type { ComponentProps, FormEvent, ReactNode } from "react";
import { FormFoot } from "#app/features/form/form-foot.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { type ShownValues, useConflict } from "#app/features/form/use-conflict.ts";
import { useStoredValues } from "#app/ui/form-dialog.tsx";
import type { NewVersion } from "#worker/contract/kernel/errors.ts";

export function FormFollowingStored(props: ComponentProps<"form">) {
  const ref = useStoredValues();
  return <form {...props} ref={ref} />;
}

export interface StoredFormProps<Stored, Value> {
  latest: Stored;
  valueOf: (latest: Stored) => Value;
  describe: (value: Value) => ShownValues;
  read: (form: FormData) => Value;
  save: (value: Value, version: number) => Promise<NewVersion>;
  done: string;
  submitLabel?: string;
  className?: string;
  footClassName?: string;
  /** Sends at once or after the user confirmed the consequences. */
  ask?: (value: Value, send: () => void) => void;
  /** Runs when the edit was stored or discarded. */
  onStored?: () => void;
  /** @param errors by field name */
  children: (errors: Record<string, string>) => ReactNode;
}

/** Saves one part of a setting with an optimistic lock; untouched fields follow the stored values. */
export function StoredForm<Stored extends { version: number }, Value>(props: StoredFormProps<Stored, Value>) {
  const { latest, valueOf, describe, save, footClassName, onStored } = props;
  const { busy, run, fields, general, isConflict } = useAction();
  const { conflict, generation, versionToSend, keep, take } = useConflict({
    latest,
    describe: (each) => describe(valueOf(each)),
    isConflict,
    follows: true,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = props.read(new FormData(event.currentTarget));
    const version = versionToSend(event, describe(value));
    const send = async () => {
      if (await run(async () => keep((await save(value, version)).version), props.done)) onStored?.();
    };
    if (props.ask) props.ask(value, () => void send());
    else void send();
  };
  const takeTheirs = () => {
    take();
    onStored?.();
  };
  return (
    <FormFollowingStored key={generation} onSubmit={submit} noValidate className={props.className}>
      {props.children(fields)}
      <FormFoot
        conflict={conflict}
        error={general}
        busy={busy}
        onTake={takeTheirs}
        className={footClassName}
        submitLabel={props.submitLabel}
      />
    </FormFollowingStored>
  );
}
