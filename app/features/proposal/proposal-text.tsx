import type { ReactNode } from "react";
import { DescriptionList } from "#app/features/account/mypage/mypage-section.tsx";
import { AttachmentList } from "#app/features/file/attachment-list.tsx";
import { labelled, type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { Badge, Time } from "#app/ui/inline.tsx";
import { LinkedText } from "#app/ui/linked-text.tsx";
import { ownFieldValueText } from "#worker/contract/account/own-field.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import type { Applicant, ProposalEventRow, ProposalText } from "#worker/contract/proposal/view.ts";

const Lines = ({ children }: { children: string }) => (
  <span className="whitespace-pre-line">
    <LinkedText>{children}</LinkedText>
  </span>
);

export const applicantText = ({ name, affiliation, email }: Partial<Applicant>) =>
  [name, affiliation, email].filter(Boolean).join(" · ");

interface ProposalTextPartProps {
  text: ProposalText;
  /** Fields changed since the office returned it, as errors name them. */
  changed?: readonly string[];
}

/** The text of the proposer, with its papers. */
export function ProposalTextPart({ text, changed = [] }: ProposalTextPartProps) {
  const { title, englishTitle, userName, affiliation, applicants, questions, answers, papers, files } = text;
  const isChanged = (field: string) => changed.some((each) => each === field || each.startsWith(`${field}.`));
  const item = (field: string, name: string, value: ReactNode) =>
    [
      name,
      <span key={field}>
        {isChanged(field) && (
          <Badge tone="warning" className="mr-2">
            고침
          </Badge>
        )}
        <span>{value || "-"}</span>
      </span>,
    ] as const;
  const order = new Map(papers.map(({ code }, at) => [code, at]));
  const placeOf = ({ paper }: { paper: string }) => order.get(paper) ?? papers.length;
  return (
    <div className="grid gap-6">
      <DescriptionList
        items={[
          item("title", "연구 제목", title),
          item("englishTitle", "영문 제목", englishTitle && <span lang="en">{englishTitle}</span>),
          item("affiliation", "연구책임자", applicantText({ name: userName, affiliation })),
          item(
            "applicants",
            "공동연구자",
            applicants.length > 0 && (
              <span className="grid gap-1">
                {applicants.map((each, at) => (
                  <span key={`${each.email} ${at + 1}`}>{applicantText(each)}</span>
                ))}
              </span>
            ),
          ),
          ...questions.map(({ code, name }) => {
            const answer = ownFieldValueText(lookUp(answers, code));
            return item(`profile.${code}`, name, answer && <Lines>{answer}</Lines>);
          }),
        ]}
      />
      <AttachmentList
        files={files.toSorted((one, other) => placeOf(one) - placeOf(other))}
        canDownload
        noteOf={({ fileId }) => {
          const paper = papers.find(({ code }) => files.some((file) => file.fileId === fileId && file.paper === code));
          return paper && (isChanged(`papers.${paper.code}`) ? `${paper.name} (고침)` : paper.name);
        }}
      />
    </div>
  );
}

const HISTORY_COLUMNS: ListColumn<ProposalEventRow>[] = [
  {
    head: "때",
    className: "text-sm whitespace-nowrap",
    renderCell: ({ date }) => <Time date={date} format="datetime" />,
  },
  { head: "한 일", className: "max-md:font-semibold", renderCell: ({ label }) => label },
  { head: "사유", renderCell: ({ reason }) => reason && <Lines>{reason}</Lines> },
];

const WHO: ListColumn<ProposalEventRow> = labelled("누가", ({ who }) => who, "whitespace-nowrap");

/** Everything that was done to the proposal; applicants do not see by whom. */
export const ProposalHistory = ({ rows }: { rows: readonly ProposalEventRow[] }) => (
  <ListTable
    caption="진행 기록 표"
    columns={rows.some(({ who }) => who !== "") ? [...HISTORY_COLUMNS, WHO] : HISTORY_COLUMNS}
    rows={rows}
    keyOf={({ date, command }) => `${date} ${command}`}
    emptyText="진행 기록이 없습니다."
  />
);
