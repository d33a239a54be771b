/** Something the person at the keyboard can put right: shown as its one Korean line, without a stack trace. */
export class LocalError extends Error {
  override name = "Trouble";
}

/** Shows a LocalError as its one line, anything else as it is. */
export async function runCommand(work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof LocalError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
