import type { DemoItem } from "./types.ts";

/** Board `free`, newest first. */
export const demoFree: DemoItem[] = [
  {
    title: "신생아 선별검사 TREC 수치 해석, 다른 센터는 어떻게 하십니까",
    category: "질문",
    content:
      "<p>미숙아에서 TREC 수치가 경계값으로 나오는 경우가 잦습니다. 저희 센터는 교정 주수 37주에 다시 검사하고 있는데, 다른 센터의 기준이 궁금합니다.</p><p>재검 시점과 추가로 확인하시는 검사가 있으면 알려 주시기 바랍니다.</p>",
    hoursAgo: 30,
    viewCount: 46,
    writer: 3,
    comments: [
      {
        by: 7,
        content: "저희도 교정 37주에 재검합니다. 두 번째도 낮으면 림프구 아형 검사를 함께 봅니다.",
        hoursAfter: 2,
        replies: [{ by: 3, content: "답변 감사합니다. 저희도 아형 검사 시점을 앞당겨 보겠습니다." }],
      },
      { by: 12, content: "다음 워크숍에서 센터별 기준을 모아 보면 좋겠습니다.", hoursAfter: 9 },
    ],
  },
  {
    title: "레지스트리 입력 시간을 줄이는 작은 요령",
    category: "정보",
    content:
      "<p>추적 방문 자료를 입력할 때 도움이 되었던 방법을 나눕니다.</p><ol><li>방문일을 먼저 모두 만든 뒤 검사값을 채웁니다.</li><li>검사 단위가 바뀐 항목은 메모에 날짜를 적어 둡니다.</li><li>저장하기 전에 '미입력 항목 보기'를 눌러 한 번 더 확인합니다.</li></ol><p>더 좋은 방법이 있으면 댓글로 알려 주십시오.</p>",
    hoursAgo: 118,
    viewCount: 93,
    writer: 15,
    comments: [{ by: 20, content: "미입력 항목 보기 기능을 몰랐습니다. 고맙습니다.", hoursAfter: 5 }],
  },
  {
    title: "동계 심포지엄 포스터 인쇄, 함께 맡기실 분 계십니까",
    category: "이야기",
    content:
      "<p>포스터를 여러 장 함께 인쇄하면 단가가 낮아진다고 합니다. 함께 맡기실 분은 이번 주 금요일까지 댓글을 남겨 주십시오.</p>",
    hoursAgo: 260,
    viewCount: 58,
    writer: 9,
  },
];
