import { useEffect, useRef, useState } from "react";
import { PICTURE_TYPES } from "#app/features/editor/picture-inserter.ts";
import { isAbortError, firstErrorMessage, sendWithProgress } from "#app/features/form/send-with-progress.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, FieldError } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { ProgressBar } from "#app/ui/progress.tsx";
import { CENTER_LIMITS } from "#worker/contract/content/rules.ts";

interface PictureFieldProps {
  label: string;
  fileId: string;
  alt: string;
  errors: { fileId?: string | undefined; alt?: string | undefined };
  onFile: (fileId: string) => void;
  onAlt: (alt: string) => void;
  onBusy: (busy: boolean) => void;
}

export function PictureField({ label, fileId, alt, errors, onFile, onAlt, onBusy }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController | null>(null);
  const [percent, setPercent] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const upload = async (file: File | undefined) => {
    if (!file) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setProblem(null);
    setPercent(0);
    onBusy(true);
    try {
      const body = new FormData();
      body.append("file", file, file.name.normalize("NFC"));
      const transfer = { method: "PUT", url: "/api/board-item/images", body, signal: controller.signal } as const;
      const stored = await sendWithProgress<{ fileId: string }>({ ...transfer, onProgress: setPercent });
      onFile(stored.fileId);
    } catch (error) {
      if (!isAbortError(error)) setProblem(`${file.name.normalize("NFC")}: ${firstErrorMessage(error)}`);
    } finally {
      if (running.current === controller) {
        setPercent(null);
        onBusy(false);
      }
    }
  };
  const error = problem ?? errors.fileId;
  return (
    <div role="group" aria-label={label}>
      <p className="mb-2 font-semibold text-gray-90">{label}</p>
      {fileId && (
        <img
          src={`/api/file/${fileId}`}
          alt={alt}
          className="mb-3 aspect-video w-full max-w-md rounded-lg border border-gray-20 object-cover"
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={() => input.current?.click()} aria-describedby="picture-hint">
          {fileId ? "사진 바꾸기" : "사진 올리기"}
        </Button>
        {fileId && (
          <Button size="sm" variant="quiet" onClick={() => onFile("")}>
            사진 빼기
          </Button>
        )}
        {percent !== null && <ProgressBar label="사진 올리기" value={percent} className="max-w-60" />}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={PICTURE_TYPES}
        onChange={(event) => {
          void upload(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <p id="picture-hint" className="mt-2 text-sm text-gray-60">
        png, jpg, gif, webp. 가로로 긴 사진(16:9)이 알맞습니다. 얼굴을 알아볼 수 있는 사진은 올리지 마십시오.
      </p>
      {error && <FieldError>{error}</FieldError>}
      {fileId && (
        <Field
          label="사진 설명(대체 텍스트)"
          hint="사진을 볼 수 없는 분에게 읽어 드립니다. 예: 어린이병동 정문"
          required
          error={errors.alt}
          className="mt-4"
        >
          <Input
            maxLength={CENTER_LIMITS.imageAlt}
            defaultValue={alt}
            onInput={(event) => onAlt(event.currentTarget.value)}
          />
        </Field>
      )}
    </div>
  );
}
