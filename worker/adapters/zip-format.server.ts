export const LOCAL_SIGNATURE = 0x04034b50;

export const dataViewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
