import { z } from "zod";
import { profileFieldCode } from "../account/setting-input.ts";
import { valuesOf } from "../kernel/labels.ts";
import {
  flagField,
  idField,
  optionalParameter,
  pageFields,
  reasonField,
  requiredLineField,
  requiredTextField,
  textField,
  versionField,
} from "../kernel/fields.ts";
import { fieldShape, filterShape } from "../kernel/row-input.ts";
import {
  APPLICANT_FIELDS,
  CALL_FIELDS,
  CHECK_FIELDS,
  CRITERION_FIELDS,
  PAPER_FIELDS,
  PROPOSAL_FIELDS,
  PROPOSAL_FILTERS,
  PROPOSAL_QUESTION_FIELDS,
} from "./fields.ts";
import { DECISION_LABELS, PROPOSAL_LIMITS, PROPOSAL_MESSAGES } from "./proposal.ts";

/** A new part has no code. */
const parts = <S extends z.ZodRawShape>(shape: S, max: number) =>
  z
    .array(z.object({ code: profileFieldCode.optional(), ...shape }))
    .max(max)
    .default([]);

const callShape = {
  ...fieldShape(CALL_FIELDS),
  text: textField(PROPOSAL_LIMITS.callText).default(""),
  criteria: parts(fieldShape(CRITERION_FIELDS), PROPOSAL_LIMITS.criteria),
  papers: parts(fieldShape(PAPER_FIELDS), PROPOSAL_LIMITS.papers),
  checks: parts(fieldShape(CHECK_FIELDS), PROPOSAL_LIMITS.checks),
  questions: parts(fieldShape(PROPOSAL_QUESTION_FIELDS), PROPOSAL_LIMITS.questions),
};

interface CallRules {
  kind: string;
  openDate: Date;
  closeDate: Date | null;
  approveFrom: number;
  secondFrom: number;
  criteria: { points: number }[];
  questions: { inputType: string; detail: string[] }[];
}

/** Errors of a call, by field. */
function callProblems(call: CallRules): Record<string, string> {
  const chosen = call.questions.findIndex(
    ({ inputType, detail }) => ["select", "radio"].includes(inputType) && detail.length === 0,
  );
  return {
    ...(call.kind === "project" && !call.closeDate && { closeDate: "접수 마감을 입력해 주십시오." }),
    ...(call.closeDate && call.closeDate <= call.openDate && { closeDate: PROPOSAL_MESSAGES.callTimes }),
    ...(call.secondFrom > call.approveFrom && { secondFrom: PROPOSAL_MESSAGES.thresholds }),
    ...(call.criteria.reduce((sum, { points }) => sum + points, 0) !== PROPOSAL_LIMITS.points && {
      criteria: PROPOSAL_MESSAGES.totalPoints,
    }),
    ...(chosen >= 0 && { [`questions.${chosen}.detail`]: "고를 수 있는 항목을 한 줄에 하나씩 입력해 주십시오." }),
  };
}

const inOrder = <S extends z.ZodRawShape>(shape: S) =>
  z.object(shape).transform((value, issues) => {
    const call = value as unknown as CallRules;
    for (const [field, message] of Object.entries(callProblems(call)))
      issues.addIssue({ code: "custom", path: field.split("."), message });
    return { ...value, closeDate: call.kind === "anytime" ? null : call.closeDate };
  });

export const createCallInput = inOrder(callShape);

export const updateCallInput = inOrder({ ...callShape, version: versionField });

export const startProposalInput = z.object({ callId: idField });

/** Everything may be missing or wrong; the submission checks. */
export const saveProposalInput = z.object({
  ...fieldShape(PROPOSAL_FIELDS),
  answers: z
    .record(
      profileFieldCode,
      z.union([
        textField(PROPOSAL_LIMITS.answer),
        z.boolean(),
        z.array(requiredLineField(PROPOSAL_LIMITS.name)).max(50),
      ]),
    )
    .refine((answers) => Object.keys(answers).length <= PROPOSAL_LIMITS.questions * 2)
    .default({}),
  /** Co-applicants, all of them. */
  applicants: z
    .array(z.object(fieldShape(APPLICANT_FIELDS)))
    .max(PROPOSAL_LIMITS.applicants)
    .default([]),
  /** All of them. */
  files: z
    .array(z.object({ paper: profileFieldCode, fileId: idField }))
    .max(PROPOSAL_LIMITS.files)
    .refine((files) => new Set(files.map(({ fileId }) => fileId)).size === files.length)
    .default([]),
  /** Of no conflict of interest. */
  hasStatement: flagField.default(false),
  version: versionField,
});

/** `callVersion` is that of the form which the person saw. */
export const submitProposalInput = z.object({ version: versionField, callVersion: versionField });

export const withdrawProposalInput = z.object({ version: versionField });

const checked = z.array(profileFieldCode).max(PROPOSAL_LIMITS.checks).default([]);

export const checkProposalInput = z.object({ checked, version: versionField });

const longReason = requiredTextField(PROPOSAL_LIMITS.reason);

export const returnProposalInput = z.object({ reason: longReason, version: versionField });

export const startReviewInput = z.object({ version: versionField });

/** A sign-in key: ID, e-mail or mobile number. */
export const nameReviewerInput = z.object({ who: requiredLineField(PROPOSAL_LIMITS.who) });

export const reviewerPath = z.object({ id: idField, reviewId: idField });

export const decideProposalInput = z.object({
  decision: z.enum(valuesOf(DECISION_LABELS)),
  reason: longReason,
  version: versionField,
});

export const answerReviewInput = z.object({ version: versionField });

export const recuseReviewInput = z.object({ reason: reasonField, version: versionField });

export const scoreReviewInput = z.object({
  scores: z.record(profileFieldCode, z.number().int().min(0).max(PROPOSAL_LIMITS.points)).default({}),
  opinion: textField(PROPOSAL_LIMITS.opinion).default(""),
  version: versionField,
});

export const listProposalsQuery = z.object({
  ...filterShape(PROPOSAL_FILTERS),
  callId: optionalParameter(idField),
  ...pageFields(20),
});

export const listProjectsQuery = z.object({ ...pageFields(20) });
