const TIMEOUT_MS = 2000;

export async function probePart(work: () => Promise<unknown>): Promise<"ok" | "failed"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"failed">((resolve) => {
    timer = setTimeout(() => resolve("failed"), TIMEOUT_MS);
  });
  const done = work().then(
    () => "ok" as const,
    () => "failed" as const,
  );
  const result = await Promise.race([done, late]);
  clearTimeout(timer);
  return result;
}

/** Any response proves that the host is reachable. */
export async function reachHost(url: string): Promise<void> {
  const response = await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
}
