import { useRef, useState } from "react";
import { RichEditor } from "#app/features/editor/lazy-editor.ts";
import type { EditorHandle } from "#app/features/editor/rich-editor.tsx";
import { FieldError, RequiredMark } from "#app/ui/field.tsx";
import { LazyPart } from "#app/ui/lazy-part.tsx";

interface DocumentEditorProps {
  name: string;
  label: string;
  initial: string;
  error: string | undefined;
  id?: string;
  isOptional?: boolean;
}

/** Follows the stored text until something is typed. */
export function DocumentEditor({
  name,
  label,
  initial,
  error,
  id = "document",
  isOptional = false,
}: DocumentEditorProps) {
  const [start, setStart] = useState(initial);
  const [typed, setTyped] = useState<string | null>(null);
  if (typed === null && start !== initial) setStart(initial);
  const ref = useRef<EditorHandle>(null);
  return (
    <div>
      <p className="mb-2 font-semibold text-gray-90">
        {label}
        {!isOptional && <RequiredMark />}
      </p>
      <LazyPart fallback={<p className="py-10 text-center text-gray-60">편집기를 불러오고 있습니다.</p>}>
        <RichEditor
          key={start}
          id={id}
          label={label}
          initial={start}
          invalid={error !== undefined}
          describedBy={error ? `${id}-error` : undefined}
          ref={ref}
          onChange={setTyped}
          onSignedOut={() => location.reload()}
        />
      </LazyPart>
      <input type="hidden" name={name} value={typed ?? start} readOnly />
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}
