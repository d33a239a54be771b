import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "../client.ts";
import { contentFile } from "../schema/content.ts";
import { file, fileText } from "../schema/file.ts";
import { htmlToText } from "#worker/domain/kernel/html-text.server.ts";
import { sha256Hex } from "./digest.ts";
import { wordFile } from "./files.ts";

type FormTableRow = readonly string[];

const escape = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const run = (text: string, look = "") =>
  `<w:r><w:rPr><w:rFonts w:eastAsia="맑은 고딕"/>${look}</w:rPr><w:t xml:space="preserve">${escape(text)}</w:t></w:r>`;
const paragraph = (text: string, options: { size?: number; bold?: boolean; align?: string; before?: number } = {}) => {
  const { size = 21, bold = false, align = "left", before = 60 } = options;
  const look = `${bold ? "<w:b/>" : ""}<w:sz w:val="${size}"/>`;
  return `<w:p><w:pPr><w:spacing w:before="${before}" w:after="60"/><w:jc w:val="${align}"/></w:pPr>${run(text, look)}</w:p>`;
};
const title = (text: string) => paragraph(text, { size: 36, bold: true, align: "center", before: 240 });
const heading = (text: string) => paragraph(text, { size: 25, bold: true, before: 320 });

const BORDERS = ["top", "left", "bottom", "right", "insideH", "insideV"]
  .map((side) => `<w:${side} w:val="single" w:sz="6" w:color="666666"/>`)
  .join("");
const WIDTH = 9600;

/** @param shaded number of label cells at the start of a row */
function table(widths: readonly number[], rows: readonly FormTableRow[], shaded: number): string {
  const cell = (text: string, at: number) =>
    `<w:tc><w:tcPr><w:tcW w:w="${widths[at]}" w:type="dxa"/>${at < shaded ? '<w:shd w:val="clear" w:fill="EAF3F5"/>' : ""}</w:tcPr>${text
      .split("\n")
      .map((line) => paragraph(line, { bold: at < shaded }))
      .join("")}</w:tc>`;
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join("");
  return `<w:tbl><w:tblPr><w:tblW w:w="${WIDTH}" w:type="dxa"/><w:tblBorders>${BORDERS}</w:tblBorders></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows
    .map((row) => `<w:tr>${row.map(cell).join("")}</w:tr>`)
    .join("")}</w:tbl>`;
}
const labelled = (...rows: FormTableRow[]) => table([2400, 7200], rows, 1);
const blank = (lines: number) => table([WIDTH], [["\n".repeat(lines)]], 0);

const wordText = (body: string): string => htmlToText(body.replaceAll("</w:p>", " ")).replace(/\s+/g, " ").trim();

const PROPOSAL_BODY = [
  paragraph("한국면역결핍질환연구망 서식 제3호 (2026. 3. 2. 개정)", { size: 18 }),
  title("연구제안서"),
  heading("1. 기본 사항"),
  labelled(
    ["연구 과제명", "국문:\n영문:"],
    ["제안 구분", "□ 연구과제 공모   □ 수시 제안(자료)   □ 수시 제안(검체)"],
    ["연구책임자", "성명:\n소속, 부서:\n전화, 이메일:"],
    ["공동연구자", "\n"],
    ["연구 기간", "20    년    월 ~ 20    년    월"],
    ["생명윤리위원회", "□ 승인 (번호:              )   □ 심의 중   □ 신청 예정"],
  ),
  heading("2. 연구의 필요성과 목적"),
  paragraph("환자에게 어떤 도움이 되는지, 진행 중인 연구와 무엇이 다른지 적어 주십시오.", { size: 18 }),
  blank(5),
  heading("3. 연구 대상과 방법"),
  labelled(["대상 질환과 조건", "\n"], ["예상 대상자 수와 근거", "\n"], ["통계 분석 방법", "\n"]),
  heading("4. 요청하는 등록자료와 검체"),
  table(
    [2000, 4000, 3600],
    [
      ["영역", "변수 또는 검체", "꼭 필요한 이유"],
      ["", "", ""],
      ["", "", ""],
      ["", "", ""],
    ],
    0,
  ),
  heading("5. 개인정보 보호 대책"),
  blank(3),
  heading("6. 추진 일정과 기대 효과"),
  blank(3),
  heading("7. 서약"),
  paragraph(
    "연구망의 연구 규정을 지키고, 승인받은 목적과 기간 안에서만 자료를 이용하며, 연구대상자를 다시 알아내려는 시도를 하지 않을 것을 서약합니다.",
  ),
  paragraph("20    년    월    일     연구책임자                     (서명)", { align: "right", before: 240 }),
  paragraph("한국면역결핍질환연구망 운영위원장 귀하", { align: "center", bold: true, before: 240 }),
].join("");

/** Fixed, because the page names it. */
export const PROPOSAL_FORM_ID = "00000000-0000-4000-8000-0000000f0001";
const FORM_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

export async function pageFileRows(
  db: Db,
  files: R2Bucket,
  ownerUserId: string,
  createdDate: Date,
): Promise<BatchItem<"sqlite">[]> {
  const id = PROPOSAL_FORM_ID;
  const storageKey = `f/demo/${id}`;
  const bytes = wordFile(PROPOSAL_BODY);
  await files.put(storageKey, bytes, { httpMetadata: { contentType: FORM_TYPE } });
  return [
    db.insert(file).values({
      id,
      purpose: "content",
      ownerUserId,
      fileName: "연구제안서 양식.docx",
      size: bytes.byteLength,
      contentType: FORM_TYPE,
      hash: sha256Hex(bytes),
      status: "attached",
      storageKey,
      createdDate,
    }),
    db.insert(contentFile).values({ code: "proposal", fileId: id }),
    db.insert(fileText).values({ fileId: id, text: wordText(PROPOSAL_BODY), createdDate }),
  ];
}
