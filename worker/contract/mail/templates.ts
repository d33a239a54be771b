import { ownValue, valuesOf } from "../kernel/labels.ts";
import { ACCOUNT_TEMPLATES } from "./account-templates.ts";
import {
  type Field,
  type MailTemplateDefault,
  NAME_FIELD,
  UNSUBSCRIBE_FIELD,
  ITEM_LINK_FIELD,
  REQUEST_FIELD,
  DUE_FIELD,
  CONFIRM_FIELD,
  ITEM_FIELDS,
  SIGNATURE,
} from "./template-fields.ts";
import { addressesIn } from "./addresses.ts";
import { fillWords, type OwnWords } from "../kernel/product-words.ts";

export const MAIL_TEMPLATES = {
  ...ACCOUNT_TEMPLATES,
  administratorsChanged: {
    name: "관리자 권한 변경",
    when: "관리자 권한이 바뀌었을 때 다른 관리자에게",
    channel: "email",
    subject: "[{{사이트}}] 관리자 권한이 변경되었습니다",
    text: `{{이름}}님이 관리자 권한을 변경하였습니다.\n\n{{내용}}\n\n모르시는 변경이라면 감사 기록에서 확인해 주십시오.\n{{주소}}${SIGNATURE}`,
    fields: {
      이름: NAME_FIELD,
      내용: { sample: "대상: 김하늘\n새 역할: 관리자", required: true },
      주소: { sample: "/Admin/Audit" },
    },
  },
  inactive: {
    name: "오래 이용하지 않은 계정",
    when: "오래 로그인하지 않은 회원의 정보를 파기하기 전에",
    channel: "email",
    subject: "[{{사이트}}] 오래 이용하지 않으신 계정이 {{일수}}일 뒤 파기됩니다",
    text: `{{이름}}님, 안녕하십니까.\n\n오랫동안 로그인하지 않으셔서, {{일수}}일 뒤 회원님의 정보(이름, 아이디, 이메일, 휴대전화번호와 회원정보에 적으신 내용)를 파기합니다.\n계속 이용하시려면 그 전에 한 번 로그인해 주십시오.\n{{주소}}${SIGNATURE}`,
    fields: {
      이름: NAME_FIELD,
      일수: { sample: "30", required: true },
      주소: { sample: "/Account/Signin" },
    },
  },
  privacyReceived: {
    name: "개인정보 요구 접수",
    when: "열람·정정·삭제 같은 요구를 접수하였을 때",
    channel: "email",
    subject: "[{{사이트}}] {{요구}}를 접수하였습니다",
    text: `{{이름}}님, 안녕하십니까.\n\n보내신 {{요구}}를 접수하였습니다.\n{{기한}}까지 처리한 결과를 알려 드리겠습니다.${SIGNATURE}`,
    fields: { 이름: NAME_FIELD, 요구: REQUEST_FIELD, 기한: DUE_FIELD },
  },
  privacyDone: {
    name: "개인정보 요구 처리",
    when: "개인정보 요구를 처리하였을 때",
    channel: "email",
    subject: "[{{사이트}}] {{요구}}의 처리 결과를 알려 드립니다",
    text: `{{이름}}님, 안녕하십니까.\n\n보내신 {{요구}}를 처리하였습니다.\n\n{{답변}}${SIGNATURE}`,
    fields: {
      이름: NAME_FIELD,
      요구: REQUEST_FIELD,
      답변: { sample: "요구하신 정보를 정정하였습니다.", required: true },
    },
  },
  privacyRefused: {
    name: "개인정보 요구 거절",
    when: "개인정보 요구를 받아들이지 못했을 때",
    channel: "email",
    subject: "[{{사이트}}] {{요구}}의 처리 결과를 알려 드립니다",
    text: `{{이름}}님, 안녕하십니까.\n\n보내신 {{요구}}를 아래의 사유로 받아들이지 못했습니다.\n\n{{답변}}\n\n이 결과에 이의가 있으시면 이 메일을 받으신 날부터 언제든지 저희에게 이의를 제기하실 수 있으며, 개인정보분쟁조정위원회(국번 없이 1833-6972)나 개인정보침해 신고센터(국번 없이 118)에 도움을 청하실 수 있습니다.${SIGNATURE}`,
    fields: {
      이름: NAME_FIELD,
      요구: REQUEST_FIELD,
      답변: { sample: "다른 법령에 따라 보존해야 합니다.", required: true },
    },
  },
  privacyExtended: {
    name: "개인정보 요구 기한 연장",
    when: "개인정보 요구의 처리 기한을 늦추었을 때",
    channel: "email",
    subject: "[{{사이트}}] {{요구}}의 처리 기한을 늦추어 알려 드립니다",
    text: `{{이름}}님, 안녕하십니까.\n\n보내신 {{요구}}의 처리가 아래의 사유로 늦어져, {{기한}}까지 결과를 알려 드리겠습니다.\n\n사유: {{사유}}${SIGNATURE}`,
    fields: {
      이름: NAME_FIELD,
      요구: REQUEST_FIELD,
      기한: DUE_FIELD,
      사유: { sample: "확인할 자료가 많습니다.", required: true },
    },
  },
  inquiryAnswered: {
    name: "1:1 문의 답변",
    when: "회원의 문의에 답변하였을 때",
    channel: "email",
    subject: "[{{사이트}}] 문의하신 '{{제목}}'에 답변을 드렸습니다",
    text: `{{이름}}님, 안녕하십니까.\n\n문의하신 '{{제목}}'에 답변을 드립니다.\n\n{{답변}}\n\n더 물으실 것이 있으면 아래 주소에서 이어서 적어 주십시오. 이 메일에 회신하시면 답변을 드리지 못합니다.\n{{주소}}${SIGNATURE}`,
    fields: {
      이름: NAME_FIELD,
      제목: { sample: "연수 이수증은 어디에서 받습니까?" },
      답변: { sample: "마이페이지의 '회원 증명서'에서 받으실 수 있습니다." },
      주소: { sample: "/Mypage/Inquiries/…", required: true },
    },
  },
  newItem: {
    name: "새 글 알림",
    when: "알림을 신청한 게시판에 새 글이 올라왔을 때",
    channel: "email",
    subject: "[{{게시판}}] {{제목}}",
    text: `{{이름}}님, {{게시판}}에 새 글이 올라왔습니다.\n\n제목: {{제목}}\n작성자: {{작성자}}\n\n글 보기: {{주소}}\n\n이 게시판의 알림을 그만 받으시려면 아래 주소에서 끄실 수 있습니다. 로그인하지 않으셔도 됩니다.\n{{알림 끄기}}${SIGNATURE}`,
    fields: { ...ITEM_FIELDS, 주소: ITEM_LINK_FIELD, "알림 끄기": UNSUBSCRIBE_FIELD },
  },
  newComment: {
    name: "댓글 알림",
    when: "회원의 글이나 댓글에 다른 사람이 댓글을 달았을 때",
    channel: "email",
    subject: "[{{게시판}}] '{{제목}}'에 새 댓글이 달렸습니다",
    text: `{{이름}}님, '{{제목}}'에 {{작성자}}님이 댓글을 달았습니다.\n\n{{댓글}}\n\n글 보기: {{주소}}\n\n댓글 알림을 그만 받으시려면 아래 주소에서 끄실 수 있습니다. 로그인하지 않으셔도 됩니다.\n{{알림 끄기}}${SIGNATURE}`,
    fields: {
      ...ITEM_FIELDS,
      댓글: { sample: "좋은 자료 감사합니다. 발표 자료도 올려 주실 수 있는지요?" },
      주소: ITEM_LINK_FIELD,
      "알림 끄기": UNSUBSCRIBE_FIELD,
    },
  },
  consentReminder: {
    name: "광고성 메일 수신 동의 확인",
    when: "수신에 동의하였거나 마지막으로 알린 지 2년이 된 회원에게",
    channel: "email",
    subject: "[{{사이트}}] {{동의 항목}} 사실을 확인해 드립니다",
    text: `{{이름}}님께서는 {{동의한 날}}에 {{사이트}}의 '{{동의 항목}}'에 동의하셨습니다. 정보통신망법에 따라 2년마다 알려 드립니다.\n\n계속 받으시려면 아무것도 하지 않으셔도 됩니다.\n그만 받으시려면 아래 주소에서 언제든지 무료로 거부하실 수 있습니다. 로그인하지 않으셔도 됩니다.\n{{알림 끄기}}${SIGNATURE}`,
    fields: {
      이름: NAME_FIELD,
      "동의 항목": { sample: "소식지 이메일 수신 동의", required: true },
      "동의한 날": { sample: "2024년 11월 21일", required: true },
      "알림 끄기": UNSUBSCRIBE_FIELD,
    },
  },
  agreementChange: {
    name: "약관 변경 안내",
    when: "동의 문서의 새 버전을 뒷날 시행하도록 예고하였을 때 회원에게",
    channel: "email",
    subject: "[{{사이트}}] {{문서}} 변경 안내 ({{시행일}} 시행)",
    text: `{{이름}}님, 안녕하십니까.\n\n{{사이트}}의 '{{문서}}' 내용이 {{시행일}}부터 바뀝니다.\n\n달라지는 점은 아래 주소에서 문장별로 비교하여 보실 수 있습니다. 로그인하지 않으셔도 됩니다.\n{{주소}}\n\n{{동의 안내}}\n\n사무국의 단체 메일을 받지 않으시려면 아래 주소에서 끄실 수 있습니다. 로그인하지 않으셔도 됩니다.\n{{알림 끄기}}${SIGNATURE}`,
    fields: {
      이름: NAME_FIELD,
      문서: { sample: "이용약관", required: true },
      시행일: { sample: "2026년 12월 1일", required: true },
      주소: { sample: "/Account/Agreements/terms", required: true },
      "동의 안내": { sample: "시행일 뒤에 처음 로그인하실 때 새 내용에 동의하시는지 여쭙습니다." },
      "알림 끄기": UNSUBSCRIBE_FIELD,
    },
  },
  confirmRequest: {
    name: "정보 확인 요청",
    when: "{동문주소록}의 정보가 맞는지 물을 때",
    channel: "email",
    subject: "[{{사이트}}] {{이름}}님의 {동문주소록} 정보가 맞습니까?",
    text: `{{이름}}님, 안녕하십니까.\n\n{동문주소록}에 실린 정보가 지금도 맞는지 여쭙니다. 아래 주소를 열어 한 번만 눌러 주시면 됩니다. 로그인하지 않으셔도 됩니다.\n\n{{주소}}\n\n달라진 것이 있으면 그 화면에서 고치실 수 있습니다. {{기한}}까지 답하실 수 있으며, 주소는 다른 사람에게 알려 주지 마십시오.${SIGNATURE}`,
    fields: { 이름: NAME_FIELD, 주소: CONFIRM_FIELD, 기한: DUE_FIELD },
  },
  confirmReminder: {
    name: "정보 확인 다시 알림",
    when: "정보 확인 요청에 답하지 않은 사람에게 두 번까지",
    channel: "email",
    subject: "[{{사이트}}] {{이름}}님의 {동문주소록} 정보를 아직 확인하지 않으셨습니다",
    text: `{{이름}}님, 안녕하십니까.\n\n{동문주소록}에 실린 정보가 맞는지 아직 답을 받지 못하여 다시 여쭙니다. 아래 주소를 열어 한 번만 눌러 주시면 됩니다. 로그인하지 않으셔도 됩니다.\n\n{{주소}}\n\n{{기한}}까지 답하실 수 있으며, 주소는 다른 사람에게 알려 주지 마십시오.${SIGNATURE}`,
    fields: { 이름: NAME_FIELD, 주소: CONFIRM_FIELD, 기한: DUE_FIELD },
  },
  representative: {
    name: "기수 대표 안내",
    when: "회원을 기수 대표로 정하였을 때 그 회원에게",
    channel: "email",
    subject: "[{{사이트}}] {{기수}}기 대표로 정해지셨습니다",
    text: `{{이름}}님께서 {{기수}}기 대표로 정해지셨습니다. {{기한}}까지 같은 기수 {동문}의 목록을 보고, 달라진 연락처를 사무국에 알려 주실 수 있습니다.\n\n로그인한 뒤 아래 주소를 열어 주십시오.\n{{주소}}\n\n다른 {동문}의 정보는 이 일에만 쓰고, 다른 사람에게 알려 주지 마십시오.${SIGNATURE}`,
    fields: {
      이름: NAME_FIELD,
      기수: { sample: "12", required: true },
      기한: { sample: "2027년 3월 31일" },
      주소: { sample: "/Cohort", required: true },
    },
  },
  alumniCorrected: {
    name: "주소록 수정 알림",
    when: "기수 대표가 알려 온 내용을 사무국이 주소록에 반영하였을 때 그 사람에게",
    channel: "email",
    subject: "[{{사이트}}] {동문주소록}의 {{이름}}님 정보를 고쳤습니다",
    text: `{{이름}}님, 안녕하십니까.\n\n같은 기수의 대표가 알려 온 내용에 따라 {동문주소록}의 정보를 고쳤습니다.\n고친 항목: {{항목}}\n\n사실과 다르면 사무국에 알려 주십시오. 바로잡아 드립니다.${SIGNATURE}`,
    fields: { 이름: NAME_FIELD, 항목: { sample: "소속, 이메일", required: true } },
  },
} as const satisfies Record<string, MailTemplateDefault>;

