/** Responses of the test. workerd reports unread bodies when the storage is reset. */
const answers: Response[] = [];

export function storeIdempotentAnswer(answer: Response): Response {
  if (answer.body) answers.push(answer);
  return answer;
}

export async function closeUnread(): Promise<void> {
  for (const answer of answers.splice(0)) if (!answer.bodyUsed) await answer.body?.cancel();
}
