import { cleanLine, cleanText, stripControlCharacters } from "#worker/contract/kernel/text.ts";
import { replaceResidentNumbers } from "#worker/contract/kernel/resident-number.ts";

export interface TextFindings {
  isRepaired: boolean;
  isBroken: boolean;
  hasResidentNumber: boolean;
  isCut: boolean;
}

export const noFindings = (): TextFindings => ({
  isRepaired: false,
  isBroken: false,
  hasResidentNumber: false,
  isCut: false,
});

const WINDOWS_1252 = new Map(
  [..."€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"].map((sign, index) => [sign, 0x80 + index]),
);
const HIGH_LETTERS = /[\u0080-\u00ff]{2}/;
const BEYOND_LATIN = /[\u0100-\uffff]/;

function bytesOfMisread(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const byte = code < 0x100 ? code : WINDOWS_1252.get(text[at] ?? "");
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  return bytes;
}

/** Repairs UTF-8 or EUC-KR Korean that was decoded as Latin; null if it was not. */
export function repairMisread(text: string): string | null {
  if (!HIGH_LETTERS.test(text) && !BEYOND_LATIN.test(text)) return null;
  const bytes = bytesOfMisread(text);
  if (!bytes) return null;
  for (const encoding of ["utf-8", "euc-kr"]) {
    try {
      const read = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      const hangul = read.match(/[가-힣]/g)?.length ?? 0;
      const strange = read.match(/[^\u0000-\u007f가-힣ㄱ-ㅣ\u3000-\u303f\uff00-\uffef]/g)?.length ?? 0;
      if (hangul >= 2 && hangul > strange) return read;
    } catch {}
  }
  return null;
}

function repaired(value: string, findings: TextFindings): string {
  const read = repairMisread(value);
  if (read !== null) findings.isRepaired = true;
  const text = read ?? value;
  if (text.includes("\ufffd")) findings.isBroken = true;
  return maskResidentNumbers(text, findings);
}

/** Masks resident registration numbers after the birthday, since storing them is illegal. */
function maskResidentNumbers(text: string, findings: TextFindings): string {
  return replaceResidentNumbers(text, ({ birthday, between }) => {
    findings.hasResidentNumber = true;
    return `${birthday}${between}*******`;
  });
}

export const oldLine = (value: unknown, findings: TextFindings, max: number): string =>
  typeof value === "string" ? cutTo(max, cleanLine(repaired(value, findings)), findings) : "";

export function cutTo(max: number, text: string, findings: TextFindings): string {
  if (text.length > max) findings.isCut = true;
  return text.slice(0, max);
}

export const oldPlainText = (value: unknown, findings: TextFindings): string =>
  typeof value === "string" ? cleanText(repaired(value, findings)).trim() : "";

const TAG = /<\/?([a-z][a-z1-6]*)\b[^<>]*>/gi;
const TAG_NAMES = new Set(
  "p br div span table tbody tr td img a b i u strong em ul ol li h1 h2 h3 h4 h5 h6 font center pre blockquote iframe embed object video audio figure picture section article center hr dl dd dt del ins small big mark svg form input script style".split(
    " ",
  ),
);

function hasTag(html: string): boolean {
  if (html.includes("<!--")) return true;
  for (const [, name = ""] of html.matchAll(TAG)) if (TAG_NAMES.has(name.toLowerCase())) return true;
  return false;
}
const LINE_TAG = /<(?:p|br|div|table|li|tr|h[1-6]|pre|blockquote)\b/i;

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Old sites do not say whether text is HTML or whether line breaks count. */
export function oldHtml(value: unknown, findings: TextFindings): string {
  if (typeof value !== "string") return "";
  const text = stripControlCharacters(repaired(value, findings)).replace(/\r\n?/g, "\n");
  if (!hasTag(text)) return plainToHtml(decodeEntities(text));
  return LINE_TAG.test(text) ? text : text.replaceAll("\n", "<br>");
}

const plainToHtml = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => `<p>${escapeHtml(part).replaceAll("\n", "<br>")}</p>`)
    .join("");

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#039": "'", "#39": "'" };

const decodeEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|nbsp|#0?39);/g, (whole, name: string) => ENTITIES[name] ?? whole);

const EARLIEST = Date.UTC(1990, 0, 1);

/** Parses `YmdHis` in the old site's time zone; null for missing or impossible dates. */
export function oldDate(value: unknown, timeZone: string, now: Date): Date | null {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(typeof value === "string" ? value : "");
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const clock = Date.UTC(year, month - 1, day, hour, minute, second);
  const read = new Date(clock);
  if (read.getUTCFullYear() !== year || read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const moment = clock - zchoicefsetMs(timeZone, clock);
  return moment < EARLIEST || moment > now.getTime() + 60_000 ? null : new Date(moment);
}

const offsets = new Map([
  ["Asia/Seoul", 9 * 3_600_000],
  ["UTC", 0],
  ["Etc/UTC", 0],
]);

function zchoicefsetMs(timeZone: string, clock: number): number {
  const known = offsets.get(timeZone);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    const name = format.formatToParts(new Date(clock)).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?$/.exec(name);
    if (!match) return 9 * 3_600_000;
    const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
    return (match[1] === "-" ? -1 : 1) * minutes * 60_000;
  } catch {
    return 9 * 3_600_000;
  }
}
