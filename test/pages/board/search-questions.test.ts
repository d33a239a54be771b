/** @module-tag full */
import { expect } from "vitest";
import { test } from "../fixtures.ts";

type Question = [question: string, answer: string];

/** Typical inputs with particles, questions and odd spacing; with the title or address of the answer. */
const QUESTIONS: Question[] = [
  ["동계 심포지엄은 언제", "2026년 동계 심포지엄 및 정기총회 개최 안내(12. 11.)"],
  ["심포지엄이 어디에서 열리나요", "2026년 동계 심포지엄 및 정기총회 개최 안내(12. 11.)"],
  ["정기 총회 안내를", "2026년 동계 심포지엄 및 정기총회 개최 안내(12. 11.)"],
  ["서비스일시중단", "레지스트리 정기 점검에 따른 서비스 일시 중단 안내(11. 28.~29.)"],
  ["레지스트리의 점검", "레지스트리 정기 점검에 따른 서비스 일시 중단 안내(11. 28.~29.)"],
  ["연구 과제 공모는 언제", "2027년도 신규 연구과제 공모"],
  ["2027년도 과제에 신청하려면", "2027년도 신규 연구과제 공모"],
  ["데이터 품질관리 교육을 신청하려면", "[온라인] 제4차 데이터 품질관리 교육 수강 신청"],
  ["온라인교육", "[온라인] 제4차 데이터 품질관리 교육 수강 신청"],
  ["운영위원회의 결과", "제11차 운영위원회 개최 결과"],
  ["소식지 가을호", "소식지 2026년 가을호(통권 제19호) 발간"],
  ["데이터매니저 채용", "운영사무국 데이터 매니저 채용 공고"],
  ["워크숍에 참가하려면", "호남·제주권 권역센터 합동 워크숍 참가 안내"],
  ["증례 기록서 v3.2", "[중요] 증례기록서 v3.2 적용 및 기존 기록 전환 안내"],
  ["증례기록서를 전환하는 방법", "[중요] 증례기록서 v3.2 적용 및 기존 기록 전환 안내"],
  ["자문위원을 모집", "환자·보호자 교육자료 자문위원 모집"],
  ["추석연휴 휴무", "추석 연휴 운영사무국 휴무 안내"],
  ["IRB 심의 교육", "연구윤리 및 생명윤리위원회(IRB) 심의 실무 교육 안내"],
  ["안전한 비밀번호", "안전한 비밀번호 사용과 회원정보 확인을 부탁드립니다"],
  ["부산 연구간호사", "부산권역센터 연구간호사 채용"],
  ["하계증례집담회", "제5회 하계 증례 집담회 안내 및 증례 모집"],
  ["신진 연구자의 연수", "신진연구자 국내 단기 연수 지원자 모집"],
  ["유전자검사를 지원", "유전자 검사 지원사업 접수 재개"],
  ["공개 강좌는 언제 하나요", "세계 원발성 면역결핍 주간 기념 공개강좌(4. 25.)"],
  ["협력기관의 교육 일정", "신규 협력 기관 실무자 교육(1차·2차) 일정"],
  ["개인정보처리방침이 개정", "이용약관 및 개인정보 처리방침 개정 안내(2026. 1. 2. 시행)"],
  ["홈페이지 장애", "홈페이지 접속 장애 복구 완료 안내"],
  ["검체를 보낼 때 냉매", "검체 수송 용기 및 냉매 변경 안내"],
  ["사무국의 전화가 변경", "운영사무국 이전 및 대표전화 변경"],
  ["젊은연구자상", "제3회 젊은 연구자상 후보자 추천"],
  ["연구제안서의 양식", "2027년도 연구제안서 양식과 작성 예시"],
  ["이상반응보고서", "이상반응 보고서 양식(개정)"],
  ["피하 면역글로불린을 집에서", "피하 면역글로불린 가정 투여 안내서(환자·보호자용)"],
  ["동의서 표준안", "연구대상자 설명문 및 동의서 표준안(4종)"],
  ["예방접종의 지침", "선천성 면역결핍 환자의 예방접종 지침(의료진용)"],
  ["자료를 반출하려면", "등록자료의 개인정보 보호 및 반출 지침"],
  ["연차 보고서", "2025년도 연차보고서"],
  ["유세포 분석이란", "면역결핍 진단을 위한 유세포분석 입문"],
  ["등록자료이용신청서", "등록자료 이용 신청서와 변경 신청서"],
  ["만성육아종병의 감염", "[논문] 만성 육아종병 환자의 감염 양상: 연구망 첫 다기관 보고"],
  ["건강수첩", "환자·보호자 건강 수첩"],
  ["검체 수송지침을", "검체 수송 지침(2025년 개정)"],
  ["등록 진단기준", "등록 진단 기준(2024년 개정)"],
  ["서울 권역센터의 전화", "/pid/center/seoul"],
  ["부산 센터는 어디", "/pid/center/pusan"],
  ["등록 절차가 어떻게 되나요", "/pid/registration"],
  ["연구망 소개", "/pid/about"],
  ["조직 구성", "/pid/organization"],
  ["연구 제안을 하려면", "/research/proposal"],
  ["이용 약관", "/terms"],
];

