import { koreanDayStamp, toKoreanClock } from "#worker/contract/kernel/korea.ts";

export interface CalendarEntry {
  uid: string;
  /** Rises with each change, so that calendar programs take the newer one. */
  sequence: number;
  changedDate: Date;
  isAllDay: boolean;
  startDate: Date;
  /** Exclusive; the start for an event without an end. */
  endDate: Date;
  summary: string;
  location: string;
  description: string;
  url: string;
  isCancelled: boolean;
}

const LINE_OCTETS = 75;
// Control characters that RFC 5545 refuses in text; line breaks are escaped as \
// .
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const encoder = new TextEncoder();

const escapeText = (text: string) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(FORBIDDEN, "")
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll("\n", "\\n");

/** Folds a long line with a break and a space, never within a multi-byte character. */
function foldLine(line: string): string {
  let folded = "";
  let octets = 0;
  for (const sign of line) {
    const length = encoder.encode(sign).length;
    if (octets + length > LINE_OCTETS) {
      folded += "\r\n ";
      octets = 1;
    }
    folded += sign;
    octets += length;
  }
  return folded;
}

const utcStamp = (date: Date) => `${date.toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
const koreanStamp = (date: Date) => utcStamp(toKoreanClock(date)).slice(0, -1);

const KOREAN_TIME = [
  "BEGIN:VTIMEZONE",
  "TZID:Asia/Seoul",
  "BEGIN:STANDARD",
  "DTSTART:19881009T000000",
  "TZOFFSETFROM:+0900",
  "TZOFFSETTO:+0900",
  "TZNAME:KST",
  "END:STANDARD",
  "END:VTIMEZONE",
];

const timeLine = (name: string, date: Date, isAllDay: boolean) =>
  isAllDay ? `${name};VALUE=DATE:${koreanDayStamp(date)}` : `${name};TZID=Asia/Seoul:${koreanStamp(date)}`;

const eventLines = (entry: CalendarEntry) => [
  "BEGIN:VEVENT",
  `UID:${escapeText(entry.uid)}`,
  `SEQUENCE:${entry.sequence}`,
  `DTSTAMP:${utcStamp(entry.changedDate)}`,
  `LAST-MODIFIED:${utcStamp(entry.changedDate)}`,
  timeLine("DTSTART", entry.startDate, entry.isAllDay),
  ...(entry.endDate > entry.startDate ? [timeLine("DTEND", entry.endDate, entry.isAllDay)] : []),
  `SUMMARY:${escapeText(entry.summary)}`,
  ...(entry.location ? [`LOCATION:${escapeText(entry.location)}`] : []),
  ...(entry.description ? [`DESCRIPTION:${escapeText(entry.description)}`] : []),
  `URL:${entry.url}`,
  `STATUS:${entry.isCancelled ? "CANCELLED" : "CONFIRMED"}`,
  ...(entry.isAllDay ? ["TRANSP:TRANSPARENT"] : []),
  "END:VEVENT",
];

/** Writes an RFC 5545 file: lines of at most 75 octets, times in Korea's time zone. */
export function writeCalendar(name: string, entries: readonly CalendarEntry[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Hoewon//Calendar//KO",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${escapeText(name)}`,
    "X-WR-TIMEZONE:Asia/Seoul",
    ...KOREAN_TIME,
    ...entries.flatMap(eventLines),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}
