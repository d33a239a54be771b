/** Something the person at the keyboard can put right: shown as its one Korean line, without a stack trace. */
export class LocalError extends Error {
  override name = "Trouble";
}
