import { lazy, useRef, useState } from "react";
import type { EditorHandle } from "#app/features/editor/rich-editor.tsx";
import { FieldError, RequiredMark } from "#app/ui/field.tsx";
import { LazyPart } from "#app/ui/lazy-part.tsx";

/** The same editor as the boards', brought by the browser alone. */
const RichEditor = lazy(async () => {
  if (import.meta.env.SSR) throw new Error("the editor needs a browser");
  return import("#app/features/editor/rich-editor.tsx");
});

interface DocumentEditorProps {
  /** Of the form's field that holds the text. */
  name: string;
  label: string;
  initial: string;
  error: string | undefined;
}

/** Follows what is stored until something is typed. */
export function DocumentEditor({ name, label, initial, error }: DocumentEditorProps) {
  const [start, setStart] = useState(initial);
  const [typed, setTyped] = useState<string | null>(null);
  if (typed === null && start !== initial) setStart(initial);
  const ref = useRef<EditorHandle>(null);
  return (
    <div>
      <p className="mb-2 font-semibold text-gray-90">
        {label}
        <RequiredMark />
      </p>
      <LazyPart fallback={<p className="py-10 text-center text-gray-60">편집기를 불러오고 있습니다.</p>}>
        <RichEditor
          key={start}
          id="document"
          label={label}
          initial={start}
          invalid={error !== undefined}
          describedBy={error ? "document-error" : undefined}
          ref={ref}
          onChange={setTyped}
          onSignedOut={() => location.reload()}
        />
      </LazyPart>
      <input type="hidden" name={name} value={typed ?? start} readOnly />
      {error && <FieldError id="document-error">{error}</FieldError>}
    </div>
  );
}
