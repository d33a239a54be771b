/** An error the user can fix; shown as one Korean line without a stack trace. */
export class LocalError extends Error {
  override name = "Trouble";
}

export async function runCommand(work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof LocalError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
