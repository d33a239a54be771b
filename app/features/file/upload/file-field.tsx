import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import Paperclip from "lucide-react/icons/paperclip";
import RotateCw from "lucide-react/icons/rotate-cw";
import X from "lucide-react/icons/x";
import { useEffect, useRef, useState } from "react";
import type { UploadItem, UploadLimits, UploadList } from "#app/features/file/upload/use-uploads.ts";
import { Button, IconButton } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { FieldError } from "#app/ui/field.tsx";
import { FileSize } from "#app/features/file/file-size.tsx";
import { ProgressBar } from "#app/ui/progress.tsx";
import { formatBytes } from "#worker/contract/kernel/text.ts";

interface FileFieldProps {
  uploads: UploadList;
  limits: UploadLimits;
  error?: string | undefined;
}

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

export function FileField({ uploads, limits, error }: FileFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [refusals, setRefusals] = useState<string[]>([]);
  const [over, setOver] = useState(false);
  const [spoken, setSpoken] = useState("");
  const { items } = uploads;
  const add = (files: FileList | null) => {
    if (files && files.length > 0) setRefusals(uploads.add(files));
  };
  const added = useRef(add);
  useEffect(() => {
    added.current = add;
  });
  // Accepts drops anywhere; otherwise the browser would open the file and leave the form.
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (event.defaultPrevented || !carriesFiles(event)) return;
      event.preventDefault();
      added.current(event.dataTransfer?.files ?? null);
    };
    addEventListener("dragover", drag);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", drag);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  const remove = (item: UploadItem) => {
    uploads.remove(item.key);
    setSpoken(`${item.fileName} 파일을 뺐습니다.`);
    document.getElementById("files")?.focus();
  };
  return (
    <section aria-labelledby="files-title">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="files-title" className="mb-2 text-base font-semibold">
          첨부파일
        </h2>
        <p className="tabular text-sm text-gray-60" aria-live="polite">
          <strong className="text-primary-60">{items.length}개</strong> / {limits.maxCount}개
        </p>
      </div>
      <div
        className={cx(
          "flex flex-col items-center gap-3 rounded-lg border border-dashed px-4 py-6 text-center",
          over ? "border-primary-60 bg-primary-5" : "border-gray-40 bg-gray-5",
        )}
      >
        <p className="text-gray-70">첨부할 파일을 여기에 끌어다 놓거나, 파일 선택 버튼을 눌러 직접 선택해 주십시오.</p>
        <Button
          id="files"
          size="sm"
          aria-describedby={cx("files-hint", error && "files-error")}
          disabled={items.length >= limits.maxCount}
          onClick={() => input.current?.click()}
        >
          <Paperclip aria-hidden="true" className="size-4.5" />
          파일 선택
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={limits.extensions.map((extension) => `.${extension}`).join(",")}
          onChange={(event) => {
            add(event.target.files);
            event.target.value = "";
          }}
        />
        <p id="files-hint" className="text-sm text-gray-60">
          파일 하나에 {formatBytes(limits.maxSize)}까지, {limits.maxCount}개까지 첨부할 수 있습니다.
          <br />
          {limits.extensions.join(", ")}
        </p>
      </div>
      {error && <FieldError id="files-error">{error}</FieldError>}
      {refusals.length > 0 && (
        <div role="alert" className="mt-3 rounded-md bg-danger-5 px-4 py-3 text-sm text-danger-70">
          <p className="font-semibold">첨부하지 못한 파일이 있습니다.</p>
          <ul className="mt-1 list-disc pl-5">
            {refusals.map((refusal) => (
              <li key={refusal}>{refusal}</li>
            ))}
          </ul>
        </div>
      )}
      {items.length > 0 && (
        <ul aria-label="첨부한 파일" className="mt-3 divide-y divide-gray-20 border-y border-gray-20">
          {items.map((item, at) => (
            <UploadRow
              key={item.key}
              item={item}
              first={at === 0}
              last={at === items.length - 1}
              onRetry={() => uploads.retry(item.key)}
              onRemove={() => remove(item)}
              onMove={(by) => {
                uploads.move(item.key, by);
                setSpoken(`${item.fileName} 파일을 ${at + 1 + by}번째로 옮겼습니다.`);
              }}
            />
          ))}
        </ul>
      )}
      <p className="sr-only" role="status">
        {spoken}
      </p>
    </section>
  );
}

interface UploadRowProps {
  item: UploadItem;
  first?: boolean;
  last?: boolean;
  onRetry: () => void;
  onRemove: () => void;
  /** Left out where the order says nothing. */
  onMove?: (by: -1 | 1) => void;
}

export function UploadRow({ item, first = false, last = false, onRetry, onRemove, onMove }: UploadRowProps) {
  const { fileName, state, percent, error } = item;
  const sending = state === "waiting" || state === "sending";
  return (
    <li className="flex flex-wrap items-center gap-x-2 py-1.5">
      <div className="min-w-0 flex-1 basis-60">
        <p>
          {fileName}{" "}
          <span className="text-sm text-gray-60">
            <FileSize bytes={item.size} />
          </span>
        </p>
        {sending && (
          <div className="mt-1 flex items-center gap-3">
            <ProgressBar label={`${fileName} 올리는 중`} value={percent} className="max-w-60" />
            <span className="tabular text-sm text-gray-60">{state === "waiting" ? "기다리는 중" : `${percent}%`}</span>
          </div>
        )}
        {error && <FieldError>{error}</FieldError>}
      </div>
      <div className="flex">
        {state === "failed" && (
          <IconButton label={`${fileName} 다시 올리기`} onClick={onRetry}>
            <RotateCw aria-hidden="true" className="size-5" />
          </IconButton>
        )}
        {onMove && (
          <>
            {/* Is not disabled at the ends because a disabled button loses the focus. */}
            <IconButton
              label={`${fileName} 위로`}
              aria-disabled={first}
              onClick={() => first || onMove(-1)}
              className={cx(first && "opacity-40")}
            >
              <ArrowUp aria-hidden="true" className="size-5" />
            </IconButton>
            <IconButton
              label={`${fileName} 아래로`}
              aria-disabled={last}
              onClick={() => last || onMove(1)}
              className={cx(last && "opacity-40")}
            >
              <ArrowDown aria-hidden="true" className="size-5" />
            </IconButton>
          </>
        )}
        <IconButton label={sending ? `${fileName} 올리기 취소` : `${fileName} 삭제`} onClick={onRemove}>
          <X aria-hidden="true" className="size-5" />
        </IconButton>
      </div>
    </li>
  );
}
