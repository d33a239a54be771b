import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";
import { CFB, utils, write } from "@e965/xlsx";
import { hangulFile } from "./hangul.ts";

export type DemoFileKind = "pdf" | "hwp" | "hwpx" | "xlsx" | "docx" | "zip" | "txt" | "png" | "chart";

const text = (value: string) => new TextEncoder().encode(value);

function zipFile(entries: [name: string, content: Uint8Array][]): Uint8Array {
  const container = CFB.utils.cfb_new();
  for (const [name, content] of entries) CFB.utils.cfb_add(container, `/${name}`, content);
  return new Uint8Array(CFB.write(container, { type: "buffer", fileType: "zip" }) as Uint8Array);
}

const docxFile = (title: string) => wordFile(`<w:p><w:r><w:t>${title}</w:t></w:r></w:p>`);

/** @param body paragraphs and tables in WordprocessingML */
export function wordFile(body: string): Uint8Array {
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
  return zipFile([
    [
      "[Content_Types].xml",
      text(
        `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
      ),
    ],
    [
      "_rels/.rels",
      text(
        `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
      ),
    ],
    [
      "word/document.xml",
      text(
        `${head}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr></w:body></w:document>`,
      ),
    ],
  ]);
}

function xlsxFile(title: string): Uint8Array {
  const sheet = utils.aoa_to_sheet([[title], [], ["번호", "항목", "값"], [1, "등록 건수", 1839], [2, "참여 센터", 16]]);
  return new Uint8Array(
    write({ SheetNames: ["자료"], Sheets: { 자료: sheet } }, { type: "array", bookType: "xlsx" }) as ArrayBuffer,
  );
}

function pdfFile(): Uint8Array {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /Length 58 >>\nstream\nBT /F1 18 Tf 72 770 Td (PID Research Network, Korea) Tj ET\nendstream",
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, "0");
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${offset} 00000 n \n`).join("")}`;
  return text(
    `${body}${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
  );
}

function pngFile(width = 960, height = 540): Uint8Array {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wave =
        y > height * 0.62 + 24 * Math.sin((x / width) * Math.PI * 3)
          ? [15, 95, 121]
          : [225 - (y * 30) / height, 240, 244];
      rows.set(wave, y * (width * 3 + 1) + 1 + x * 3);
    }
  }
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    magic,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export function demoFile(kind: DemoFileKind, title: string): Uint8Array {
  switch (kind) {
    case "docx":
      return docxFile(title);
    case "xlsx":
      return xlsxFile(title);
    case "hwp":
    case "hwpx":
      return hangulFile(title, kind);
    case "pdf":
      return pdfFile();
    case "png":
      return pngFile();
    case "chart":
      return readFileSync(fileURLToPath(new URL("registrations.png", import.meta.url)));
    case "zip":
      return zipFile([["안내.txt", text(title)]]);
    case "txt":
      return text(title);
  }
}
