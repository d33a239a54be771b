import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { MailTemplateText } from "#worker/contract/mail/templates.ts";
import { REQUEST_KIND_NAMES, type PrivacyRequestKind } from "#worker/contract/privacy/rules.ts";
import { koreanLongDay } from "#worker/contract/kernel/korea.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { queueMessage } from "../mail/message.server.ts";

interface Addressee {
  userId: string | null;
  requesterName: string;
  contact: string;
  kind: PrivacyRequestKind;
}

const requestFields = (to: Addressee) => ({
  이름: to.requesterName,
  요구: `개인정보 ${REQUEST_KIND_NAMES[to.kind]} 요구`,
});

function queueRequestMessage(ctx: AppContext, to: Addressee, text: MailTemplateText) {
  if (to.contact === "") return null;
  return queueMessage(ctx, { channel: "email", recipient: to.contact, ...text, userId: to.userId });
}

export async function queueReceiptMessage(ctx: AppContext, to: Addressee & { dueDate: Date }) {
  const write = await loadTemplateRenderer(ctx);
  return queueRequestMessage(
    ctx,
    to,
    write("privacyReceived", { ...requestFields(to), 기한: koreanLongDay(to.dueDate) }),
  );
}

export async function queueAnswerMessage(ctx: AppContext, to: Addressee, result: "done" | "refused", answer: string) {
  const write = await loadTemplateRenderer(ctx);
  return queueRequestMessage(
    ctx,
    to,
    write(result === "done" ? "privacyDone" : "privacyRefused", { ...requestFields(to), 답변: answer }),
  );
}

export async function queueExtensionMessage(ctx: AppContext, to: Addressee, dueDate: Date, reason: string) {
  const write = await loadTemplateRenderer(ctx);
  return queueRequestMessage(
    ctx,
    to,
    write("privacyExtended", { ...requestFields(to), 기한: koreanLongDay(dueDate), 사유: reason }),
  );
}
