import type { Bell } from "#worker/contract/mail/mail.ts";
import { isKorean } from "#worker/contract/kernel/language.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";

export interface ReaderValues {
  nonce: string;
  /** View counts by item number. */
  views?: Map<number, number>;
  userId?: string;
  userName?: string;
  bell?: Bell;
}
type PlaceholderKind = keyof typeof WRITERS;

export interface Placeholder {
  at: number;
  bytes: number;
  kind: PlaceholderKind;
  /** 0 for a value that belongs to no item. */
  itemNo: number;
}

/** 32 random hex digits, for a nonce or a placeholder. */
export const newToken = () => crypto.randomUUID().replaceAll("-", "");
/** A placeholder in the script of the name, because English pages mark a Korean one. */
export const newNameToken = (userName: string) => (isKorean(userName) ? "이름" : "") + newToken();
/** A random number of 15 digits, for a view count. */
export const newViewsToken = () => 1e14 + (Number.parseInt(newToken().slice(0, 13), 16) % 9e14);
const NOTHING = new Uint8Array();
const encoder = new TextEncoder();

const inString = (text: string) => JSON.stringify(text).slice(1, -1);
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
/** JSON in a script, which cannot end it. */
export const inScript = (json: string) => json.replaceAll("<", "\\u003c");

const viewsOf = ({ views }: ReaderValues, itemNo: number) => views?.get(itemNo) ?? 0;

/** Escapes like React, the router's data and the page's own (app/entry.server.tsx). */
const WRITERS = {
  views: (values: ReaderValues, itemNo: number) => formatCount(viewsOf(values, itemNo)),
  viewsInData: (values: ReaderValues, itemNo: number) => String(viewsOf(values, itemNo)),
  nonce: ({ nonce }: ReaderValues) => nonce,
  id: ({ userId = "" }: ReaderValues) => userId,
  bell: ({ bell }: ReaderValues) => bell?.label ?? "",
  badge: ({ bell }: ReaderValues) => bell?.badge ?? "",
  name: ({ userName = "" }: ReaderValues) => userName.replace(/[&<>"']/g, (each) => ESCAPES[each] ?? each),
  nameInData: ({ userName = "" }: ReaderValues) => inString(userName),
  nameInScript: ({ userName = "" }: ReaderValues) => inScript(inString(userName)),
};

/** Finds the placeholders in order. @param isData true for the router's data format */
export function findPlaceholders(body: ArrayBuffer, tokens: ReaderValues, isData = false): Placeholder[] {
  const bytes = Buffer.from(body);
  const isInScript = (at: number) => bytes.lastIndexOf("<script", at) > bytes.lastIndexOf("</script", at);
  const nameKind = (at: number) => (isData ? "nameInData" : isInScript(at) ? "nameInScript" : "name");
  const find = (token: string | undefined, kindAt: (at: number) => PlaceholderKind, itemNo = 0) =>
    token === undefined
      ? []
      : placesOf(bytes, token).map((at): Placeholder => {
          const length = Buffer.byteLength(token);
          return { at, bytes: length, kind: kindAt(at), itemNo };
        });
  const ofViews = ([itemNo, token]: [number, number]) => [
    ...find(formatCount(token), () => "views", itemNo),
    ...find(String(token), () => "viewsInData", itemNo),
  ];
  return [
    ...find(tokens.nonce, () => "nonce"),
    ...find(tokens.userId, () => "id"),
    ...find(tokens.bell?.label, () => "bell"),
    ...find(tokens.bell?.badge, () => "badge"),
    ...find(tokens.userName, nameKind),
    ...[...(tokens.views ?? [])].flatMap(ofViews),
  ].toSorted((one, other) => one.at - other.at);
}

function placesOf(bytes: Buffer, token: string): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(token); at !== -1; at = bytes.indexOf(token, at + token.length)) found.push(at);
  return found;
}

export function fillPagePlaceholders(
  { body, placeholders }: { body: ArrayBuffer; placeholders: Placeholder[] },
  values: ReaderValues,
): Uint8Array<ArrayBuffer> {
  const rendered = new Uint8Array(body);
  const written = placeholders.map(({ kind, itemNo }) => encoder.encode(WRITERS[kind](values, itemNo)));
  const longer = placeholders.reduce((sum, { bytes }, at) => sum + (written[at]?.length ?? 0) - bytes, 0);
  const own = new Uint8Array(rendered.length + longer);
  let [from, to] = [0, 0];
  const append = (bytes: Uint8Array) => {
    own.set(bytes, to);
    to += bytes.length;
  };
  for (const [index, { at, bytes }] of placeholders.entries()) {
    append(rendered.subarray(from, at));
    append(written[index] ?? NOTHING);
    from = at + bytes;
  }
  append(rendered.subarray(from));
  return own;
}

export const writePlaceholders = (placeholders: readonly Placeholder[]) =>
  placeholders.map(({ at, bytes, kind, itemNo }) => [kind, at, bytes, itemNo].join(":")).join(",");

export const readPlaceholders = (text: string): Placeholder[] =>
  text.split(",").flatMap((each) => {
    const [kind = "", ...numbers] = each.split(":");
    const [at = 0, bytes = 0, itemNo = 0] = numbers.map(Number);
    return kind in WRITERS ? [{ at, bytes, kind: kind as PlaceholderKind, itemNo }] : [];
  });
