import { formatCount, type ParticlePair, withParticle } from "#worker/contract/kernel/wording.ts";
import { PLACE_TO_FILL } from "#worker/contract/content/rules.ts";
import type { LegalDraftCode, RetentionSetting } from "#worker/contract/site/setup-rules.ts";
import drafts from "./legal-draft.json" with { type: "json" };

export interface LegalFacts {
  siteName: string;
  organization: string;
  address: string;
  phone: string;
  email: string;
  day: string;
  signinKey: "Id" | "Email" | "Mobile";
  signupApproval: boolean;
  profileFields: readonly { name: string; required: boolean }[];
  alumniFields: readonly string[];
  retention: readonly RetentionSetting[];
  requestDays: number;
  sendsMail: boolean;
  sendsSms: boolean;
  hasCaseReport: boolean;
}

export interface LegalDraft {
  title: string;
  content: string;
}

const KEY_FIELDS = {
  Id: ["아이디", "비밀번호", "이름", "이메일 주소"],
  Email: ["이메일 주소", "비밀번호", "이름"],
  Mobile: ["휴대전화번호", "비밀번호", "이름"],
} as const;

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function valuesOf(facts: LegalFacts): Record<string, string | boolean> {
  const names = (required: boolean) =>
    facts.profileFields.filter((field) => field.required === required).map((field) => escapeHtml(field.name));
  const kept = ({ since, days }: RetentionSetting) =>
    days === 0 ? `${since} 바로` : `${since}부터 ${formatCount(days)}일`;
  return {
    name: escapeHtml(facts.organization || facts.siteName),
    site: escapeHtml(facts.siteName),
    contact:
      [facts.address, facts.phone, facts.email].filter(Boolean).map(escapeHtml).join(", ") ||
      `${PLACE_TO_FILL} 주소, 전화, 이메일〕`,
    day: facts.day,
    requestDays: String(facts.requestDays),
    required: [...KEY_FIELDS[facts.signinKey], ...names(true)].join(", "),
    optional: names(false).join(", "),
    alumni: facts.alumniFields.map(escapeHtml).join(", "),
    retention: facts.retention.map((rule) => `<tr><td>${rule.label}</td><td>${kept(rule)}</td></tr>`).join("\n"),
    approval: facts.signupApproval,
    mail: facts.sendsMail,
    sms: facts.sendsSms,
    caseReport: facts.hasCaseReport,
  };
}

/**
 * Drafts a legal text from the site's configuration, for review. In a line, `[[alumni:…]]` is kept if the value is
 * not empty, `[[!alumni:…]]` if it is, and `{name 은/는}` is the value with its particle.
 */
export function writeLegalDraft(code: LegalDraftCode, facts: LegalFacts): LegalDraft {
  const { title, lines } = drafts[code];
  const values = valuesOf(facts);
  const written = lines.map((line) =>
    line
      .replace(/\[\[(!?)(\w+):([^[\]]*)\]\]/g, (_all, not: string, key: string, text: string) =>
        Boolean(values[key]) === (not === "") ? text : "",
      )
      .replace(/\{(\w+)(?: ([^{}]+))?\}/g, (_all, key: string, particle?: ParticlePair) =>
        particle ? withParticle(String(values[key]), particle) : String(values[key]),
      ),
  );
  return { title, content: written.filter(Boolean).join("\n") };
}
