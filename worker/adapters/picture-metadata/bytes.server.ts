export interface CleanedPicture {
  bytes: Uint8Array<ArrayBuffer>;
  /** As it is shown: after the turn that its orientation asks for. */
  width: number;
  height: number;
}

export const readLatin1 = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to));
export const hasTextAt = (bytes: Uint8Array, at: number, text: string) =>
  readLatin1(bytes, at, at + text.length) === text;

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Orientations from 5 on lie on their side. */
export function orientedSize({ width, height }: { width: number; height: number }, orientation: number) {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}
