import { useRef, useState } from "react";
import { useUploads } from "#app/features/file/upload/use-uploads.ts";
import { Button } from "#app/ui/button.tsx";
import { Fieldset } from "#app/ui/fieldset.tsx";
import { ProgressBar } from "#app/ui/progress.tsx";
import { isOwnFile, type OwnField, ownFieldPath, type OwnValue } from "#worker/contract/alumni/own-fields.ts";
import { FILE_TYPES } from "#worker/contract/file/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";

const LIMITS = { maxCount: 1, maxSize: SIZE_LIMITS.documentBytes, extensions: Object.keys(FILE_TYPES) };

/** The hidden input's value while the upload is running. */
export const UPLOADING = "sending";

interface OwnFileControlProps {
  field: OwnField;
  value: OwnValue | undefined;
  error: string | undefined;
  className: string;
}

/** Uploads a chosen file at once. */
export function OwnFileControl({ field, value, error, className }: OwnFileControlProps) {
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const stored = isOwnFile(value) ? [{ ...value, size: 0 }] : [];
  const uploads = useUploads(null, LIMITS, stored, () => undefined);
  const [item] = uploads.items;
  const chosen = item?.fileId ? JSON.stringify({ fileId: item.fileId, fileName: item.fileName }) : "";
  const choose = (files: FileList | null) => {
    if (!files || files.length === 0) return;
    setRefusal(uploads.replace(files)[0] ?? null);
  };
  return (
    <Fieldset
      id={`alumni-${field.code}`}
      legend={field.name}
      required={field.required}
      error={error ?? refusal ?? item?.error}
      hint={`${formatBytes(LIMITS.maxSize)}까지 올릴 수 있습니다.`}
      className={className}
    >
      <input type="hidden" name={ownFieldPath(field.code)} value={uploads.busy ? UPLOADING : chosen} readOnly />
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`${field.name} 파일`}
        accept={LIMITS.extensions.map((extension) => `.${extension}`).join(",")}
        onChange={(event) => {
          choose(event.target.files);
          event.target.value = "";
        }}
      />
      {item && <p className="mb-2 break-all">{item.fileName}</p>}
      {item && uploads.busy && (
        <ProgressBar label={`${item.fileName} 올리는 중`} value={item.percent} className="mb-2" />
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => input.current?.click()}>
          {item ? "다른 파일 선택" : "파일 선택"}
        </Button>
        {item && (
          <Button size="sm" variant="quiet" onClick={() => uploads.remove(item.key)}>
            파일 빼기
          </Button>
        )}
      </div>
    </Fieldset>
  );
}
