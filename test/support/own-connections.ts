// workerd closes a connection that was idle for five seconds, and a busy machine writes the next request to it before it
// hears so: "other side closed". Each request of a test has a connection of its own.
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
