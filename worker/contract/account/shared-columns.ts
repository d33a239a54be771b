import { lookUp, valuesOf } from "../kernel/labels.ts";

/** Words for columns of the address book that a sign-up field shares, compared without spaces and case. */
export const SHARED_COLUMN_WORDS = {
  major: "전공 학과 학부 전공과목 전공분야 전공학과 세부전공 전공명 학과명 학과전공 전공학과명 major",
  affiliation:
    "소속 직장 직장명 근무처 근무처명 근무지 근무기관 근무병원 회사 회사명 병원 병원명 기관 기관명 소속처 소속기관 소속기관명 소속병원 소속명 소속회사 재직처 재직기관 직장기관명 직장병원 병의원명 의료기관 의료기관명 학교 대학 대학명 업체명 단체명 affiliation organization organisation company hospital institution workplace office",
  department:
    "부서 부서명 부서과 소속부서 근무부서 소속과 소속학과 진료과 과 과명 진료과목 담당부서 팀 팀명 부서팀 department dept division",
  position: "직위 직책 직급 직함 직위직책 직책직위 직급직책 직위직급 보직 직명 호칭 position title jobtitle rank",
} as const;

type SharedColumn = keyof typeof SHARED_COLUMN_WORDS;

/** Column by code or word. */
export const SHARED_COLUMNS: Readonly<Record<string, SharedColumn>> = Object.fromEntries(
  valuesOf(SHARED_COLUMN_WORDS).flatMap((column) =>
    [column, ...SHARED_COLUMN_WORDS[column].split(" ")].map((word) => [word, column] as const),
  ),
);

export const sharedColumn = ({ code, name }: { code: string; name: string }): SharedColumn | undefined =>
  lookUp(SHARED_COLUMNS, code) ?? lookUp(SHARED_COLUMNS, name.replaceAll(" ", "").toLowerCase());
