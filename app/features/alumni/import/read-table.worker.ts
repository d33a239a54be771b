import "#app/lib/floor.js";
import { readDroppedFile, type ReadTableRequest, type ReadTableResult } from "./read-dropped-file.ts";

// Is declared by hand because the DOM types do not include the worker scope.
const scope = globalThis as unknown as {
  addEventListener(type: "message", listener: (event: MessageEvent<ReadTableRequest>) => void): void;
  postMessage: (answer: ReadTableResult) => void;
};
scope.addEventListener("message", (event) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has none
  void readDroppedFile(event.data).then((answer) => scope.postMessage(answer));
});
