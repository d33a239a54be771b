const ORIENTATION_TAG = 0x0112;

/** The orientation in a TIFF block (EXIF); 1, upright, if unreadable. */
export function readOrientation(tiff: Uint8Array): number {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  try {
    const little = view.getUint16(0) === 0x4949;
    const directory = view.getUint32(4, little);
    const entries = view.getUint16(directory, little);
    for (let at = directory + 2; at < directory + 2 + entries * 12; at += 12) {
      if (view.getUint16(at, little) !== ORIENTATION_TAG) continue;
      const value = view.getUint16(at + 8, little);
      return value >= 1 && value <= 8 ? value : 1;
    }
  } catch {
    // An offset beyond the block: the orientation is ignored.
  }
  return 1;
}

export function orientationBlock(orientation: number): Uint8Array {
  const block = new Uint8Array(26);
  const view = new DataView(block.buffer);
  view.setUint32(0, 0x4d4d002a);
  view.setUint32(4, 8);
  view.setUint16(8, 1);
  view.setUint16(10, ORIENTATION_TAG);
  view.setUint16(12, 3);
  view.setUint32(14, 1);
  view.setUint16(18, orientation);
  return block;
}
