import Argon2 from "@phi-ag/argon2";

/** The same password with the same salt has the same hash; people of `people.ts` share both. */
export function shareHashes(): void {
  const { hash } = Argon2.prototype;
  const known = new Map<string, ReturnType<typeof hash>>();
  Argon2.prototype.hash = function shared(password, options) {
    const key = JSON.stringify([password, options]);
    const found = known.get(key) ?? hash.call(this, password, options);
    known.set(key, found);
    return found;
  };
}
