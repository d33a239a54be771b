import type { ProductWord } from "../kernel/product-words.ts";

/** What each word of the product stands for, beside where it is changed. */
export const PRODUCT_WORD_HINTS: Record<ProductWord, string> = {
  연구망: "모임 전체를 부르는 말입니다. 예: 연구망, 학회, 동문회",
  동문: "주소록에 있는 사람입니다. 예: 동문, 졸업생, 회원",
  동문주소록: "주소록의 이름입니다. 예: 동문주소록, 졸업생 명부",
  권역센터: "지역마다 있는 곳을 모두 부르는 말입니다. 예: 권역센터, 지부",
  센터: "지역 한 곳을 부르는 말입니다. 예: 센터, 지부",
  환자: "연계 서비스가 세는 사람입니다. 예: 환자, 참여자",
  증례등록: "밖에 있는 연계 서비스의 이름입니다. 예: 증례등록, 성적 조회",
};
