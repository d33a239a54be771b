/** A line to the V8 inspector of one isolate of workerd. */
export interface Inspector {
  send<T = Record<string, unknown>>(method: string, params?: object): Promise<T>;
  close(): void;
}

export async function inspect(socket: URL, isolate: string): Promise<Inspector> {
  const line = new WebSocket(new URL(`/${isolate}`, socket));
  await new Promise((resolve, reject) => {
    line.addEventListener("open", resolve);
    line.addEventListener("error", reject);
  });
  const waiting = new Map<number, (answer: { result?: unknown; error?: { message: string } }) => void>();
  line.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data));
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let id = 0;
  const send = <T>(method: string, params: object = {}) =>
    new Promise<T>((resolve, reject) => {
      waiting.set((id += 1), ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result as T)));
      line.send(JSON.stringify({ id, method, params }));
    });
  return { send, close: () => line.close() };
}
