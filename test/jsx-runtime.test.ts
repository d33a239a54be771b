import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Link, type LinkProps, MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { jsx } from "#app/lib/markup/jsx-runtime.ts";

// The runtime writes the element of a link itself: a router that writes another one fails here.
test.for<LinkProps>([
  { to: "/board/notice/List", children: "공지" },
  { to: "/mypage?tab=1#top", className: "underline", "aria-current": "page", children: "내 정보" },
  { to: "/help", target: "_blank", rel: "noreferrer", children: "도움말" },
  { to: "/board", state: { from: "/" }, children: "게시판" },
  { to: "/a/../b", children: "위로" },
  { to: "next", children: "다음" },
  { to: { pathname: "/search", search: "?q=1" }, children: "검색" },
  { to: "/file", reloadDocument: true, children: "파일" },
  { to: "/quiet", discover: "none", children: "조용히" },
])("a link has the router's markup: $to", (props) => {
  const render = (link: ReturnType<typeof jsx>) =>
    renderToStaticMarkup(createElement(MemoryRouter, { initialEntries: ["/here"] }, link));
  expect(render(jsx(Link, props))).toBe(render(createElement(Link, props)));
});

test("a link from the root is an element without hooks", () => {
  expect(jsx(Link, { to: "/board", children: "게시판" }).type).toBe("a");
  expect(jsx(Link, { to: "next", children: "다음" }).type).toBe(Link);
});
