/**
 * zod tries whether it may compile code, which our policy refuses and browsers report. It is told not to before it is
 * there, and without importing it: most pages do without.
 */
export function forbidCompiling(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
}
