export const KOREAN_CALENDAR_TEXTS = {
  title: "일정",
  titleOf: (year: number, month: number) => `일정 (${year}년 ${month}월)`,
  description: "행사와 교육, 모집 마감을 한눈에 보실 수 있습니다.",
  month: (year: number, month: number) => `${year}년 ${month}월`,
  eventsOf: (month: string) => `${month} 일정`,
  boards: "게시판",
  all: "전체",
  months: "달 이동",
  before: (month: string) => `이전 달, ${month}`,
  after: (month: string) => `다음 달, ${month}`,
  thisMonth: "이번 달",
  weekdayEnd: "요일",
  dayOf: (weekday: string) => `일 ${weekday}요일`,
  none: "이 달에는 일정이 없습니다.",
  coming: "다가오는 일정",
  noneComing: "예정된 일정이 없습니다.",
  subscribe: "내 달력 앱에서 보기",
  subscribeHow: "아래 주소를 달력 앱의 ‘구독’이나 ‘URL로 추가’에 넣으시면 새 일정과 바뀐 일정이 저절로 반영됩니다.",
  feedOf: (board: string) => `${board} 일정 구독`,
};

export type CalendarTexts = typeof KOREAN_CALENDAR_TEXTS;
