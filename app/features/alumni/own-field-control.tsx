import { formText } from "#app/features/form/action.tsx";
import { OwnFieldControl } from "#app/features/account/own-field-control.tsx";
import { Fieldset } from "#app/ui/choice.tsx";
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
import { FileSize } from "#app/features/file/file-size.tsx";
import { type UploadLimits, useUploads } from "#app/features/file/upload/use-uploads.ts";
import { Button } from "#app/ui/button.tsx";
import { ProgressBar } from "#app/ui/progress.tsx";
import { FILE_TYPES } from "#worker/contract/file/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";

interface PersonOwnFieldProps {
  field: OwnField;
  value: OwnValue | undefined;
  error: string | undefined;
}

const isWide = ({ kind }: OwnField) => kind === "text" || kind === "choices" || kind === "address" || kind === "email";
const CONTROLS = {
  text: "textarea",
  number: "number",
  date: "date",
  choice: "select",
  choices: "checkbox",
  phone: "phone",
  email: "email",
  address: "text",
  yesNo: "select",
} as const;
/** Takes an extension or a foreign number as well. */
const CONTACT = { type: "text" };
/** Keeps a stored value selectable after it was removed from the choices. */
const choicesWith = (choices: readonly string[], stored: string) =>
  stored === "" || choices.includes(stored) ? choices : [...choices, stored];

/** Is uncontrolled, as are the other person fields. */
export function PersonOwnField({ field, value, error }: PersonOwnFieldProps) {
  const { kind, name, required, choices } = field;
  const text = ownValueText(value);
  if (kind === "file") {
    const stored = isOwnFile(value) ? value : null;
    const write = (file: OwnFile) => JSON.stringify(file);
    const named = { id: `alumni-${field.code}`, name: ownFieldPath(field.code), label: name, required };
    return <SingleFileControl {...named} {...{ stored, write, error }} limits={LIMITS} className="col-span-2" />;
  }
  const chosen = Array.isArray(value) ? value : [];
  return (
    <OwnFieldControl
      id={`alumni-${field.code}`}
      name={ownFieldPath(field.code)}
      type={CONTROLS[kind]}
      label={name}
      required={required}
      error={error}
      options={
        kind === "choices"
          ? [...new Set([...choices, ...chosen])]
          : choicesWith(kind === "yesNo" ? [YES, NO] : choices, text)
      }
      placeholder="고르지 않음"
      rows={2}
      input={{ autoComplete: "off", ...(kind === "phone" || kind === "email" ? CONTACT : {}) }}
      className={isWide(field) ? "col-span-2" : "col-span-2 md:col-span-1"}
      defaultValue={kind === "choices" ? chosen : text}
    />
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

interface SingleFileControlProps {
  id: string;
  name: string;
  label: string;
  required?: boolean;
  stored: (OwnFile & { size?: number }) | null;
  /** The value of the hidden input. */
  write: (file: OwnFile) => string;
  limits: UploadLimits;
  error: string | undefined;
  className?: string;
  onChange?: () => void;
}

/** Uploads a chosen file at once. */
export function SingleFileControl(props: SingleFileControlProps) {
  const { id, name, label, required = false, stored, write, limits, error, className, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const uploads = useUploads(null, limits, stored ? [{ size: 0, ...stored }] : [], () => undefined);
  const [item] = uploads.items;
  const chosen = item?.fileId ? write({ fileId: item.fileId, fileName: item.fileName }) : "";
  const choose = (files: FileList | null) => {
    if (!files || files.length === 0) return;
    setRefusal(uploads.replace(files)[0] ?? null);
    onChange?.();
  };
  return (
    <Fieldset
      id={id}
      legend={label}
      required={required}
      error={error ?? refusal ?? item?.error}
      hint={`${formatBytes(limits.maxSize)}까지 올릴 수 있습니다.`}
      className={className}
    >
      <input type="hidden" name={name} value={uploads.busy ? UPLOADING : chosen} readOnly />
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`${label} 파일`}
        accept={limits.extensions.map((extension) => `.${extension}`).join(",")}
        onChange={(event) => {
          choose(event.target.files);
          event.target.value = "";
        }}
      />
      {item && (
        <p className="mb-2">
          {item.fileName} {item.size > 0 && <FileSize bytes={item.size} />}
        </p>
      )}
      {item && uploads.busy && (
        <ProgressBar label={`${item.fileName} 올리는 중`} value={item.percent} className="mb-2" />
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => input.current?.click()}>
          {item ? "다른 파일 선택" : "파일 선택"}
        </Button>
        {item && (
          <Button
            size="sm"
            variant="quiet"
            onClick={() => {
              uploads.remove(item.key);
              onChange?.();
            }}
          >
            파일 빼기
          </Button>
        )}
      </div>
    </Fieldset>
  );
}
