const CENTRAL = 0x02014b50;
const END_BYTES = 22;

/** Converts a zip to ZIP64 fields, as tools write for archives beyond 4 GB. */
export function asZip64(zip: Uint8Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = zip.byteLength - END_BYTES;
  const count = view.getUint16(end + 10, true);
  const start = view.getUint32(end + 16, true);
  const parts: Uint8Array[] = [zip.slice(0, start)];
  let size = 0;
  for (let at = start, index = 0; index < count; index++) {
    if (view.getUint32(at, true) !== CENTRAL) throw new Error("no entry");
    const nameLength = view.getUint16(at + 28, true);
    const length = 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const head = zip.slice(at, at + 46 + nameLength);
    const own = new DataView(head.buffer);
    const extra = new DataView(new ArrayBuffer(28));
    extra.setUint16(0, 1, true);
    extra.setUint16(2, 24, true);
    for (const [place, field] of [24, 20, 42].entries()) {
      extra.setBigUint64(4 + place * 8, BigInt(own.getUint32(field, true)), true);
      own.setUint32(field, 0xffffffff, true);
    }
    own.setUint16(30, 28, true);
    own.setUint16(32, 0, true);
    parts.push(head, new Uint8Array(extra.buffer));
    size += head.byteLength + 28;
    at += length;
  }
  const tail = new DataView(new ArrayBuffer(56 + 20 + END_BYTES));
  tail.setUint32(0, 0x06064b50, true);
  tail.setBigUint64(4, 44n, true);
  tail.setBigUint64(24, BigInt(count), true);
  tail.setBigUint64(32, BigInt(count), true);
  tail.setBigUint64(40, BigInt(size), true);
  tail.setBigUint64(48, BigInt(start), true);
  tail.setUint32(56, 0x07064b50, true);
  tail.setBigUint64(64, BigInt(start + size), true);
  tail.setUint32(72, 1, true);
  tail.setUint32(76, 0x06054b50, true);
  for (const [at, value] of [
    [84, 0xffff],
    [86, 0xffff],
  ] as const)
    tail.setUint16(at, value, true);
  tail.setUint32(88, 0xffffffff, true);
  tail.setUint32(92, 0xffffffff, true);
  parts.push(new Uint8Array(tail.buffer));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.byteLength;
  }
  return whole;
}
