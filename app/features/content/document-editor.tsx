import { lazy, useRef } from "react";
import type { EditorHandle } from "#app/features/editor/rich-editor.tsx";
import { FieldError, RequiredMark } from "#app/ui/field.tsx";
import { LazyPart } from "#app/ui/lazy-part.tsx";

/** The same editor as the boards', brought by the browser alone. */
const RichEditor = lazy(async () => {
  if (import.meta.env.SSR) throw new Error("the editor needs a browser");
  return import("#app/features/editor/rich-editor.tsx");
});

interface DocumentEditorProps {
  label: string;
  initial: string;
  error: string | undefined;
  onChange: (html: string) => void;
}

export function DocumentEditor({ label, initial, error, onChange }: DocumentEditorProps) {
  const ref = useRef<EditorHandle>(null);
  return (
    <div>
      <p className="mb-2 font-semibold text-gray-90">
        {label}
        <RequiredMark />
      </p>
      <LazyPart fallback={<p className="py-10 text-center text-gray-60">편집기를 불러오고 있습니다.</p>}>
        <RichEditor
          id="document"
          label={label}
          initial={initial}
          invalid={error !== undefined}
          describedBy={error ? "document-error" : undefined}
          ref={ref}
          onChange={onChange}
          onSignedOut={() => location.reload()}
        />
      </LazyPart>
      {error && <FieldError id="document-error">{error}</FieldError>}
    </div>
  );
}
