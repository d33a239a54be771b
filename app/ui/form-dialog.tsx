import {
  type FormEvent,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Button } from "#app/ui/button.tsx";
import { Dialog, type DialogProps } from "#app/ui/dialog.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";

interface DialogFormProps {
  submitLabel: string;
  danger?: boolean;
  busy: boolean;
  /** Disables submit when there is nothing to send. */
  disabled?: boolean;
  error?: string | null | undefined;
  onSubmit: (form: FormData, event: FormEvent<HTMLFormElement>) => void;
  onInput?: ((form: FormData) => void) | undefined;
  onClose: () => void;
  children: ReactNode;
}
interface FormDialogProps extends DialogFormProps, Pick<DialogProps, "open" | "title" | "size"> {
  beside?: ReactNode;
  /** Resets the form when it changes. */
  generation?: number;
}
interface DialogFormHandle {
  close(): void;
}

/** Asks before typed text is lost to Esc, the close button or a misclick. */
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
  // A second Esc always closes the dialog: the browser does not let a page prevent it.
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
        // Without its own key React would turn this button into the submit button under the click.
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

/** Choices do not count as unsaved work; typed text does. */
const isChoice = (field: EventTarget) =>
  field instanceof HTMLSelectElement || (field instanceof HTMLInputElement && /^(?:radio|checkbox)$/.test(field.type));

/** Updates untouched fields when stored values change; React keeps the first defaults. */
export function useStoredValues() {
  const form = useRef<HTMLFormElement>(null);
  const known = useRef(new Map<Element, string | boolean>());
  useLayoutEffect(() => {
    for (const field of form.current?.elements ?? []) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue;
      const tick = field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type);
      const stored = tick ? field.defaultChecked : field.defaultValue;
      const before = known.current.get(field);
      known.current.set(field, stored);
      if (before === undefined || before === stored) continue;
      if (tick && field.checked === before) field.checked = Boolean(stored);
      if (!tick && field.value === before) field.value = String(stored);
    }
  });
  return form;
}
