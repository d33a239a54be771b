import { normaliseUnicode } from "../kernel/text.ts";

const BREAK = /[\s<>"'()[\]{}|`,;‘’“”「」『』《》]+/u;
const INVISIBLE = /[\p{Cf}\u{115F}\u{1160}\u{3164}]/gu;
const OTHER_DOT = /[。｡]/gu;
const SCHEME =
  /(?:^|[^a-z\d])(?:https?|ftps?|wss?|mailto|tel|sms(?:to)?|javascript|vbscript|data|file|blob|intent|callto|market|itms-[a-z\d]+|kakao[a-z\d]*):\S/u;
const DOUBLE_SLASH = /[/\\]{2}/u;
/** Ends in a top-level domain: Latin letters, Punycode, the Korean ones, or another script. */
const HOST = /[^\s./\\]\.(?:xn--[a-z\d]|[a-z]{2}|한국|삼성|닷컴|닷넷|[^\p{ASCII}\P{L}\p{Script=Hangul}]{2})/u;
const NUMBER_HOST = /(?:^|[^\d.])(?:\d{1,3}\.){3}\d{1,3}(?:$|[^\d.])/u;

const isAddress = (token: string) =>
  SCHEME.test(token) || DOUBLE_SLASH.test(token) || HOST.test(token) || NUMBER_HOST.test(token);

/** Allowed after the site's own address: a path without a second address, or Korean text. */
const OWN_REST = /^(?:[/?#](?![/\\])(?:[^\\@/]|\/(?!\/))*|[.:!?]*|\p{Script=Hangul}+[.!?]*)$/u;
const OWN_BEFORE = /^[^./\\@?&=#%]*$/u;

function isOwn(token: string, base: string): boolean {
  const at = token.indexOf(base);
  if (base === "" || at < 0) return false;
  const before = token.slice(0, at);
  return OWN_BEFORE.test(before) && !SCHEME.test(`${before}x`) && OWN_REST.test(token.slice(at + base.length));
}

interface FoundAddress {
  address: string;
  isOwn: boolean;
}

/** Finds everything that a mail program may turn into a link. @param origin the site's own, or "" for none */
export function addressesIn(text: string, origin: string): FoundAddress[] {
  const host = origin.replace(/^https?:\/\//, "");
  const found = new Map<string, FoundAddress>();
  for (const written of text.split(BREAK)) {
    const token = normaliseUnicode(written.replace(INVISIBLE, ""), "NFKC").replace(OTHER_DOT, ".").toLowerCase();
    const own = isOwn(token, origin) || isOwn(token, host);
    if (own || isAddress(token)) found.set(written, { address: written, isOwn: own });
  }
  return [...found.values()];
}

export const NAME_WITH_ADDRESS = "메일에 함께 나가는 이름이므로 인터넷 주소는 쓸 수 없습니다.";
export const hasAddress = (text: string) => addressesIn(text, "").length > 0;
