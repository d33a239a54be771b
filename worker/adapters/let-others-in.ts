/**
 * Between the parts of long work: others get a word in. A database in the same process, as locally, answers before anything is
 * read from the network; one elsewhere is waited for in any case.
 */
export const letOthersIn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
