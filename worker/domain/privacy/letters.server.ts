import type { AppContext } from "#worker/context.server.ts";
import { REQUEST_KIND_NAMES, type RequestKind } from "#worker/contract/privacy.ts";
import { queueLetter } from "../message.server.ts";

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
const called = (to: Addressee) => `개인정보 ${REQUEST_KIND_NAMES[to.kind]} 요구`;

/** Nothing for somebody who is answered by post. */
function letter(ctx: AppContext, to: Addressee, subject: string, text: string) {
  if (to.contact === "") return null;
  return queueLetter(ctx, {
    channel: "email",
    recipient: to.contact,
    subject,
    text: `${to.requesterName} 님, 안녕하십니까.\n\n${text}`,
    userId: to.userId,
  });
}

export const receivedLetter = (ctx: AppContext, to: Addressee & { dueDate: Date }) =>
  letter(
    ctx,
    to,
    `${called(to)}를 접수하였습니다`,
    `보내신 ${called(to)}를 접수하였습니다.\n${dayOf(to.dueDate)}까지 처리한 결과를 알려 드리겠습니다.`,
  );

export const answeredLetter = (ctx: AppContext, to: Addressee, result: "done" | "refused", answer: string) =>
  letter(
    ctx,
    to,
    `${called(to)}의 처리 결과를 알려 드립니다`,
    result === "done"
      ? `보내신 ${called(to)}를 처리하였습니다.\n\n${answer}`
      : `보내신 ${called(to)}를 아래의 사유로 받아들이지 못하였습니다.\n\n${answer}\n\n이 결과에 이의가 있으시면 이 메일을 받으신 날부터 언제든지 저희에게 이의를 제기하실 수 있으며, 개인정보분쟁조정위원회(국번 없이 1833-6972)나 개인정보침해 신고센터(국번 없이 118)에 도움을 청하실 수 있습니다.`,
  );

export const extendedLetter = (ctx: AppContext, to: Addressee, dueDate: Date, reason: string) =>
  letter(
    ctx,
    to,
    `${called(to)}의 처리 기한을 늦추어 알려 드립니다`,
    `보내신 ${called(to)}의 처리가 아래의 사유로 늦어져, ${dayOf(dueDate)}까지 결과를 알려 드리겠습니다.\n\n사유: ${reason}`,
  );
