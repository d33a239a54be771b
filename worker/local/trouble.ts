/** Something the person at the keyboard can put right: shown as its one Korean line, without a stack trace. */
export class Trouble extends Error {
  override name = "Trouble";
}
