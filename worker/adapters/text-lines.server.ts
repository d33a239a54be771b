/** Yields JSON lines numbered from 1; null for a line beyond the limit, which is skipped. */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<{ lineNo: number; text: string | null }> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  let isTooLong = false;
  let lineNo = 0;
  const take = () => {
    lineNo += 1;
    const text = isTooLong ? null : decodeLine(waiting, length);
    waiting = [];
    length = 0;
    isTooLong = false;
    return { lineNo, text };
  };
  for await (const piece of pieces) {
    let from = 0;
    for (;;) {
      const end = piece.indexOf(0x0a, from);
      const part = piece.subarray(from, end < 0 ? undefined : end);
      length += part.byteLength;
      if (length > maxBytes) {
        isTooLong = true;
        waiting = [];
      } else if (part.byteLength > 0) waiting.push(part);
      if (end < 0) break;
      yield take();
      from = end + 1;
    }
  }
  if (length > 0) yield take();
}

function decodeLine(parts: Uint8Array[], length: number): string {
  const [only] = parts;
  if (parts.length === 1 && only) return new TextDecoder().decode(only);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return new TextDecoder().decode(whole);
}
