import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../client.ts";
import { content, contentVersion } from "../schema/content.ts";
import { popup, quickLink } from "../schema/site.ts";
import { PROPOSAL_FORM_ID } from "./page-files.ts";
import { demoCenters, demoPages, demoPrivacyPolicy, demoSite, demoTerms, englishText } from "./texts.ts";

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
    demoPages.map(({ code, ...page }) => [
      code,
      singleVersion({ ...page, ...englishText(code), ...(code === "proposal" ? { fileIds: [PROPOSAL_FORM_ID] } : {}) }),
    ]),
  ),
  terms: legalVersions("terms", "이용약관", OLD_TERMS, demoTerms),
  privacy: legalVersions("privacy", "개인정보 처리방침", OLD_PRIVACY, demoPrivacyPolicy),
  ...Object.fromEntries(
    demoCenters.map(({ regionCode, ...center }) => [`center.${regionCode}`, singleVersion(center)]),
  ),
};

export function contentRows(db: Db, now: Date): BatchItem<"sqlite">[] {
  return [...pageRows(db, now), ...homeRows(db, now)];
}

function homeRows(db: Db, now: Date): BatchItem<"sqlite">[] {
  return [
    ...demoSite.quickLinks.map((link, at) =>
      db.insert(quickLink).values({ ...link, id: `link-${at + 1}`, sortOrder: at + 1 }),
    ),
    db.insert(popup).values({
      id: "popup-1",
      ...demoSite.popup,
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
