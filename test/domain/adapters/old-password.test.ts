import { expect, test } from "vitest";
import { matchesOldPassword, OLD_PASSWORD_LIMITS, oldPasswordKind } from "#worker/adapters/old-password.server.ts";
import { hashPassword, importedPassword, needsRehash, verifyPassword } from "#worker/adapters/password.server.ts";
import hashes from "../../fixtures/moving/old-passwords.json";

const PEPPER = "pepper-0123456789abcdef0123456789abcdef";

// Published by others: MySQL's manual and hashcat's example hashes.
const PUBLISHED = [
  ["mypass", "*6C8989366EAF75BB670AD8EA7A7FC1176A95CEF4"],
  ["mypass", "6f8c114b58f2ce9e"],
  ["hashcat", "7196759210defdc0"],
  ["hashcat", "$2a$05$LhayLxezLhK1LhWvKxCyLOj0j1u.Kj0jZ0pEmm134uzrQlFvQJLF6"],
  ["hashcat", "$P$984478476IagS59wHZvyQMArzfx58u."],
  ["hashcat", "$H$984478476IagS59wHZvyQMArzfx58u."],
  ["hashcat", "$S$C33783772bRXEx1aCsvY.dqgaaSu76XmVlKrW9Qu8IQlvxHlmzLf"],
] as const;

test.each(PUBLISHED)("%s opens %s", (password, stored) => {
  expect(matchesOldPassword(password, stored)).toBe(true);
  expect(matchesOldPassword(`${password}x`, stored)).toBe(false);
});

test.each(hashes)("$kind of '$password', made by PHP, is opened by it alone", ({ password, hash }) => {
  expect(oldPasswordKind(hash)).not.toBeNull();
  expect(matchesOldPassword(password, hash)).toBe(true);
  for (const wrong of [password.slice(1), `${password}1`])
    expect([wrong, matchesOldPassword(wrong, hash)]).toEqual([wrong, false]);
});

test("every kind of old password hash is recognized", () => {
  expect(new Set(hashes.map(({ hash }) => oldPasswordKind(hash)))).toEqual(
    new Set([
      "pbkdf2",
      "mysql",
      "mysql-old",
      "bcrypt",
      "argon2",
      "md5",
      "sha1",
      "sha256",
      "sha512",
      "phpass",
      "drupal",
      "joomla",
      "wordpress",
    ]),
  );
});

const SALT = "c2FsdHNhbHRzYWx0";
const KEY = Buffer.alloc(24, 7).toString("base64");
const COSTLY = [
  `sha512:${OLD_PASSWORD_LIMITS.pbkdf2Iterations + 1}:${SALT}:${KEY}`,
  `sha256:999999999:${SALT}:${KEY}`,
  `sha256:0:${SALT}:${KEY}`,
  `sha256:1000:${SALT}:AAAA`,
  `$2y$13$${"a".repeat(53)}`,
  `$2y$31$${"a".repeat(53)}`,
  `$2y$03$${"a".repeat(53)}`,
  `$wp$2y$20$${"a".repeat(53)}`,
  "$argon2id$v=19$m=65537,t=1,p=1$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "$argon2id$v=19$m=65536,t=5,p=1$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "$argon2id$v=19$m=64,t=1,p=16$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "$argon2id$v=19$m=4,t=1,p=1$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  `$P$${"z"}${"a".repeat(8)}${"b".repeat(22)}`,
  `$S$${"z"}${"a".repeat(8)}${"b".repeat(43)}`,
  "",
  "plain",
  "$1$abcdefgh$0123456789012345678901",
  "a".repeat(10_000),
];

test.each(COSTLY)("%s opens nothing and computes no hash", (stored) => {
  const begun = performance.now();
  expect(oldPasswordKind(stored)).toBeNull();
  expect(matchesOldPassword("Old!Pass1", stored)).toBe(false);
  // Computing the cheapest refused hash would take seconds.
  expect(performance.now() - begun).toBeLessThan(200);
});

test("an imported hash is sealed, verifies its password and must be replaced", () => {
  const stored = importedPassword("5f4dcc3b5aa765d61d8327deb882cf99", PEPPER);
  expect(stored).not.toContain("5f4dcc3b");
  expect(verifyPassword("password", stored, [PEPPER])).toBe(true);
  expect(verifyPassword("Password", stored, [PEPPER])).toBe(false);
  expect(verifyPassword("password", stored, [`${PEPPER}x`])).toBe(false);
  expect(verifyPassword("password", stored, [`${PEPPER}x`, PEPPER])).toBe(true);
  expect(needsRehash(stored, PEPPER)).toBe(true);
  expect(verifyPassword("password", hashPassword("password", PEPPER), [PEPPER])).toBe(true);
});
