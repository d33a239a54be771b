import { type FormEvent, type ReactNode, type Ref, useImperativeHandle, useRef, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { Dialog, type DialogProps } from "#app/ui/dialog.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { useStoredValues } from "#app/ui/use-stored-values.ts";

interface DialogFormProps {
  submitLabel: string;
  danger?: boolean;
  busy: boolean;
  /** There is nothing to send. */
  disabled?: boolean;
  /** What is wrong with no field in particular. */
  error?: string | null | undefined;
  onSubmit: (form: FormData, event: FormEvent<HTMLFormElement>) => void;
  onInput?: ((form: FormData) => void) | undefined;
  onClose: () => void;
  children: ReactNode;
}
interface FormDialogProps extends DialogFormProps, Pick<DialogProps, "open" | "title" | "size"> {
  /** Stands beside the form and is no part of it. */
  beside?: ReactNode;
  /** Another one fills the form anew. */
  generation?: number;
}
interface DialogFormHandle {
  close(): void;
}

/** A form in a dialog. Once something is typed, Esc, the cross and a slip of the mouse ask before it is lost. */
export function FormDialog({ open, title, size, beside, generation, ...rest }: FormDialogProps) {
  const closing = useRef<DialogFormHandle>(null);
  const form = <DialogForm key={generation} {...rest} ref={closing} />;
  return (
    <Dialog
      open={open}
      onClose={() => (closing.current ?? { close: rest.onClose }).close()}
      title={title}
      size={size}
      locked={rest.busy}
    >
      {beside ? (
        <div className="grid grid-cols-1 gap-8 md:grid-cols-2">
          {form}
          {beside}
        </div>
      ) : (
        form
      )}
    </Dialog>
  );
}

function DialogForm(props: DialogFormProps & { ref: Ref<DialogFormHandle> }) {
  const { submitLabel, danger, busy, disabled, error, onSubmit, onInput, onClose, children, ref } = props;
  const typed = useRef(false);
  const form = useStoredValues();
  const [asking, setAsking] = useState(false);
  // A second Esc closes the dialog whatever we say: the browser does not let a page keep people inside.
  const close = () => (typed.current && !asking ? setAsking(true) : onClose());
  useImperativeHandle(ref, () => ({ close }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget), event);
  };
  return (
    <form
      ref={form}
      onSubmit={submit}
      onInput={(event) => {
        if (!isChoice(event.target)) typed.current = true;
        onInput?.(new FormData(event.currentTarget));
      }}
      noValidate
      className="grid grid-cols-1 content-start gap-5"
    >
      {children}
      <ErrorAlert>{error}</ErrorAlert>
      {asking ? (
        // A key of its own: React would make the one button into the other, which sends the form, under the click.
        <div
          key="asking"
          role="alert"
          className="flex flex-wrap items-center justify-end gap-2 rounded-lg bg-warning-5 p-4"
        >
          <p className="mr-auto font-medium text-warning-60">적은 내용을 저장하지 않고 닫으시겠습니까?</p>
          <Button autoFocus onClick={() => setAsking(false)}>
            계속 작성
          </Button>
          <Button variant="danger" onClick={onClose}>
            저장하지 않고 닫기
          </Button>
        </div>
      ) : (
        <div className="flex justify-end gap-2">
          <Button onClick={close} disabled={busy}>
            취소
          </Button>
          <Button type="submit" variant={danger ? "danger" : "primary"} busy={busy} disabled={disabled}>
            {submitLabel}
          </Button>
        </div>
      )}
    </form>
  );
}

/** What is chosen is chosen again at once; what is written is work. */
const isChoice = (field: EventTarget) =>
  field instanceof HTMLSelectElement || (field instanceof HTMLInputElement && /^(?:radio|checkbox)$/.test(field.type));
