import { useRef } from "react";
import { Button } from "#app/ui/button.tsx";

interface FileButtonProps {
  label: string;
  accept: string;
  multiple?: boolean;
  disabled?: boolean;
  onPick: (files: readonly File[]) => void;
}

/** Replaces the native file input, whose label is in the browser's language. */
export function FileButton({ label, accept, multiple = false, disabled = false, onPick }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={multiple}
        aria-label={label}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = "";
          if (files.length > 0) onPick(files);
        }}
      />
      <Button size="sm" className="mt-2" disabled={disabled} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}
