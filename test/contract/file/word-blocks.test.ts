import { expect, test } from "vitest";
import { wordBlocksOf } from "#app/features/file/preview/word-blocks.ts";

const text = (words: string, look = "") => `<w:r><w:rPr>${look}</w:rPr><w:t>${words}</w:t></w:r>`;
const paragraph = (words: string, look = "", place = "") =>
  `<w:p><w:pPr>${place}</w:pPr>${words === "" ? "" : text(words, look)}</w:p>`;
const cell = (words: string, look = "") => `<w:tc><w:tcPr>${look}</w:tcPr>${paragraph(words)}</w:tc>`;
const table = (...rows: string[][]) =>
  `<w:tbl>${rows.map((cells) => `<w:tr>${cells.join("")}</w:tr>`).join("")}</w:tbl>`;
const shown = (body: string) =>
  wordBlocksOf(`<w:document><w:body>${body}</w:body></w:document>`).map((block) =>
    "rows" in block
      ? block.rows.map(({ cells }) =>
          cells.map(({ columns, rows, blocks }) => [
            blocks.map((each) => ("rows" in each ? "table" : each.text)).join("/"),
            columns,
            rows,
          ]),
        )
      : block.text,
  );

test("a table of a Word document stays a table", () => {
  const body = `${paragraph("연구제안서")}${table([cell("성명"), cell("")], [cell("소속"), cell("가 &amp; 나")])}`;
  expect(shown(body)).toEqual([
    "연구제안서",
    [
      [
        ["성명", 1, 1],
        ["", 1, 1],
      ],
      [
        ["소속", 1, 1],
        ["가 & 나", 1, 1],
      ],
    ],
  ]);
});

test("joined cells of a Word table span their columns or rows", () => {
  const start = '<w:vMerge w:val="restart"/>';
  const rows = [
    [cell("제목", '<w:gridSpan w:val="2"/>'), cell("비고", start)],
    [cell("가"), cell("나"), cell("", "<w:vMerge/>")],
  ];
  expect(shown(table(...rows))).toEqual([
    [
      [
        ["제목", 2, 1],
        ["비고", 1, 2],
      ],
      [
        ["가", 1, 1],
        ["나", 1, 1],
      ],
    ],
  ]);
});

test("a table inside a cell of a Word table stays inside", () => {
  const outer = `<w:tbl><w:tr><w:tc>${paragraph("바깥")}${table([cell("안")])}</w:tc></w:tr></w:tbl>${paragraph("뒤")}`;
  expect(shown(outer)).toEqual([[[["바깥/table", 1, 1]]], "뒤"]);
});

test("a paragraph of a Word document keeps its weight with its place", () => {
  const body = `${paragraph("제목", "<w:b/>", '<w:jc w:val="center"/>')}${paragraph("본문", '<w:b w:val="0"/>')}`;
  expect(wordBlocksOf(body)).toMatchObject([
    { text: "제목", isBold: true, align: "center" },
    { text: "본문", isBold: false, align: "left" },
  ]);
});

test("a text box of a Word document is shown once", () => {
  const box = `<w:p><mc:AlternateContent><mc:Choice>${paragraph("상자")}</mc:Choice><mc:Fallback>${paragraph("상자")}</mc:Fallback></mc:AlternateContent></w:p>`;
  expect(shown(box)).toEqual(["상자", ""]);
});
