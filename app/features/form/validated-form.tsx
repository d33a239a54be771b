import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref } from "react";
import { Button, type ButtonSize } from "#app/ui/button.tsx";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_FORM_TEXTS } from "#app/lib/texts/korean-form.ts";
import { cx } from "#app/ui/cx.ts";
import type { useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { Alert } from "#app/ui/alert.tsx";

interface ValidatedFormProps {
  onSubmit: () => void;
  children: ReactNode;
  ref?: Ref<HTMLFormElement> | undefined;
  label?: string | undefined;
  className?: string | undefined;
}

/** Uses `post` so that typed values never appear in a URL if the script fails. */
export function ValidatedForm({ onSubmit, children, ref, label, className }: ValidatedFormProps) {
  const texts = useSection("form", KOREAN_FORM_TEXTS);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React events of a dialog's form bubble to the form that opened it.
    event.stopPropagation();
    onSubmit();
  };
  // Ignores the Enter key that ends an IME composition.
  const keepComposing = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.nativeEvent.isComposing || event.keyCode === 229)) event.preventDefault();
  };
  return (
    <form
      ref={ref}
      method="post"
      noValidate
      aria-label={label}
      className={className}
      onSubmit={submit}
      onKeyDown={keepComposing}
    >
      <noscript>
        <p className="mb-6 rounded-lg border border-warning-50 bg-warning-5 px-5 py-4 text-warning-60">
          {texts.needsScript}
        </p>
        {/* A disabled first submit button prevents implicit submission by Enter. */}
        <button type="submit" disabled hidden aria-label={texts.preparing} />
      </noscript>
      {children}
    </form>
  );
}

/** Is hidden without JavaScript, because a script sends the form. */
export function SubmitButton({
  busy,
  children,
  size = "lg",
  danger = false,
  className,
}: {
  busy: boolean;
  children: ReactNode;
  size?: ButtonSize;
  danger?: boolean | undefined;
  className?: string | undefined;
}) {
  return (
    <Button
      type="submit"
      variant={danger ? "danger" : "primary"}
      size={size}
      busy={busy}
      className={cx("needs-script", className)}
    >
      {children}
    </Button>
  );
}

interface CheckedFormProps extends ValidatedFormProps {
  checked: ReturnType<typeof useCheckedForm>;
  label: string;
  submitLabel?: string;
  danger?: boolean;
  large?: boolean;
  errorTitle?: string;
  after?: ReactNode;
}

export function CheckedForm({ checked, label, large = false, children, after, ...props }: CheckedFormProps) {
  const { submitLabel = label, danger, errorTitle, ...rest } = props;
  const { form, errors, busy } = checked;
  return (
    <ValidatedForm {...rest} ref={form} label={label}>
      <div className={cx("min-w-0", large ? "space-y-5" : "space-y-6")}>
        {children}
        {errors.form && (
          <Alert tone="error" title={errorTitle}>
            {errors.form}
          </Alert>
        )}
        <SubmitButton busy={busy} size={large ? "lg" : "md"} danger={danger} className={large ? "w-full" : undefined}>
          {submitLabel}
        </SubmitButton>
        {after}
      </div>
    </ValidatedForm>
  );
}
