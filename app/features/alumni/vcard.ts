import { dialableNumber } from "#worker/contract/alumni/columns.ts";
import { type OwnField, ownValueText } from "#worker/contract/alumni/own-fields.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";

const escapeText = (value: string) => value.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
const isKnownAddress = (value: string) => value !== "" && !value.includes("*");

/** Folds lines at 75 octets (RFC 2426); a Hangul character takes three. */
function foldLine(line: string): string {
  let out = "";
  let octets = 0;
  for (const message of line) {
    const size = new TextEncoder().encode(message).length;
    if (octets + size > 74) {
      out += "\r\n ";
      octets = 1;
    }
    out += message;
    octets += size;
  }
  return out;
}

/** Writes vCard 3.0, the version that phones import. */
export function renderVCards(people: readonly AlumniRow[], own: readonly OwnField[] = []): string {
  return people
    .flatMap((person) => {
      const { name, affiliation, department, position, mobile, phone, email, zipCode, address } = person;
      const lines = ["BEGIN:VCARD", "VERSION:3.0", `N:${escapeText(name)};;;;`, `FN:${escapeText(name)}`];
      if (affiliation) lines.push(`ORG:${escapeText(affiliation)}${department ? `;${escapeText(department)}` : ""}`);
      if (position) lines.push(`TITLE:${escapeText(position)}`);
      if (isKnownAddress(mobile)) lines.push(`TEL;TYPE=CELL:${mobile}`);
      if (isKnownAddress(phone)) lines.push(`TEL;TYPE=WORK:${dialableNumber(phone)}`);
      if (isKnownAddress(email)) lines.push(`EMAIL;TYPE=INTERNET:${email}`);
      if (isKnownAddress(address)) lines.push(`ADR;TYPE=WORK:;;${escapeText(address)};;;${escapeText(zipCode)};`);
      const notes = own.flatMap(({ code, name: label }) => {
        const value = ownValueText(person.own[code]);
        return value === "" ? [] : [`${label}: ${value}`];
      });
      if (notes.length > 0) lines.push(`NOTE:${escapeText(notes.join("\n"))}`);
      return [...lines, `UID:urn:uuid:${person.id}`, "END:VCARD"];
    })
    .map((line) => `${foldLine(line)}\r\n`)
    .join("");
}

export function uniqueEmails(people: readonly AlumniRow[]): string[] {
  return [...new Set(people.map((person) => person.email).filter(isKnownAddress))];
}

const LEFT_OUT_NAMES = 5;

export function copiedEmailsMessage(people: readonly AlumniRow[]): string {
  const emails = uniqueEmails(people);
  const left = people.filter(({ email }) => !isKnownAddress(email)).map(({ name }) => name);
  const same = people.length - left.length - emails.length;
  const names = left.slice(0, LEFT_OUT_NAMES).join(", ");
  const more = left.length > LEFT_OUT_NAMES ? ` 외 ${left.length - LEFT_OUT_NAMES}명` : "";
  return [
    `${people.length}명의 이메일 주소 ${emails.length}개를 복사하였습니다.`,
    same > 0 ? `${same}명은 주소가 다른 사람과 같습니다.` : "",
    left.length > 0 ? `주소가 없거나 볼 수 없어 빠진 ${left.length}명: ${names}${more}` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

export function downloadText(text: string, fileName: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
