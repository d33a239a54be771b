import "#app/lib/floor.js";
import {
  readDroppedFile,
  readDroppedSheets,
  type ReadSheetsRequest,
  type ReadSheetsResult,
  type ReadTableRequest,
  type ReadTableResult,
} from "./read-dropped-file.ts";

// Is declared by hand because the DOM types do not include the worker scope.
const scope = globalThis as unknown as {
  addEventListener(
    type: "message",
    listener: (event: MessageEvent<ReadTableRequest | ReadSheetsRequest>) => void,
  ): void;
  postMessage: (answer: ReadTableResult | ReadSheetsResult) => void;
};
scope.addEventListener("message", (event) => {
  const { data } = event;
  const reading = "isPlain" in data ? readDroppedSheets(data) : readDroppedFile(data);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has none
  void reading.then((answer) => scope.postMessage(answer));
});
