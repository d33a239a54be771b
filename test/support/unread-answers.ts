/** Responses of the test. workerd reports unread bodies when the storage is reset. */
const answers: Response[] = [];

export function storeIdempotentAnswer(answer: Response): Response {
  if (answer.body) answers.push(answer);
  return answer;
}

export async function closeUnread(): Promise<void> {
  for (const answer of answers.splice(0)) if (!answer.bodyUsed) await answer.body?.cancel();
}

/** Work that requests left for later; a rejection stays unhandled, which fails the run. */
const deferred: Promise<void>[] = [];

export function noteDeferred(work: Promise<unknown>): void {
  deferred.push(new Promise((done) => void work.finally(done)));
}

export async function awaitDeferred(): Promise<void> {
  await Promise.all(deferred.splice(0));
}
