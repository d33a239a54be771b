import { DAY_MS, HOUR_MS } from "#worker/contract/kernel/limits.ts";
import { koreanDay, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { type ProposalStatus, type ReviewStatus, workingDay } from "#worker/contract/proposal/proposal.ts";
import type { Db } from "../client.ts";
import { proposal, proposalCall, proposalEvent, proposalReview } from "../schema/proposal.ts";

const MINUTE_MS = 60_000;

/** Those of the page on proposals. */
const CRITERIA = [
  {
    code: "c1",
    name: "필요성과 독창성",
    detail: "환자에게 도움이 되는가, 진행 중인 연구와 겹치지 않는가",
    points: 30,
  },
  { code: "c2", name: "연구 방법", detail: "대상자 수와 분석 방법이 적절한가", points: 30 },
  { code: "c3", name: "실행 가능성", detail: "연구진의 경험과 일정, 자원이 충분한가", points: 20 },
  { code: "c4", name: "윤리와 개인정보", detail: "꼭 필요한 자료만 요청하였는가, 보호 대책이 있는가", points: 20 },
];

const QUESTIONS = [
  { code: "q1", name: "연구 배경과 목적", inputType: "textarea" as const, detail: [], required: true, hidden: false },
  { code: "q2", name: "연구 방법", inputType: "textarea" as const, detail: [], required: true, hidden: false },
  { code: "q3", name: "연구비 출처", inputType: "text" as const, detail: [], required: false, hidden: true },
];

interface DemoProposal {
  /** Number of the lead among the members. */
  lead: number;
  title: string;
  status: ProposalStatus;
  isOld?: true;
  /** Numbers and states of the reviewers, with their points. */
  reviews?: [member: number, status: ReviewStatus, scores?: [number, number, number, number]][];
  reason?: string;
}

const PROPOSALS: DemoProposal[] = [
  {
    lead: 12,
    title: "중증 면역결핍 환아의 장기 예후",
    status: "approved",
    isOld: true,
    reviews: [
      [3, "submitted", [26, 27, 17, 18]],
      [4, "submitted", [25, 24, 16, 17]],
      [5, "submitted", [28, 26, 18, 18]],
    ],
    reason: "연구 질문이 뚜렷하고 자료로 답할 수 있습니다.",
  },
  {
    lead: 13,
    title: "면역글로불린 투여 간격과 감염의 관계",
    status: "refused",
    isOld: true,
    reviews: [
      [6, "submitted", [15, 14, 10, 10]],
      [8, "submitted", [17, 15, 11, 9]],
    ],
    reason: "요청하신 변수를 등록자료에서 모으지 않습니다.",
  },
  {
    lead: 14,
    title: "유전자 검사 시점에 따른 진단 지연",
    status: "second",
    isOld: true,
    reviews: [
      [5, "submitted", [20, 19, 13, 12]],
      [9, "submitted", [19, 20, 12, 13]],
    ],
    reason: "표본 수의 근거를 보완해 주십시오.",
  },
  { lead: 1, title: "성인기 이행 진료의 현황", status: "draft" },
  { lead: 15, title: "예방접종 뒤 항체 반응", status: "submitted" },
  {
    lead: 16,
    title: "만성 설사를 보인 환자의 장 병변",
    status: "returned",
    reason: "생명윤리위원회 신청서를 붙여 주십시오.",
  },
  {
    lead: 17,
    title: "호중구감소증 환자의 예방적 항생제",
    status: "review",
    reviews: [
      [2, "submitted", [27, 25, 17, 16]],
      [3, "accepted"],
      [4, "asked"],
    ],
  },
  {
    lead: 18,
    title: "보체 결핍 가족의 선별검사",
    status: "review",
    reviews: [
      [6, "accepted"],
      [7, "recused"],
      [8, "submitted", [22, 24, 15, 15]],
    ],
  },
  { lead: 19, title: "환자 보고 삶의 질 설문", status: "withdrawn" },
];

const STEPS: Partial<
  Record<ProposalStatus, ("submit" | "return" | "startReview" | "approve" | "second" | "refuse" | "withdraw")[]>
> = {
  submitted: ["submit"],
  returned: ["submit", "return"],
  review: ["submit", "startReview"],
  second: ["submit", "startReview", "second"],
  approved: ["submit", "startReview", "approve"],
  refused: ["submit", "startReview", "refuse"],
  withdrawn: ["submit", "withdraw"],
};

/** Two calls, one open and one decided, with a proposal in each state. @param members in the order of their numbers */
export function proposalRows(
  db: Db,
  now: Date,
  admin: { id: string },
  members: readonly { id: string; affiliation: string }[],
) {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const midnight = (days: number) => startOfKoreanDay(koreanDay(ago(days)));
  const call = (title: string, open: number, close: number) => ({
    id: crypto.randomUUID(),
    title,
    kind: "project" as const,
    text: "등록자료를 쓰는 연구를 받습니다. 제안서에는 환자의 정보를 적지 않습니다.",
    openDate: midnight(open),
    // The last minute of its day.
    closeDate: new Date(midnight(close - 1).getTime() - MINUTE_MS),
    approveFrom: 70,
    secondFrom: 60,
    hidesReviewers: true,
    checkDays: 5,
    reviewDays: 20,
    criteria: CRITERIA,
    papers: [{ code: "p1", name: "연구계획서", required: false }],
    checks: [
      { code: "k1", name: "연구계획서가 15쪽을 넘지 않음" },
      { code: "k2", name: "연구책임자가 회원임" },
    ],
    questions: QUESTIONS,
    createdDate: ago(open),
    modifiedDate: ago(open),
  });
  const [old, open] = [call("지난 정기 공모", 180, 120), call("정기 공모", 30, -30)];
  let serial = 0;
  return [
    ...[old, open].map((row) => db.insert(proposalCall).values(row)),
    ...PROPOSALS.flatMap(({ lead, title, status, isOld, reviews = [], reason = "" }, at) => {
      const id = crypto.randomUUID();
      const person = members[lead - 1];
      if (!person) return [];
      const steps = STEPS[status] ?? [];
      const submitted = ago(isOld ? 130 - at : 20 - at);
      const stepDate = (step: number) => new Date(submitted.getTime() + step * (isOld ? 20 * DAY_MS : 30 * HOUR_MS));
      const isDecided = isOld === true;
      const isOpen = status === "submitted" || status === "review";
      return [
        db.insert(proposal).values({
          id,
          callId: isOld ? old.id : open.id,
          userId: person.id,
          number:
            status === "draft" ? "" : `${koreanDay(submitted).slice(0, 4)}-${String((serial += 1)).padStart(3, "0")}`,
          title,
          affiliation: person.affiliation,
          status,
          answers: { q1: `${title}에 관하여 알려진 것이 적습니다.`, q2: "등록자료를 뒤돌아보아 분석합니다." },
          hasStatement: status !== "draft",
          reason,
          submittedDate: status === "draft" ? null : submitted,
          dueDay: isOpen ? workingDay(koreanDay(stepDate(steps.length - 1)), status === "review" ? 20 : 5) : "",
          decidedDate: isDecided ? stepDate(2) : null,
          deciderId: isDecided ? admin.id : "",
          createdDate: ago(isOld ? 140 : 25),
          modifiedDate: ago(isOld ? 90 : 1),
        }),
        ...reviews.map(([member, reviewStatus, scores]) =>
          db.insert(proposalReview).values({
            id: crypto.randomUUID(),
            proposalId: id,
            userId: members[member - 1]?.id ?? admin.id,
            round: 1,
            status: reviewStatus,
            reason: reviewStatus === "recused" ? "같은 과제를 함께 하고 있습니다." : "",
            scores: scores ? Object.fromEntries(scores.map((points, index) => [`c${index + 1}`, points])) : {},
            opinion: scores ? "목적이 뚜렷합니다. 통계 방법을 조금 더 적어 주십시오." : "",
            createdDate: stepDate(1),
            modifiedDate: stepDate(1),
          }),
        ),
        ...steps.map((command, step) =>
          db.insert(proposalEvent).values({
            id: crypto.randomUUID(),
            proposalId: id,
            userId: command === "submit" || command === "withdraw" ? person.id : admin.id,
            command,
            reason: step === steps.length - 1 ? reason : "",
            createdDate: stepDate(step),
          }),
        ),
      ];
    }),
  ];
}