/** Other spellings, English, short forms and synonyms; joined or split words. */
const OTHER_WORDS: Question[] = [
  ["심포지움 안내", "2026년 동계 심포지엄 및 정기총회 개최 안내(12. 11.)"],
  ["symposium", "2026년 동계 심포지엄 및 정기총회 개최 안내(12. 11.)"],
  ["워크샵 참가", "호남·제주권 권역센터 합동 워크숍 참가 안내"],
  ["workshop", "호남·제주권 권역센터 합동 워크숍 참가 안내"],
  ["CRF 전환", "[중요] 증례기록서 v3.2 적용 및 기존 기록 전환 안내"],
  ["crf를 전환", "[중요] 증례기록서 v3.2 적용 및 기존 기록 전환 안내"],
  ["증례 기록서 전환", "[중요] 증례기록서 v3.2 적용 및 기존 기록 전환 안내"],
  ["환자등록시스템 점검", "레지스트리 정기 점검에 따른 서비스 일시 중단 안내(11. 28.~29.)"],
  ["환자 등록 시스템 점검", "레지스트리 정기 점검에 따른 서비스 일시 중단 안내(11. 28.~29.)"],
  ["registry 점검", "레지스트리 정기 점검에 따른 서비스 일시 중단 안내(11. 28.~29.)"],
  ["뉴스레터 가을호", "소식지 2026년 가을호(통권 제19호) 발간"],
  ["누리집 접속 장애", "홈페이지 접속 장애 복구 완료 안내"],
  ["연구윤리", "연구윤리 및 생명윤리위원회(IRB) 심의 실무 교육 안내"],
  ["연구 윤리", "연구윤리 및 생명윤리위원회(IRB) 심의 실무 교육 안내"],
  ["생명 윤리 위원회 심의", "연구윤리 및 생명윤리위원회(IRB) 심의 실무 교육 안내"],
  ["기관생명윤리위원회 실무교육", "연구윤리 및 생명윤리위원회(IRB) 심의 실무 교육 안내"],
  ["유세포분석 입문", "면역결핍 진단을 위한 유세포분석 입문"],
  ["유전자검사지원사업", "유전자 검사 지원사업 접수 재개"],
  ["이용 약관", "/terms"],
  ["이용약관", "/terms"],
];

function firstHits(html: string): string[] {
  const pages = /aria-labelledby="page-hits"[\s\S]*?<\/section>/.exec(html)?.[0] ?? "";
  const rest = html.slice(html.indexOf('id="main"')).replace(pages, "");
  const plain = (text: string) =>
    text
      .replace(/<[^>]*>/g, "")
      .replaceAll("&amp;", "&")
      .trim();
  const items = [...rest.matchAll(/<a [^>]*href="\/board\/[a-z]+\/View\/\d+[^"]*"[^>]*>([\s\S]*?)<\/a>/g)];
  return [
    ...[...pages.matchAll(/href="([^"]+)"/g)].map((found) => found[1] ?? ""),
    ...items.map((found) => plain(found[1] ?? "")),
  ].slice(0, 10);
}

test.for([
  { kind: "typed", questions: QUESTIONS, count: 50 },
  { kind: "reworded", questions: OTHER_WORDS, count: 20 },
])(
  "at least 95 of 100 $kind questions find their answer in the first ten hits",
  async ({ questions, count }, { db, get }) => {
    expect(questions).toHaveLength(count);
    const missed: string[] = [];
    for (const [question, answer] of questions) {
      await db.exec("DELETE FROM rate_limit");
      const { text } = await get(`/search?keyword=${encodeURIComponent(question)}`);
      const hits = firstHits(text);
      if (!hits.some((hit) => hit === answer))
        missed.push(`${question} → ${hits.slice(0, 3).join(" | ") || "nothing"}`);
    }
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(questions.length * 0.05);
  },
);
