import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { HwpDocument, initSync } from "@rhwp/core";

const FIELDS = ["성명", "소속", "연락처", "이메일", "신청 내용"];
const LINES = [
  "아래와 같이 신청합니다. 해당하는 칸을 모두 적어 주십시오.",
  "",
  "※ 적어 주신 내용은 신청 업무에만 쓰이며, 처리가 끝난 뒤 1년 동안 보관하고 파기합니다.",
  "2026년      월      일",
];
const TABLE_LINE = 2;

let isReady = false;

export function hangulFile(title: string, format: "hwp" | "hwpx"): Uint8Array {
  startEngine();
  const document = HwpDocument.createEmpty();
  document.createBlankDocument();
  for (const [at, line] of [title, ...LINES].entries()) {
    document.insertText(0, at, 0, line);
    if (at < LINES.length) document.splitParagraph(0, at, line.length);
  }
  document.applyCharFormat(0, 0, 0, title.length, JSON.stringify({ bold: true, fontSize: 1800 }));
  document.applyParaFormat(0, 0, JSON.stringify({ alignment: "center" }));
  const { paraIdx, controlIdx } = JSON.parse(document.createTable(0, TABLE_LINE, 0, FIELDS.length, 2)) as {
    paraIdx: number;
    controlIdx: number;
  };
  for (const [row, field] of FIELDS.entries()) {
    document.insertTextInCell(0, paraIdx, controlIdx, row * 2, 0, 0, field);
  }
  const bytes = format === "hwp" ? document.exportHwp() : document.exportHwpx();
  document.free();
  return bytes;
}

export function startEngine(): void {
  if (isReady) return;
  // Approximate widths for line breaks; Hangul measures again on opening.
  Object.assign(globalThis, { measureTextWidth: (_font: string, text: string) => text.length * 13 });
  initSync({ module: readFileSync(fileURLToPath(import.meta.resolve("@rhwp/core/rhwp_bg.wasm"))) });
  isReady = true;
}
