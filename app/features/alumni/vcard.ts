import type { AlumniRow } from "#worker/contract/alumni/view.ts";

const escapeText = (value: string) => value.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
/** Masked values are no addresses. */
const isKnownAddress = (value: string) => value !== "" && !value.includes("*");

/** Lines of at most 75 octets, as RFC 2426 wants; Hangul takes three each. */
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

/** One card a person, version 3.0, which the address books of phones read. */
export function renderVCards(people: readonly AlumniRow[]): string {
  return people
    .flatMap((person) => {
      const { name, affiliation, department, position, mobile, phone, email, zipCode, address } = person;
      const lines = ["BEGIN:VCARD", "VERSION:3.0", `N:${escapeText(name)};;;;`, `FN:${escapeText(name)}`];
      if (affiliation) lines.push(`ORG:${escapeText(affiliation)}${department ? `;${escapeText(department)}` : ""}`);
      if (position) lines.push(`TITLE:${escapeText(position)}`);
      if (isKnownAddress(mobile)) lines.push(`TEL;TYPE=CELL:${mobile}`);
      if (isKnownAddress(phone)) lines.push(`TEL;TYPE=WORK:${phone}`);
      if (isKnownAddress(email)) lines.push(`EMAIL;TYPE=INTERNET:${email}`);
      if (isKnownAddress(address)) lines.push(`ADR;TYPE=WORK:;;${escapeText(address)};;;${escapeText(zipCode)};`);
      return [...lines, `UID:urn:uuid:${person.id}`, "END:VCARD"];
    })
    .map((line) => `${foldLine(line)}\r\n`)
    .join("");
}

export function uniqueEmails(people: readonly AlumniRow[]): string[] {
  return [...new Set(people.map((person) => person.email).filter(isKnownAddress))];
}

/** Hands a text to the browser as a file. */
export function downloadText(text: string, fileName: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
