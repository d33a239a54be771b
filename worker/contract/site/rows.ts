import { defineRow } from "../kernel/console/define-row.ts";
import { choice, flag, html, line, link, moment, type SentValues } from "../kernel/row.ts";

/** Limited by the space on the home page. */
export const QUICK_LINKS_MAX = 4;

export const quickLinkRow = defineRow("quick-link", {
  most: QUICK_LINKS_MAX,
  fields: {
    label: line("이름", { max: 20, required: true }),
    note: line("설명", { max: 30, hint: "이름 아래에 작게 나옵니다." }),
    href: link("주소", {
      required: true,
      hint: "이 사이트의 주소는 /로, 다른 사이트는 https://로 시작합니다. 예: /research/proposal",
    }),
    englishLabel: line("영문 이름", { max: 30, lang: "en", hint: "비워 두면 영문 첫 화면에는 나오지 않습니다." }),
    englishNote: line("영문 설명", { max: 50, lang: "en" }),
  },
  example: { label: "공지", href: "/terms" },
});

export const popupRow = defineRow("popup", {
  period: ["startDate", "endDate"],
  fields: {
    title: line("제목", { max: 100, required: true }),
    content: html("내용", { required: true }),
    englishTitle: line("영문 제목", {
      max: 100,
      lang: "en",
      hint: "영문 제목과 내용을 적으시면 영문 첫 화면에도 뜹니다.",
    }),
    englishContent: html("영문 내용", { lang: "en" }),
    linkUrl: link("자세히 보기 주소", {
      hint: "없으면 비워 두십시오. 이 사이트의 주소는 /로, 다른 사이트는 https://로 시작합니다.",
    }),
    startDate: moment("시작", { required: true }),
    endDate: moment("끝", { required: true }),
    position: choice("자리", { left: "왼쪽 아래", center: "가운데 아래", right: "오른쪽 아래" }, "right", {
      hint: "휴대전화에서는 언제나 화면 아래에 꽉 차게 나옵니다.",
    }),
    size: choice("크기", { sm: "작게", md: "보통", lg: "크게" }, "md", {
      hint: "내용이 길면 안에서 스크롤됩니다.",
    }),
    isClosed: flag("기간이 남아 있어도 보이지 않게"),
  },
  example: {
    title: "알림",
    content: "<p>내용</p>",
    linkUrl: "/terms",
    startDate: "2026-11-01T00:00:00Z",
    endDate: "2036-12-01T00:00:00Z",
  },
});

export type PopupValues = SentValues<typeof popupRow.fields>;
