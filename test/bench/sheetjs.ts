import { readFileSync, writeFileSync } from "node:fs";
import { read, utils, write } from "@e965/xlsx";

const [, , act, from = "", to = ""] = process.argv;
const rows = act === "write" ? (JSON.parse(readFileSync(from, "utf8")) as unknown[][]) : [];
const bytes = act === "read" ? readFileSync(from) : Buffer.alloc(0);
const before = process.memoryUsage.rss();
const began = performance.now();
if (act === "write") {
  const book = { SheetNames: ["동문"], Sheets: { 동문: utils.aoa_to_sheet(rows) } };
  writeFileSync(to, write(book, { type: "buffer", bookType: "xlsx", compression: true }) as Buffer);
} else {
  utils.sheet_to_json(read(bytes).Sheets["동문"] ?? {});
}
const ms = performance.now() - began;
const mb = process.resourceUsage().maxRSS / 1024 - before / 1048576;
process.stdout.write(JSON.stringify({ ms, mb }));
