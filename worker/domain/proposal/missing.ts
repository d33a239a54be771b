import { isEmail } from "#worker/contract/account/rules.ts";
import { ACCOUNT_RULE_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { checkProfile } from "#worker/contract/account/own-field.ts";
import { WIDEST_ACCOUNT_RULES } from "#worker/contract/kernel/setting/identity-rules.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import { APPLICANT_FIELDS, PROPOSAL_FIELDS } from "#worker/contract/proposal/fields.ts";
import { PROPOSAL_LIMITS, PROPOSAL_MESSAGES, proposalField } from "#worker/contract/proposal/proposal.ts";
import type { Applicant, MissingPart } from "#worker/contract/proposal/view.ts";
import type { FoundProposal } from "./proposal-row.server.ts";

const REQUIRED = ["title", "affiliation"] as const;

const ask = (name: string) => `${withParticle(name, "을/를")} 입력해 주십시오.`;

const askApplicant = (applicant: Applicant, at: number, all: readonly Applicant[]): [string, string][] => {
  const { email } = applicant;
  const empty = (["name", "email", "affiliation"] as const).filter((field) => applicant[field] === "");
  const isTwice = email !== "" && all.findIndex((other) => other.email === email) < at;
  return [
    ...empty.map((field): [string, string] => [`${field}`, ask(`공동연구자의 ${APPLICANT_FIELDS[field].label}`)]),
    ...(email !== "" && !isEmail(email, WIDEST_ACCOUNT_RULES)
      ? [["email", ACCOUNT_RULE_MESSAGES.email] as [string, string]]
      : []),
    ...(isTwice ? [["email", PROPOSAL_MESSAGES.emailTwice] as [string, string]] : []),
  ].map(([field, message]) => [`applicants.${at}.${field}`, message]);
};

/** The answers as they are stored, and what the submission still lacks, by the field's name. */
export function checkedProposal({ row, call, applicants, files }: Omit<FoundProposal, "resource">) {
  const { profile, errors } = checkProfile(call.questions.map(proposalField), row.answers, PROPOSAL_LIMITS.answer);
  const missing: Record<string, string> = {
    ...Object.fromEntries(
      REQUIRED.flatMap((field) => (row[field] === "" ? [[field, ask(PROPOSAL_FIELDS[field].label)]] : [])),
    ),
    ...Object.fromEntries(applicants.flatMap(askApplicant)),
    ...errors,
    ...Object.fromEntries(
      call.papers.flatMap(({ code, name, required }) =>
        required && !files.some(({ paper }) => paper === code)
          ? [[`papers.${code}`, `‘${name}’ 파일을 올려 주십시오.`]]
          : [],
      ),
    ),
    ...(!row.hasStatement && { hasStatement: PROPOSAL_MESSAGES.statement }),
  };
  return { answers: profile, missing };
}

/** Everything that the submission lacks, in the order of the form. */
export const missingParts = (found: Omit<FoundProposal, "resource">): MissingPart[] =>
  Object.entries(checkedProposal(found).missing).map(([field, message]) => ({ field, message }));
