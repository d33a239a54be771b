const READ_MS = 30_000;

/** Ends the worker with its answer, or after 30 seconds. */
export async function askPreviewWorker<Answer>(worker: Worker, bytes: ArrayBuffer): Promise<Answer> {
  try {
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("slow")), READ_MS);
      const end = (act: () => void) => {
        clearTimeout(timer);
        act();
      };
      worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => end(() => resolve(data)));
      worker.addEventListener("error", () => end(() => reject(new Error("broken"))));
      worker.postMessage({ bytes }, [bytes]);
    });
  } finally {
    worker.terminate();
  }
}
