import texts from "./english-mails.json" with { type: "json" };
import type { MailTemplateKind, MailTemplateText } from "./templates.ts";

/**
 * Messages sent at once to users of English pages; their fields match the Korean text. The text message omits the
 * site's name: above 90 bytes it costs several times as much.
 */
export const ENGLISH_MAIL_TEXTS: Partial<Record<MailTemplateKind, MailTemplateText>> = texts;
