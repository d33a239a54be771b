import { expect, test } from "vitest";
import { strToU8, zipSync } from "fflate";
import { readWordBlocks, wordBlocksOf } from "#app/features/file/preview/word-blocks.ts";

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
            blocks.map((each) => ("rows" in each ? "table" : "text" in each ? each.text : "picture")).join("/"),
            columns,
            rows,
          ]),
        )
      : "text" in block
        ? block.text
        : block,
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

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4]);
const drawing = (key: string, alt = "") =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="952500" cy="1"/><wp:docPr descr="${alt}"/><a:blip r:embed="${key}"/></wp:inline></w:drawing></w:r></w:p>`;

/** @param media content by its name in the document's list */
function wordFile(body: string, media: Record<string, Uint8Array>, targets: Record<string, string> = {}): ArrayBuffer {
  const names = Object.keys(media);
  const entries = names.map((name) => `<Relationship Id="${name}" Target="${targets[name] ?? `media/${name}`}"/>`);
  const bytes = zipSync({
    "word/document.xml": strToU8(`<w:document><w:body>${body}</w:body></w:document>`),
    "word/_rels/document.xml.rels": strToU8(`<Relationships>${entries.join("")}</Relationships>`),
    ...Object.fromEntries(names.map((name) => [`word/media/${name}`, media[name] ?? PNG])),
  });
  return new Uint8Array(bytes).buffer;
}
const pictures = (file: ArrayBuffer) => readWordBlocks(file).flatMap((block) => ("src" in block ? [block] : []));

test("a picture of a Word document is drawn in its place", () => {
  const body = `${paragraph("앞")}${drawing("a", "흐름도 &amp; 표")}${paragraph("뒤")}`;
  const blocks = readWordBlocks(wordFile(body, { a: PNG }));
  expect(blocks.map((block) => ("text" in block ? block.text : "picture"))).toEqual(["앞", "picture", "", "뒤"]);
  expect(pictures(wordFile(body, { a: PNG }))).toMatchObject([
    { src: "data:image/png;base64,iVBORw0KGgoBAgME", alt: "흐름도 & 표", width: 100 },
  ]);
});

test.each([
  ["a drawing with script", strToU8('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')],
  ["a page", strToU8("<html><script>1</script></html>")],
  ["more than 4 MB", new Uint8Array(4 * 1024 * 1024 + 1).fill(0).map((_, at) => PNG[at] ?? 0)],
])("%s inside a Word document is not drawn", (_name, content) => {
  expect(pictures(wordFile(drawing("a"), { a: content }))).toMatchObject([{ src: "" }]);
});

test("a picture at another site is not fetched for a Word document", () => {
  const file = wordFile(drawing("a"), { a: PNG }, { a: 'https://elsewhere.example/a.png" TargetMode="External' });
  expect(pictures(file)).toMatchObject([{ src: "" }]);
});

test("twenty pictures of a Word document are drawn", () => {
  const names = Array.from({ length: 25 }, (_, at) => `p${at}`);
  const file = wordFile(
    names.map((name) => drawing(name)).join(""),
    Object.fromEntries(names.map((name) => [name, PNG])),
  );
  expect(pictures(file).filter(({ src }) => src !== "")).toHaveLength(20);
  expect(pictures(file)).toHaveLength(25);
});

test("a repeated picture of a Word document has a limit", () => {
  const large = new Uint8Array(4 * 1024 * 1024).map((_, at) => PNG[at] ?? 0);
  const file = wordFile(drawing("a").repeat(30), { a: large });
  const drawn = pictures(file).filter(({ src }) => src !== "");
  expect(drawn.length).toBeGreaterThan(0);
  expect(drawn.length * large.length).toBeLessThan(20 * 1024 * 1024);
});

test("a Word document of empty parts is shown up to a limit", () => {
  const rows = "<w:tr><w:tc><w:p/></w:tc></w:tr>".repeat(30_000);
  expect(wordBlocksOf(`<w:tbl>${rows}</w:tbl>`)).toMatchObject([{ rows: { length: 6667 } }]);
  expect(wordBlocksOf("<w:p/>".repeat(50_000))).toHaveLength(20_001);
});
