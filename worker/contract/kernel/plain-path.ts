/** A path below where it is unpacked: nothing that climbs, no drive, no other writing of a slash. */
export function isPlainPath(name: string): boolean {
  return !/[\\\u0000-\u001f\u007f]|^\/|^[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/.test(name);
}
