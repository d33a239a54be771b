import type { MailTemplateKind, MailTemplateText } from "./templates.ts";
import { SIGNATURE } from "./template-fields.ts";

const IGNORE = "If you did not ask for this, please ignore this message.";

/** Messages sent at once to users of English pages; their fields match the Korean text. */
export const ENGLISH_MAIL_TEXTS: Partial<Record<MailTemplateKind, MailTemplateText>> = {
  code: {
    subject: "[{{사이트}}] Verification code {{인증번호}}",
    text: `Your verification code is {{인증번호}}.\n\nPlease enter it within 10 minutes on the page where you asked for it.\n${IGNORE} Do not tell the code to anybody else.${SIGNATURE}`,
  },
  // Omits the site's name: above 90 bytes a message costs several times as much.
  codeSms: {
    subject: "Verification code {{인증번호}}",
    text: "Your verification code is {{인증번호}}. Please enter it within 10 minutes.",
  },
  alreadyMember: {
    subject: "[{{사이트}}] This address is already in use",
    text: `Somebody has already joined with this address.\n\nIf you have forgotten your ID or password, please use "Find my ID" or "Reset password" on the sign-in page.\nIf you did not try to join, please ignore this message.${SIGNATURE}`,
  },
  foundIds: {
    subject: "[{{사이트}}] Your ID",
    text: `This is your ID.\n\n{{아이디}}\n\n${IGNORE}${SIGNATURE}`,
  },
  passwordReset: {
    subject: "[{{사이트}}] Your password has been reset",
    text: `Your password has been reset, and you have been signed out on all devices.\n\nIf this was not you, please reset your password at once with "Reset password" on the sign-in page, and tell the office.${SIGNATURE}`,
  },
};
