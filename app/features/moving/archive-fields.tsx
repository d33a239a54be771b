import { useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Badge } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { FileButton } from "#app/features/file/upload/file-button.tsx";
import { ProgressBar } from "#app/ui/progress.tsx";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import type { ArchiveKind } from "#worker/contract/moving/rules.ts";
import type { ArchiveView } from "#worker/domain/moving/archive.server.ts";
import type { MovingView } from "#worker/domain/moving/moving-view.server.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { firstErrorMessage, isAbortError, sendWithProgress } from "#app/features/form/send-with-progress.ts";

const KINDS: { kind: ArchiveKind; title: string; hint: string }[] = [
  {
    kind: "rdx",
    title: "RDX 파일 (필수)",
    hint: "이전 사이트에 RDX Exporter를 올려 내보낸 zip입니다. zip 암호는 비워 두십시오.",
  },
  {
    kind: "files",
    title: "첨부파일 폴더 (선택)",
    hint: "본문 그림은 RDX에 들어 있지 않습니다. 그누보드는 data, 라이믹스와 XE1은 files, XE3는 storage, 워드프레스는 wp-content/uploads 폴더를 zip으로 묶어 올리면 그림도 옵니다.",
  },
];

/** Uploads in parts and resumes after an interruption. */
export function ArchiveFields({ moving }: { moving: MovingView }) {
  const { upload, error, send, stop } = useArchiveUpload(moving.id);
  const { busy, run, problem } = useAction();
  const remove = ({ id, fileName }: ArchiveView) =>
    run(
      () => callApi(api.admin.moving[":id"].archive[":archiveId"].$delete({ param: { id: moving.id, archiveId: id } })),
      `${withParticle(`'${fileName}'`, "을/를")} 지웠습니다.`,
    );
  return (
    <div className="grid gap-6">
      <ErrorAlert>{error ?? problem}</ErrorAlert>
      {KINDS.map(({ kind, title, hint }) => (
        <div key={kind} className="border-t border-gray-20 pt-5">
          <h3 className="text-base font-semibold text-gray-90">{title}</h3>
          <p className="mt-1 max-w-2xl text-sm text-gray-60">{hint}</p>
          <ul className="mt-2">
            {moving.archives
              .filter((archive) => archive.kind === kind)
              .map((archive) => (
                <li key={archive.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
                  <span>{archive.fileName}</span>
                  <span className="tabular text-sm text-gray-60">{formatBytes(archive.size)}</span>
                  <Badge tone={archive.isReady ? "success" : "gray"}>
                    {archive.isReady
                      ? "다 올렸습니다"
                      : `${Math.floor((archive.parts.length * archive.partBytes * 100) / archive.size)}% 올림`}
                  </Badge>
                  <Button
                    size="sm"
                    variant="quiet"
                    busy={busy}
                    disabled={upload !== null}
                    onClick={() => remove(archive)}
                  >
                    지우기
                    <span className="sr-only">{archive.fileName}</span>
                  </Button>
                </li>
              ))}
          </ul>
          <FileButton
            accept=".zip,application/zip"
            label={kind === "rdx" ? "RDX zip 고르기" : "폴더 zip 고르기"}
            disabled={upload !== null}
            onPick={([file]) => file && void send(kind, file)}
          />
        </div>
      ))}
      {upload && (
        <div role="status" className="rounded-md bg-gray-5 p-4">
          <p className="mb-2 flex flex-wrap justify-between gap-2">
            <span>{upload.fileName} 올리는 중</span>
            <span className="tabular">{upload.percent}%</span>
          </p>
          <ProgressBar label={`${upload.fileName} 올리는 중`} value={upload.percent} />
          <p className="mt-2 flex flex-wrap items-center justify-between gap-2 text-sm text-gray-60">
            이 화면을 닫으면 멈춥니다. 다시 와서 같은 파일을 고르면 이어서 올립니다.
            <Button size="sm" onClick={stop}>
              멈추기
            </Button>
          </p>
        </div>
      )}
    </div>
  );
}

const TRIES = 3;

interface ArchiveUpload {
  fileName: string;
  /** 0 to 100. */
  percent: number;
}

/** Uploads a zip in parts; choosing the same file again resumes it. */
function useArchiveUpload(movingId: string) {
  const { revalidate } = useRevalidator();
  const [upload, setUpload] = useState<ArchiveUpload | null>(null);
  const [error, setError] = useState<string | null>(null);
  const stopping = useRef<AbortController | null>(null);
  useEffect(() => () => stopping.current?.abort(), []);
  useEffect(() => {
    if (!upload) return undefined;
    // Leaving the page stops the upload; sent parts are kept.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [upload]);

  async function sendPart(
    archive: ArchiveView,
    partNo: number,
    body: Blob,
    signal: AbortSignal,
    onSent: (share: number) => void,
  ) {
    for (let attempt = 1; ; attempt++) {
      try {
        const url = `/api/admin/moving/${movingId}/archive/${archive.id}/part/${partNo}`;
        await sendWithProgress({ method: "PUT", url, body, signal, onProgress: (percent) => onSent(percent / 100) });
        return;
      } catch (cause) {
        if (isAbortError(cause) || attempt >= TRIES) throw cause;
      }
    }
  }

  async function send(kind: ArchiveKind, file: File): Promise<void> {
    const controller = new AbortController();
    stopping.current = controller;
    setError(null);
    setUpload({ fileName: file.name, percent: 0 });
    try {
      const json = { kind, fileName: file.name, size: file.size };
      const archive = await callApi(api.admin.moving[":id"].archive.$put({ param: { id: movingId }, json }));
      const { partBytes } = archive;
      const count = Math.ceil(file.size / partBytes);
      const here = new Set(archive.parts);
      for (let partNo = 1; partNo <= count && !archive.isReady; partNo++) {
        if (here.has(partNo)) continue;
        const from = (partNo - 1) * partBytes;
        const show = (share: number) =>
          setUpload({ fileName: file.name, percent: Math.floor(((partNo - 1 + share) / count) * 100) });
        await sendPart(archive, partNo, file.slice(from, from + partBytes), controller.signal, show);
      }
      const param = { id: movingId, archiveId: archive.id };
      await callApi(api.admin.moving[":id"].archive[":archiveId"].complete.$post({ param, json: {} }));
    } catch (cause) {
      if (!isAbortError(cause)) setError(`${firstErrorMessage(cause)} 같은 파일을 다시 고르면 이어서 올립니다.`);
    } finally {
      setUpload(null);
      await revalidate();
    }
  }

  return { upload, error, send, stop: () => stopping.current?.abort() };
}
