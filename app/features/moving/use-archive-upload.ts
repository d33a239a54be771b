import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { firstErrorMessage, isAbortError, sendWithProgress } from "#app/features/form/send-with-progress.ts";
import { api, callApi } from "#app/lib/api.ts";
import type { ArchiveKind } from "#worker/contract/moving/rules.ts";
import type { ArchiveView } from "#worker/contract/moving/view.ts";

const TRIES = 3;

interface ArchiveUpload {
  fileName: string;
  /** 0 to 100. */
  percent: number;
}

/** Uploads a zip in parts; choosing the same file again resumes it. */
export function useArchiveUpload(movingId: string) {
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
