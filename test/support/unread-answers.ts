/** What the test was answered. A body that nobody read keeps its file open, and workerd complains of that when the storage is reset. */
const answers: Response[] = [];

export function keepAnswer(answer: Response): Response {
  if (answer.body) answers.push(answer);
  return answer;
}

export async function closeUnread(): Promise<void> {
  for (const answer of answers.splice(0)) if (!answer.bodyUsed) await answer.body?.cancel();
}
