/** 32 hexadecimal digits, unguessable: a nonce, or what stands in its place. */
export const newNonce = () => crypto.randomUUID().replaceAll("-", "");

/** Where the token stands in a rendered page. */
export function noncePlacesOf(body: ArrayBuffer, token: string): number[] {
  const bytes = Buffer.from(body);
  const places: number[] = [];
  for (let at = bytes.indexOf(token); at !== -1; at = bytes.indexOf(token, at + token.length)) places.push(at);
  return places;
}

/** A copy of the body with a nonce of its own in each of the token's places. */
export function fillInNonce({ body, places }: { body: ArrayBuffer; places: number[] }, nonce: string): ArrayBuffer {
  const copy = body.slice(0);
  const own = new Uint8Array(copy);
  const digits = new TextEncoder().encode(nonce);
  for (const place of places) own.set(digits, place);
  return copy;
}
