import { formText } from "#app/features/form/form-values.ts";
import { CheckboxGroup, Fieldset } from "#app/ui/choice.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import {
  isOwnFile,
  type OwnField,
  ownFieldPath,
  type OwnFile,
  type OwnValue,
  ownValueText,
} from "#worker/contract/alumni/own-fields.ts";
import { NO, YES } from "#worker/contract/alumni/own-values.ts";
import { useRef, useState } from "react";
import { useUploads } from "#app/features/file/upload/use-uploads.ts";
import { Button } from "#app/ui/button.tsx";
import { ProgressBar } from "#app/ui/progress.tsx";
import { FILE_TYPES } from "#worker/contract/file/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";

interface OwnFieldControlProps {
  field: OwnField;
  value: OwnValue | undefined;
  error: string | undefined;
}

const isWide = ({ kind }: OwnField) => kind === "text" || kind === "choices" || kind === "address" || kind === "email";
/** Keeps a stored value selectable after it was removed from the choices. */
const choicesWith = (choices: readonly string[], stored: string) =>
  stored === "" || choices.includes(stored) ? choices : [...choices, stored];

/** Is uncontrolled, as are the other person fields. */
export function OwnFieldControl({ field, value, error }: OwnFieldControlProps) {
  const { kind, name: label, required, choices } = field;
  const path = ownFieldPath(field.code);
  const text = ownValueText(value);
  const className = isWide(field) ? "col-span-2" : "col-span-2 md:col-span-1";
  if (kind === "file") return <OwnFileControl field={field} value={value} error={error} className="col-span-2" />;
  if (kind === "choices")
    return (
      <div className={className}>
        <CheckboxGroup
          id={`alumni-${field.code}`}
          legend={label}
          name={path}
          required={required}
          error={error}
          options={[...new Set([...choices, ...(Array.isArray(value) ? value : [])])]}
          defaultValue={Array.isArray(value) ? value : []}
        />
      </div>
    );
  return (
    <Field id={`alumni-${field.code}`} label={label} error={error} required={required} className={className}>
      {kind === "choice" || kind === "yesNo" ? (
        <Select
          name={path}
          defaultValue={text}
          placeholder="고르지 않음"
          options={choicesWith(kind === "yesNo" ? [YES, NO] : choices, text)}
        />
      ) : kind === "text" ? (
        <Textarea name={path} rows={2} defaultValue={text} />
      ) : (
        <Input
          name={path}
          type={kind === "date" ? "date" : "text"}
          inputMode={kind === "number" ? "decimal" : kind === "phone" ? "tel" : kind === "email" ? "email" : undefined}
          defaultValue={text}
          autoComplete="off"
        />
      )}
    </Field>
  );
}

export function readOwnField({ code, kind }: OwnField, data: FormData): OwnValue {
  if (kind === "choices") return data.getAll(ownFieldPath(code)).filter((each) => typeof each === "string");
  const text = formText(data, ownFieldPath(code));
  if (kind !== "file" || text === "" || text === UPLOADING) return text;
  return JSON.parse(text) as OwnFile;
}

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
function OwnFileControl({ field, value, error, className }: OwnFileControlProps) {
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
      {item && <p className="mb-2">{item.fileName}</p>}
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
