/** Refuses path traversal, absolute paths, drive letters and backslashes. */
export function isPlainPath(name: string): boolean {
  return !/[\\\u0000-\u001f\u007f]|^\/|^[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/.test(name);
}