export type MailTemplateKind = keyof typeof MAIL_TEMPLATES;

export const MAIL_TEMPLATE_KINDS = valuesOf(MAIL_TEMPLATES);

export function defaultTemplateText(kind: MailTemplateKind, words: OwnWords): MailTemplateText {
  const { subject, text } = MAIL_TEMPLATES[kind];
  return { subject: fillWords(words, subject), text: fillWords(words, text) };
}

export type MailTemplateValues<K extends MailTemplateKind> = Readonly<
  Record<keyof (typeof MAIL_TEMPLATES)[K]["fields"], string>
>;

export interface MailTemplateText {
  subject: string;
  text: string;
}

export const SITE_NAME_FIELD = "사이트";
export const SITE_LINK_FIELD = "사이트 주소";

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

export const placeholdersOf = (template: string) =>
  [...template.matchAll(PLACEHOLDER)].map((match) => match[1]?.trim() ?? "");

/** Single pass: placeholders within values are not filled in. */
export function renderTemplate(template: MailTemplateText, values: Readonly<Record<string, string>>): MailTemplateText {
  const fill = (text: string) =>
    text.replace(PLACEHOLDER, (whole, name: string) => ownValue(values, name.trim()) ?? whole);
  return { subject: fill(template.subject).replace(/\s+/g, " ").trim(), text: fill(template.text) };
}

