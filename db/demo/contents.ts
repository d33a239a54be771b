import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../client.ts";
import { content, contentVersion } from "../schema/content.ts";
import { popup, quickLink } from "../schema/site.ts";
import { demoCenters } from "./centers.ts";
import { englishCenter } from "./centers-english.ts";
import { centerPicture, PROPOSAL_FORM_ID } from "./page-files.ts";
import { demoPages, demoPrivacyPolicy, demoTerms, englishText } from "./texts.ts";

interface DemoContentVersion {
  value: Record<string, unknown>;
  effectiveDate: string;
  note: string;
}
const DAY_MS = 86_400_000;
const EDITOR = "관리자";

/** Rebuilds an older text by undoing the newer one's additions. */
function replaceTexts(text: string, changes: readonly (readonly [now: string, then: string])[]): string {
  return changes.reduce((before, [now, then]) => {
    if (!before.includes(now)) throw new Error(`The demo's older text has no place for: ${now}`);
    return before.replace(now, () => then);
  }, text);
}

const OLD_TERMS = replaceTexts(demoTerms, [
  ["동문주소록, 권역센터 안내, 외부 증례등록 서비스 연결 등 모든 기능", "권역센터 안내 등 모든 기능"],
  ["<li>회원가입 과정에서는 이메일 또는 휴대전화로 본인 여부를 확인합니다.</li>\n", ""],
]);
const OLD_PRIVACY = replaceTexts(demoPrivacyPolicy, [
  ["이 처리방침은 2026. 1. 2.부터 적용합니다.", "이 처리방침은 2023. 11. 20.부터 적용합니다."],
  ["<li>소식지 발송: 수신에 동의하신 회원에 대한 소식지와 행사 안내 발송</li>\n", ""],
  ["<tr><td>주소록 내려받기 파일</td><td>24시간</td><td>기간이 지나면 자동 삭제</td></tr>\n", ""],
]);

const legalVersions = (code: string, title: string, then: string, now: string): DemoContentVersion[] => [
  { value: { title, content: then }, effectiveDate: "2023-11-20", note: "제정" },
  {
    value: { title, content: now, ...englishText(code) },
    effectiveDate: "2026-01-02",
    note: "동문주소록과 소식지에 관한 내용을 더함",
  },
];
const singleVersion = (value: Record<string, unknown>): DemoContentVersion[] => [
  { value, effectiveDate: "2026-01-02", note: "" },
];

const CONTENTS: Record<string, DemoContentVersion[]> = {
  ...Object.fromEntries(
    Object.entries(demoPages).map(([code, value]) => [code, singleVersion({ ...value, ...englishText(code) })]),
  ),
  proposal: singleVersion({ ...demoPages.proposal, ...englishText("proposal"), fileIds: [PROPOSAL_FORM_ID] }),
  center: singleVersion({
    title: "권역센터 안내",
    content:
      "<p>전국 16개 권역센터가 진단과 치료, 환자 등록을 돕습니다. 지도나 목록에서 가까운 지역을 선택하시면 센터의 연락처와 오시는 길을 보실 수 있습니다.</p>",
    ...englishText("center"),
  }),
  banner: singleVersion({
    title: "드문 병, 함께 찾는 답",
    content:
      "<p>한국면역결핍질환연구망은 전국 16개 권역센터가 선천성 면역결핍 질환의 진단과 치료, 장기 예후를 함께 연구하는 공동 연구망입니다.</p>",
    ...englishText("banner"),
  }),
  terms: legalVersions("terms", "이용약관", OLD_TERMS, demoTerms),
  privacy: legalVersions("privacy", "개인정보 처리방침", OLD_PRIVACY, demoPrivacyPolicy),
  ...Object.fromEntries(
    demoCenters.map(({ regionCode, ...center }, at) => [
      `center.${regionCode}`,
      singleVersion({ ...center, ...centerPicture(center, at), ...englishCenter(regionCode) }),
    ]),
  ),
};

export function contentRows(db: Db, now: Date): BatchItem<"sqlite">[] {
  return [...pageRows(db, now), ...homeRows(db, now)];
}

function homeRows(db: Db, now: Date): BatchItem<"sqlite">[] {
  const links = [
    {
      label: "등록 절차",
      note: "참여하시는 방법",
      href: "/pid/registration",
      englishLabel: "How to register",
      englishNote: "For patients and families",
    },
    {
      label: "권역센터",
      note: "가까운 센터 찾기",
      href: "/pid/center",
      englishLabel: "Regional centres",
      englishNote: "Find one near you",
    },
    {
      label: "자료실",
      note: "서식과 지침",
      href: "/board/reference/List/",
      englishLabel: "Document library",
      englishNote: "Forms and guidelines",
    },
    {
      label: "연구 제안",
      note: "자료를 이용하시려면",
      href: "/research/proposal",
      englishLabel: "Research proposals",
      englishNote: "Working with our data",
    },
  ];
  return [
    ...links.map((link, at) => db.insert(quickLink).values({ ...link, id: `link-${at + 1}`, sortOrder: at + 1 })),
    db.insert(popup).values({
      id: "popup-1",
      title: "동계 심포지엄 사전등록",
      content:
        "<p>12월 11일(금)에 열리는 2026년 동계 심포지엄의 사전등록을 12월 4일(금) 18시까지 받습니다. 일정과 장소, 신청 방법은 공지사항을 확인해 주십시오.</p>",
      englishTitle: "Winter Symposium: register by 4 December",
      englishContent:
        "<p>Advance registration for the 2026 Winter Symposium on Friday 11 December closes at 18:00 on Friday 4 December. The programme, the venue and how to register are given in the news.</p>",
      linkUrl: "/board/notice/List/",
      startDate: new Date(now.getTime() - DAY_MS),
      endDate: new Date(now.getTime() + 30 * DAY_MS),
      sortOrder: 1,
      modifiedDate: now,
    }),
  ];
}

function pageRows(db: Db, now: Date): BatchItem<"sqlite">[] {
  return Object.entries(CONTENTS).flatMap(([code, versions]) => [
    db.insert(content).values({ code, status: "published", modifiedDate: now, modifiedUserName: EDITOR }),
    ...versions.map(({ value, effectiveDate, note }, at) => {
      const date = new Date(`${effectiveDate}T00:00:00+09:00`);
      return db.insert(contentVersion).values({
        code,
        versionNo: at + 1,
        value,
        effectiveDate: date,
        createdDate: date,
        createdUserName: EDITOR,
        note,
      });
    }),
  ]);
}
