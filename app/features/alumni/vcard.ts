import type { AlumniRow } from "#worker/contract/alumni/view.ts";

const escaped = (value: string) => value.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
/** Masked values are no addresses. */
const known = (value: string) => value !== "" && !value.includes("*");

/** Lines of at most 75 octets, as RFC 2426 wants; Hangul takes three each. */
function folded(line: string): string {
  let out = "";
  let octets = 0;
  for (const letter of line) {
    const size = new TextEncoder().encode(letter).length;
    if (octets + size > 74) {
      out += "\r\n ";
      octets = 1;
    }
    out += letter;
    octets += size;
  }
  return out;
}

/** One card a person, version 3.0, which the address books of phones read. */
export function vCards(people: readonly AlumniRow[]): string {
  return people
    .flatMap((person) => {
      const { name, affiliation, department, position, mobile, phone, email, zipCode, address } = person;
      const lines = ["BEGIN:VCARD", "VERSION:3.0", `N:${escaped(name)};;;;`, `FN:${escaped(name)}`];
      if (affiliation) lines.push(`ORG:${escaped(affiliation)}${department ? `;${escaped(department)}` : ""}`);
      if (position) lines.push(`TITLE:${escaped(position)}`);
      if (known(mobile)) lines.push(`TEL;TYPE=CELL:${mobile}`);
      if (known(phone)) lines.push(`TEL;TYPE=WORK:${phone}`);
      if (known(email)) lines.push(`EMAIL;TYPE=INTERNET:${email}`);
      if (known(address)) lines.push(`ADR;TYPE=WORK:;;${escaped(address)};;;${escaped(zipCode)};`);
      return [...lines, `UID:urn:uuid:${person.id}`, "END:VCARD"];
    })
    .map((line) => `${folded(line)}\r\n`)
    .join("");
}

export function emailList(people: readonly AlumniRow[]): string[] {
  return [...new Set(people.map((person) => person.email).filter(known))];
}

/** Hands a text to the browser as a file. */
export function saveText(text: string, fileName: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
