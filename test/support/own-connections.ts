// workerd closes connections idle for five seconds, and a busy machine reuses one too late: "other side closed".
const { fetch: fetchShared } = globalThis;
const isDone = Symbol.for("requests have connections of their own");
// Once for all files of a worker.
if (!(isDone in globalThis)) {
  Object.assign(globalThis, { [isDone]: true });
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    request.headers.set("Connection", "close");
    return fetchShared(request);
  };
}
