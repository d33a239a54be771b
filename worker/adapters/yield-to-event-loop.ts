/** Yields between the parts of long work. A local database answers in-process, so network events would starve. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
