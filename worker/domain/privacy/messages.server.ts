import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { LetterText } from "#worker/contract/mail/templates.ts";
import { REQUEST_KIND_NAMES, type RequestKind } from "#worker/contract/privacy/rules.ts";
import { wording } from "../mail/render-template.server.ts";
import { queueLetter } from "../mail/message.server.ts";

interface Addressee {
  userId: string | null;
  requesterName: string;
  contact: string;
  kind: RequestKind;
}

const KST = new Intl.DateTimeFormat("ko-KR", {
  timeZone: "Asia/Seoul",
  year: "numeric",
  month: "long",
  day: "numeric",
});
const dayOf = (date: Date) => KST.format(date);
const called = (to: Addressee) => ({ 이름: to.requesterName, 요구: `개인정보 ${REQUEST_KIND_NAMES[to.kind]} 요구` });

/** Nothing for somebody who is answered by post. */
function letter(ctx: AppContext, to: Addressee, text: LetterText) {
  if (to.contact === "") return null;
  return queueLetter(ctx, { channel: "email", recipient: to.contact, ...text, userId: to.userId });
}

export async function receivedLetter(ctx: AppContext, to: Addressee & { dueDate: Date }) {
  const write = await wording(ctx);
  return letter(ctx, to, write("privacyReceived", { ...called(to), 기한: dayOf(to.dueDate) }));
}

export async function answeredLetter(ctx: AppContext, to: Addressee, result: "done" | "refused", answer: string) {
  const write = await wording(ctx);
  return letter(ctx, to, write(result === "done" ? "privacyDone" : "privacyRefused", { ...called(to), 답변: answer }));
}

export async function extendedLetter(ctx: AppContext, to: Addressee, dueDate: Date, reason: string) {
  const write = await wording(ctx);
  return letter(ctx, to, write("privacyExtended", { ...called(to), 기한: dayOf(dueDate), 사유: reason }));
}
