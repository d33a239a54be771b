import "#app/lib/floor.js";
import { AddressCheck, type AddressFinding, type PersonAddress } from "#worker/contract/alumni/address.ts";
import { detectEncoding } from "#worker/adapters/spreadsheet/csv.ts";

export interface AddressCheckRequest {
  files: readonly File[];
  people: readonly PersonAddress[];
}

export interface AddressCheckResult {
  findings: AddressFinding[];
  lines: number;
}

export type AddressCheckMessage = { percent: number } | { result: AddressCheckResult } | { error: string };

const HEAD_BYTES = 64 * 1024;

/** Cuts the sample at a line end: half a character would mislead the detection. */
async function encodingOf(file: File): Promise<string> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const end = head.lastIndexOf(0x0a);
  return detectEncoding(end > 0 ? head.subarray(0, end) : head);
}

async function check({ files, people }: AddressCheckRequest, onProgress: (percent: number) => void) {
  const checking = new AddressCheck(people);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  let read = 0;
  for (const file of files) {
    const decoder = new TextDecoder(await encodingOf(file));
    let left = "";
    const reader = file.stream().getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      read += piece.value.length;
      const lines = (left + decoder.decode(piece.value, { stream: true })).split("\n");
      left = lines.pop() ?? "";
      for (const line of lines) checking.addLine(line);
      onProgress((read / size) * 100);
    }
    checking.addLine(left);
    if (checking.lines === 0)
      return {
        error: `${file.name}: 도로명주소 자료가 아닙니다. 압축을 풀고 ‘도로명주소 한글’의 txt 파일(rnaddrkor_시도.txt)을 골라 주십시오.`,
      };
  }
  return { result: { findings: checking.findings(), lines: checking.lines } };
}

// Is declared by hand because the DOM types do not include the worker scope.
const scope = globalThis as unknown as {
  addEventListener(type: "message", listener: (event: MessageEvent<AddressCheckRequest>) => void): void;
  postMessage: (message: AddressCheckMessage) => void;
};
scope.addEventListener("message", (event) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has none
  const tell = (message: AddressCheckMessage) => scope.postMessage(message);
  void check(event.data, (percent) => tell({ percent })).then(tell, (error: unknown) =>
    tell({ error: error instanceof Error ? error.message : "파일을 읽지 못했습니다." }),
  );
});
