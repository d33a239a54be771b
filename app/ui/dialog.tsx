import X from "lucide-react/icons/x";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_CONTROL_TEXTS } from "#app/lib/texts/korean.ts";
import { Button, IconButton } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  footer?: ReactNode;
  size?: "sm" | "md" | "lg" | "xl" | undefined;
  locked?: boolean | undefined;
  /** For content shown only once: only a footer button closes the dialog. */
  hasNoCross?: boolean | undefined;
  role?: "dialog" | "alertdialog" | undefined;
}

const WIDTHS = { sm: "max-w-md", md: "max-w-xl", lg: "max-w-3xl", xl: "max-w-6xl" };

/** Native modal dialog: the browser traps the focus and returns it to the opener. */
export function Dialog({
  open,
  onClose,
  title,
  children,
  footer,
  size = "sm",
  locked = false,
  hasNoCross = false,
  role,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const texts = useSection("control", KOREAN_CONTROL_TEXTS);
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null || !open) return;
    const opener = document.activeElement;
    const place = document.createRange();
    if (opener) place.selectNode(opener);
    if (!dialog.open) dialog.showModal();
    return () => {
      dialog.close();
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
      keepFocusNear(opener, place);
    };
  }, [open]);
  const leave = () => {
    if (!locked && !hasNoCross) onClose();
  };
  return (
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // A file input inside fires its own `cancel`.
        if (event.target !== ref.current) return;
        event.preventDefault();
        leave();
      }}
      onClose={() => {
        if (open) onClose();
      }}
      // Esc and a backdrop click, which the browser reports as `cancel`.
      {...{ closedby: locked || hasNoCross ? "none" : "any" }}
      className={cx(
        "m-auto w-[calc(100%-2rem)] rounded-xl bg-white p-0 text-gray-80 shadow-lg backdrop:bg-primary-90/60 open:animate-rise",
        WIDTHS[size],
      )}
    >
      {open && (
        <div className="flex max-h-[calc(100dvh-4rem)] flex-col">
          <div className="flex items-start justify-between gap-4 pt-5 pr-3 pl-6">
            <h2 id={titleId} className="pt-2 text-lg">
              {title}
            </h2>
            {!hasNoCross && (
              <IconButton label={texts.close} onClick={leave}>
                <X aria-hidden="true" className="size-5" />
              </IconButton>
            )}
          </div>
          <div className="min-h-0 overflow-y-auto px-6 pt-2 pb-6">{children}</div>
          {footer && <div className="flex justify-end gap-2 px-6 pb-6">{footer}</div>}
        </div>
      )}
    </dialog>
  );
}

/**
 * Moves the focus to the control after a removed opener, else to the last one of the page. The new data comes after the
 * dialog closed; another page focuses its heading.
 */
function keepFocusNear(opener: Element | null, place: Range): void {
  const { pathname } = location;
  const watcher = new MutationObserver(check);
  function check(): void {
    if (opener?.isConnected) return;
    watcher.disconnect();
    if (document.activeElement === document.body && location.pathname === pathname) findControlAt(place)?.focus();
  }
  watcher.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("focusin", () => watcher.disconnect(), { once: true });
  check();
}

/** A range follows removals around it. */
function findControlAt(place: Range): HTMLElement | undefined {
  const area = document.getElementById("main") ?? document.body;
  const controls = [...area.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary")].filter(
    (each) => each.checkVisibility() && !each.matches(":disabled") && !each.closest("dialog"),
  );
  return controls.find((each) => place.comparePoint(each, 0) > 0) ?? controls.at(-1);
}

interface ConfirmDialogProps extends Omit<DialogProps, "footer" | "role" | "size" | "locked"> {
  confirmLabel: string;
  cancelLabel?: string | undefined;
  danger?: boolean | undefined;
  busy?: boolean | undefined;
  disabled?: boolean | undefined;
  error?: string | null | undefined;
  onConfirm: () => void;
}

export function ConfirmDialog({
  confirmLabel,
  cancelLabel = "취소",
  danger,
  busy,
  disabled,
  error,
  onConfirm,
  children,
  ...dialog
}: ConfirmDialogProps) {
  return (
    <Dialog
      {...dialog}
      role="alertdialog"
      locked={busy}
      footer={
        <>
          <Button onClick={dialog.onClose} disabled={busy}>
            {cancelLabel}
          </Button>
          <Button variant={danger ? "danger" : "primary"} busy={busy} disabled={disabled} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
      {error && (
        <p role="alert" className="mt-3 font-medium text-danger-60">
          {error}
        </p>
      )}
    </Dialog>
  );
}
