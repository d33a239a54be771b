import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { formatCount, withParticle } from "#worker/contract/kernel/wording.ts";
import { MESSAGE_CHANNEL_NAMES, type MessageChannel } from "#worker/contract/mail/mail.ts";
import {
  mailTemplateProblems,
  renderTemplate,
  SITE_LINK_FIELD,
  SITE_NAME_FIELD,
} from "#worker/contract/mail/templates.ts";
import {
  ALIMTALK_LIMITS,
  alimtalkAsTemplate,
  alimtalkVariables,
  TEXT_MESSAGE_BYTES,
  textMessageBytes,
  unsendableLetters,
} from "#worker/contract/mail/text-message.ts";
import { ADVERTISING_BY_ALIMTALK, REFUSAL_FIELD } from "#worker/contract/mailing/mailing.ts";
import { conflict } from "../kernel/guarded-batch.server.ts";
import { type Mailing, mailingText, usableFields } from "./people.server.ts";

export const channelsSetUp = ({ messages }: Pick<AppContext, "messages">): Record<MessageChannel, boolean> => ({
  email: true,
  sms: messages.hasSms,
  alimtalk: messages.hasAlimtalk,
});

/** @throws AppError INVALID_INPUT for a channel without a provider */
export function requireSetUp(ctx: Pick<AppContext, "messages">, channel: MessageChannel): void {
  if (channelsSetUp(ctx)[channel]) return;
  const name = withParticle(MESSAGE_CHANNEL_NAMES[channel], "을/를");
  throw invalidInput({
    channel: `${name} 보내는 설정이 되어 있지 않습니다. 관리 화면의 '설치 설정'을 확인해 주십시오.`,
  });
}

export function requireUsable(ctx: AppContext, row: Mailing): void {
  requireSetUp(ctx, row.channel);
  const names = [...usableFields(ctx, row.source).keys(), ...(row.channel === "sms" ? [REFUSAL_FIELD] : [])];
  const fields = Object.fromEntries(names.map((name) => [name, { sample: "" }]));
  const problems = { ...mailTemplateProblems(fields, mailingText(row)), ...channelProblems(row) };
  if (row.subject === "") problems["subject"] = "제목을 입력해 주십시오.";
  if (row.body.trim() === "")
    if (row.channel === "alimtalk") problems["templateCode"] ??= "승인된 템플릿의 코드를 입력해 주십시오.";
    else problems["text"] = "본문을 입력해 주십시오.";
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
}

function channelProblems(row: Mailing): Record<string, string> {
  const { channel, kind, body, fileIds, templateValues, attachmentId } = row;
  if (channel === "email") return {};
  if (row.question || row.questionId) return { question: "질문은 메일에만 붙일 수 있습니다." };
  if (attachmentId !== null) return { attachmentId: "메일에만 파일을 첨부할 수 있습니다. 첨부파일을 빼 주십시오." };
  if (channel === "sms") {
    const letters = unsendableLetters(body);
    return letters.length > 0 ? { text: `문자로 보낼 수 없는 글자가 있습니다: ${letters.slice(0, 10).join(" ")}` } : {};
  }
  const empty = Object.keys(templateValues).find((name) => templateValues[name] === "");
  return {
    ...(kind === "advertising" ? { kind: ADVERTISING_BY_ALIMTALK } : {}),
    ...(fileIds.length > 0 ? { fileIds: "알림톡에는 파일을 붙일 수 없습니다." } : {}),
    ...(empty === undefined ? {} : { templateValues: `#{${empty}}에 들어갈 글을 적어 주십시오.` }),
  };
}

/**
 * Reads the provider's current approved template; variables come from the person or the office. @throws AppError
 * INVALID_INPUT for a missing or unapproved template, UPSTREAM_UNAVAILABLE
 */
export async function readTemplateText(
  ctx: AppContext,
  { source, templateCode, templateValues }: Pick<Mailing, "source" | "templateCode" | "templateValues">,
) {
  if (templateCode === "") return { body: "", templateValues: {} };
  const template = await ctx.messages.texts.readTemplate(templateCode).catch((cause: unknown) => {
    throw new AppError("UPSTREAM_UNAVAILABLE", {
      message: "알림톡 템플릿을 확인하지 못했습니다. 잠시 후 다시 시도해 주십시오.",
      cause,
    });
  });
  if (!template) throw invalidInput({ templateCode: "알림톡 채널에 없는 템플릿입니다. 코드를 확인해 주십시오." });
  if (!template.isApproved) throw invalidInput({ templateCode: "아직 승인되지 않았거나 쓰지 않는 템플릿입니다." });
  const variables = alimtalkVariables(`${template.content}${template.source}`);
  if (template.content.length > ALIMTALK_LIMITS.template || variables.length > ALIMTALK_LIMITS.values)
    throw invalidInput({ templateCode: "글이나 변수가 너무 많은 템플릿입니다." });
  const known = [...usableFields(ctx, source).keys(), SITE_NAME_FIELD, SITE_LINK_FIELD];
  const own = (name: string) => (Object.hasOwn(templateValues, name) ? (templateValues[name] ?? "") : "");
  return {
    body: alimtalkAsTemplate(template.content),
    templateValues: Object.fromEntries(
      variables.map((name) => [name, known.includes(name) ? `{{${name}}}` : own(name)]),
    ),
  };
}

/** Refuses a template that changed after the preview. */
export async function requireSameTemplate(ctx: AppContext, row: Mailing): Promise<void> {
  if (row.channel !== "alimtalk") return;
  const now = await readTemplateText(ctx, row);
  if (now.body !== row.body || Object.keys(now.templateValues).join() !== Object.keys(row.templateValues).join())
    throw conflict("그사이 템플릿이 바뀌었습니다. 다시 저장하고 미리 보아 주십시오.");
}

/** Null for other channels. @throws AppError INVALID_INPUT for a text that does not fit */
export function fittingBytes({ channel }: Pick<Mailing, "channel">, text: string): number | null {
  if (channel !== "sms") return null;
  const bytes = textMessageBytes(text);
  if (bytes <= TEXT_MESSAGE_BYTES.lms) return bytes;
  const [most, full] = [TEXT_MESSAGE_BYTES.lms, bytes].map((count) => formatCount(count));
  throw invalidInput({
    text: `문자는 ${most}바이트까지 보낼 수 있는데, 항목을 채우면 ${full}바이트까지 됩니다. 본문을 줄여 주십시오.`,
  });
}

export const templateVariables = (
  { templateValues }: Pick<Mailing, "templateValues">,
  values: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(templateValues).map(([name, text]) => [name, renderTemplate({ subject: "", text }, values).text]),
  );
