import type { SiteSettings } from "../kernel/site-setting.ts";
import { ADVERTISING_MARK } from "./mail.ts";
import type { MailTemplateText } from "./templates.ts";

/** Adds the label, the sender and a free opt-out (망법 제50조 제4항). */
export function markAsAdvertising(text: MailTemplateText, site: SiteSettings, off: string): MailTemplateText {
  const { organization, address, phone, email } = site.contact;
  const sender = [organization || site.siteName, address, phone, email].filter(Boolean).join(" · ");
  const subject = text.subject.startsWith(ADVERTISING_MARK) ? text.subject : `${ADVERTISING_MARK} ${text.subject}`;
  return {
    subject,
    text: `${text.text}\n\n보낸 곳: ${sender}\n\n이 메일은 수신에 동의하신 분께 보내 드립니다. 받지 않으시려면 아래 주소에서 언제든지 무료로 수신을 거부하실 수 있습니다. 로그인하지 않으셔도 됩니다.\n${off}`,
  };
}

/** Puts the label and the sender first and the opt-out last (망법 시행령 별표 6). */
export function markTextAsAdvertising(text: string, site: SiteSettings, off: string): string {
  const { organization, phone } = site.contact;
  const sender = [organization || site.siteName, phone].filter(Boolean).join(" ");
  const body = text.startsWith(ADVERTISING_MARK) ? text.slice(ADVERTISING_MARK.length).trimStart() : text;
  return `${ADVERTISING_MARK} ${sender}\n${body}\n\n무료수신거부 ${off}`;
}

/** Appends the sender and an opt-out to bulk mail. */
export function signAsOffice(text: MailTemplateText, site: SiteSettings, off: string): MailTemplateText {
  return {
    subject: text.subject,
    text: `${text.text}\n\n${site.contact.organization || site.siteName}에서 보내 드렸습니다. 이 주소로 단체 메일을 받지 않으시려면 아래 주소에서 끄실 수 있습니다. 로그인하지 않으셔도 됩니다.\n${off}`,
  };
}
