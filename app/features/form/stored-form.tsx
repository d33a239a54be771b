import type { ComponentProps, FormEvent, ReactNode } from "react";
import { FormFoot } from "#app/features/form/form-foot.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { type ShownValues, useConflict } from "#app/features/form/use-conflict.ts";
import { useStoredValues } from "#app/ui/use-stored-values.ts";
import type { NewVersion } from "#worker/contract/kernel/envelope.ts";

/** A form around what is stored, which another administrator may change meanwhile. */
export function FormFollowingStored(props: ComponentProps<"form">) {
  const ref = useStoredValues();
  return <form {...props} ref={ref} />;
}

interface StoredFormProps<Stored, Value> {
  /** What the page has loaded last. */
  latest: Stored;
  /** The part of it that the form is about. */
  valueOf: (latest: Stored) => Value;
  /** As people read it, by the fields' labels. */
  describe: (value: Value) => ShownValues;
  /** What was typed. */
  read: (form: FormData) => Value;
  save: (value: Value, version: number) => Promise<NewVersion>;
  done: string;
  submitLabel?: string;
  className?: string;
  /** Of what stands below the fields. */
  footClassName?: string;
  /** Sends at once, or after what follows from it was agreed to. */
  ask?: (value: Value, send: () => void) => void;
  /** What was chosen here is stored, or given up for what is. */
  onStored?: () => void;
  /** @param errors by the names of the fields */
  children: (errors: Record<string, string>) => ReactNode;
}

/** A part of a setting that is saved at once, over nobody's change: fields that nobody touched follow what is stored. */
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
