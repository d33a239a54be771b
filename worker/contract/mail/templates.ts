import { lookUp, valuesOf } from "../kernel/labels.ts";
import type { Language } from "../kernel/language.ts";
import { guardedBy, line } from "../kernel/row.ts";
import { addressesIn } from "./addresses.ts";
import { fillWords, type SiteWords } from "../kernel/wording.ts";
import { fillPlaceholders, placeholderProblem, placeholdersOf } from "../kernel/placeholders.ts";
import templates from "./templates.json" with { type: "json" };
import texts from "./english-mails.json" with { type: "json" };

export interface Field {
  sample: string;
  /** The message is useless without this field. */
  required?: boolean;
  /** A secret code. Links are recognized by a sample that begins with a slash. */
  isCode?: boolean;
}

export const MAIL_TEMPLATES = templates;

export type MailTemplateKind = keyof typeof MAIL_TEMPLATES;

export const MAIL_TEMPLATE_KINDS = valuesOf(MAIL_TEMPLATES);

export function defaultTemplateText(kind: MailTemplateKind, words: SiteWords): MailTemplateText {
  const { subject, text } = MAIL_TEMPLATES[kind];
  return { subject: fillWords(words, subject), text: fillWords(words, text) };
}

/** A text that differs by the reader's language has both. */
export type MailTemplateValue = string | Readonly<Record<Language, string>>;

export type MailTemplateValues<K extends MailTemplateKind> = Readonly<
  Record<keyof (typeof MAIL_TEMPLATES)[K]["fields"], MailTemplateValue>
>;

export const valuesIn = (language: Language, values: Readonly<Record<string, MailTemplateValue>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : value[language]]),
  );

export interface MailTemplateText {
  subject: string;
  text: string;
}

export const SITE_NAME_FIELD = "사이트";
export const SITE_LINK_FIELD = "사이트 주소";

export function renderTemplate(template: MailTemplateText, values: Readonly<Record<string, string>>): MailTemplateText {
  const fill = (text: string) => fillPlaceholders(text, (name) => lookUp(values, name));
  return { subject: fill(template.subject).replace(/\s+/g, " ").trim(), text: fill(template.text) };
}

export function mailTemplateProblems(fields: Readonly<Record<string, Field>>, template: MailTemplateText) {
  const known = [...Object.keys(fields), SITE_NAME_FIELD, SITE_LINK_FIELD];
  const problems: Record<string, string> = {};
  for (const part of ["subject", "text"] as const) {
    const problem = placeholderProblem(template[part], known, "이 메일");
    if (problem) problems[part] = problem;
  }
  const missing = Object.keys(fields).find(
    (name) => lookUp(fields, name)?.required && !placeholdersOf(template.text).includes(name),
  );
  if (missing && !problems.text) problems.text = `{{${missing}}} 항목은 뺄 수 없습니다. 본문에 넣어 주십시오.`;
  return problems;
}

const isLink = ({ sample }: Field) => sample.startsWith("/");

/** Editing these could redirect a code or link, so it requires Mail_Template. */
export function holdsCodeOrLink(kind: MailTemplateKind): boolean {
  const fields: Readonly<Record<string, Field>> = MAIL_TEMPLATES[kind].fields;
  return Object.values(fields).some((field) => field.isCode || isLink(field));
}

/** A text with a code or link says where mail leads. */
export function mailTemplateFields(kind: MailTemplateKind) {
  const guard = holdsCodeOrLink(kind) ? guardedBy("Mail_Template") : {};
  return { subject: line("제목", guard), text: line("본문", guard) };
}

const KEPT_MARK = "\u{E000}";
const TEXT_MARK = "\u{E001}";
const STANDS_FREE = /^[^./\\@?&=#%\u{E000}\u{E001}]*\u{E000}(?![.:-]*\w)[^\\@\u{E000}\u{E001}]*$/u;
/** The worst value of a text placeholder: next to a dot it forms an address. */
const WORST_TEXT = "kr";

/** Finds foreign addresses, and placeholders that could form one, by form field. */
function templateAddressProblems(kind: MailTemplateKind, template: MailTemplateText, origin: string) {
  const fields: Readonly<Record<string, Field>> = MAIL_TEMPLATES[kind].fields;
  const valueOf = (name: string) => {
    const field = lookUp(fields, name);
    if (name === SITE_LINK_FIELD) return origin;
    if (field?.isCode) return "123456";
    return field && isLink(field) ? origin + field.sample : WORST_TEXT;
  };
  const isKept = (name: string) => valueOf(name) !== WORST_TEXT;
  const problems: Record<string, string> = {};
  for (const part of ["subject", "text"] as const) {
    const written = fillPlaceholders(template[part], valueOf);
    const foreign = addressesIn(written, origin).find(({ isOwn }) => !isOwn);
    if (foreign) {
      problems[part] =
        `이 사이트의 주소만 쓸 수 있습니다: ${foreign.address}. 이 사이트의 화면은 {{${SITE_LINK_FIELD}}} 뒤에 경로를 붙여 적어 주십시오.`;
      continue;
    }
    const marked = fillPlaceholders(template[part], (name) => (isKept(name) ? KEPT_MARK : TEXT_MARK));
    if (marked.split(/\s+/).some((token) => token.includes(KEPT_MARK) && !STANDS_FREE.test(token)))
      problems[part] = "인증번호와 주소는 다른 항목이나 부호에 붙여 쓸 수 없습니다. 앞뒤를 띄어 주십시오.";
  }
  return problems;
}

export const ownTemplateProblems = (kind: MailTemplateKind, template: MailTemplateText, origin: string) => ({
  ...templateAddressProblems(kind, template, origin),
  ...mailTemplateProblems(MAIL_TEMPLATES[kind].fields, template),
});

/** Links begin with the site's own address. */
export function mailTemplateSamples(kind: MailTemplateKind, origin: string): Record<string, string> {
  const fields: Readonly<Record<string, Field>> = MAIL_TEMPLATES[kind].fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, { sample }]) => [name, sample.replace(/^\//, () => `${origin}/`)]),
  );
}

/** To administrators, to people of the address book, or about pages that are Korean alone. */
type KoreanMailKind =
  | "proposalReturned"
  | "proposalAsked"
  | "proposalReview"
  | "proposalDecided"
  | "administratorsChanged"
  | "settingChanged"
  | "invitation"
  | "confirmRequest"
  | "confirmReminder"
  | "representative"
  | "alumniCorrected";

/**
 * Letters to accounts that read English; their fields match the Korean text. The text message omits the site's name:
 * above 90 bytes it costs several times as much.
 */
export const ENGLISH_MAIL_TEXTS: Record<Exclude<MailTemplateKind, KoreanMailKind>, MailTemplateText> = texts;
