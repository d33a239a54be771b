import type { MouseEvent, ReactNode, Ref } from "react";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_CONTROL_TEXTS } from "#app/lib/texts/korean.ts";

interface ErrorSummaryProps {
  title?: string | undefined;
  errors: Record<string, string>;
  ref?: Ref<HTMLDivElement> | undefined;
  /** Names the control when the message does not. */
  nameOf?: ((id: string) => ReactNode) | undefined;
}

export function goToControl(event: MouseEvent, id: string): void {
  const control = document.getElementById(id);
  if (control === null) return;
  event.preventDefault();
  control.focus();
  control.scrollIntoView({ block: "center" });
}

export function ErrorSummary({ title, errors, ref, nameOf }: ErrorSummaryProps) {
  const { checkFields } = useSection("control", KOREAN_CONTROL_TEXTS);
  const entries = Object.entries(errors);
  if (entries.length === 0) return null;
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="rounded-lg border border-danger-50 bg-danger-5 px-5 py-4 text-danger-70"
    >
      <p className="font-bold">{title ?? checkFields}</p>
      <ul className="mt-2 list-disc space-y-1 pl-5">
        {entries.map(([id, message]) => (
          <li key={id}>
            <a href={`#${id}`} onClick={(event) => goToControl(event, id)} className="underline underline-offset-4">
              {nameOf?.(id)}
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