export function mailTemplateProblems(
  fields: Readonly<Record<string, Field>>,
  template: MailTemplateText,
): Record<string, string> {
  const known = [...Object.keys(fields), SITE_NAME_FIELD, SITE_LINK_FIELD];
  const problems: Record<string, string> = {};
  for (const part of ["subject", "text"] as const) {
    const unknown = placeholdersOf(template[part]).find((name) => !known.includes(name));
    if (unknown !== undefined)
      problems[part] =
        `이 메일에 없는 항목입니다: {{${unknown}}}. 쓸 수 있는 항목: ${known.map((name) => `{{${name}}}`).join(", ")}`;
    else if (/\{\{|\}\}/.test(template[part].replace(PLACEHOLDER, "")))
      problems[part] = "항목의 괄호가 맞지 않습니다. {{이름}}처럼 두 겹으로 열고 닫아 주십시오.";
  }
  const missing = Object.keys(fields).find(
    (name) => fields[name]?.required && !placeholdersOf(template.text).includes(name),
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

const KEPT_MARK = "\u{E000}";
const TEXT_MARK = "\u{E001}";
const STANDS_FREE = /^[^./\\@?&=#%\u{E000}\u{E001}]*\u{E000}(?![.:-]*\w)[^\\@\u{E000}\u{E001}]*$/u;
/** The worst value of a text placeholder: next to a dot it forms an address. */
const WORST_TEXT = "kr";

/** Finds foreign addresses, and placeholders that could form one, by form field. */
function templateAddressProblems(
  kind: MailTemplateKind,
  template: MailTemplateText,
  origin: string,
): Record<string, string> {
  const fields: Readonly<Record<string, Field>> = MAIL_TEMPLATES[kind].fields;
  const valueOf = (name: string) => {
    const field = fields[name];
    if (name === SITE_LINK_FIELD) return origin;
    if (field?.isCode) return "123456";
    return field && isLink(field) ? origin + field.sample : WORST_TEXT;
  };
  const isKept = (name: string) => valueOf(name) !== WORST_TEXT;
  const problems: Record<string, string> = {};
  for (const part of ["subject", "text"] as const) {
    const written = template[part].replace(PLACEHOLDER, (_, name: string) => valueOf(name.trim()));
    const foreign = addressesIn(written, origin).find(({ isOwn }) => !isOwn);
    if (foreign) {
      problems[part] =
        `이 사이트의 주소만 쓸 수 있습니다: ${foreign.address}. 이 사이트의 화면은 {{${SITE_LINK_FIELD}}} 뒤에 경로를 붙여 적어 주십시오.`;
      continue;
    }
    const marked = template[part].replace(PLACEHOLDER, (_, name: string) =>
      isKept(name.trim()) ? KEPT_MARK : TEXT_MARK,
    );
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
