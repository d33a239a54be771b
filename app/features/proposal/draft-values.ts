import { applicantText } from "#app/features/proposal/proposal-text.tsx";
import { ownFieldValueText } from "#worker/contract/account/own-field.ts";
import type { StoredFile } from "#worker/contract/file/view.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import type { ProposalDraft } from "#worker/contract/proposal/view.ts";

/** The text, with the version that it was based on. */
export interface DraftValues extends Pick<
  ProposalDraft,
  "title" | "englishTitle" | "affiliation" | "answers" | "applicants" | "hasStatement" | "version"
> {
  files: (StoredFile & { paper: string })[];
}

export const valuesOf = (draft: ProposalDraft): DraftValues => ({
  title: draft.title,
  englishTitle: draft.englishTitle,
  affiliation: draft.affiliation,
  answers: draft.answers,
  applicants: draft.applicants,
  hasStatement: draft.hasStatement,
  version: draft.version,
  files: draft.files.map(({ paper, fileId, fileName, size }) => ({ paper, fileId, fileName, size })),
});

/** As a call takes it. */
export const sentValues = ({ files, ...values }: DraftValues) => ({
  ...values,
  files: files.map(({ paper, fileId }) => ({ paper, fileId })),
});

/** Equal for the same text, whatever the version. */
export function snapshotOf(values: DraftValues): string {
  const { version: _version, answers, ...sent } = sentValues(values);
  const given = Object.entries(answers).filter(([, answer]) => answer !== "" && answer !== false);
  return JSON.stringify({ ...sent, answers: given.toSorted(([one], [other]) => (one < other ? -1 : 1)) });
}

/** By the labels of the form, for a comparison. */
export function describeValues({ questions, papers }: ProposalDraft, values: DraftValues): Record<string, string> {
  const { title, englishTitle, affiliation, answers, applicants, files, hasStatement } = values;
  const answered = questions.map(({ code, name }) => [name, ownFieldValueText(lookUp(answers, code))]);
  const given = papers.map(({ code, name }) => [
    name,
    files
      .filter(({ paper }) => paper === code)
      .map(({ fileName }) => fileName)
      .join("\n"),
  ]);
  return {
    "연구 제목": title,
    "영문 제목": englishTitle,
    "연구책임자 소속": affiliation,
    공동연구자: applicants.map(applicantText).join("\n"),
    ...Object.fromEntries([...answered, ...given]),
    "이해상충 서약": hasStatement ? "서약함" : "서약하지 않음",
  };
}
