/** @module-tag full */
import { expect, test } from "vitest";
import {
  ARGON2_PARAMETERS,
  hashPassword,
  importedPassword,
  isPortablePassword,
  needsRehash,
  pepperName,
  readArrivingPassword,
  verifyPassword,
} from "#worker/adapters/password.server.ts";
import { matchesOldPassword, OLD_PASSWORD_LIMITS, oldPasswordKind } from "#worker/adapters/old-password.server.ts";
import { leastTime } from "../../support/cost-in-parts.ts";
import hashes from "../../fixtures/moving/old-passwords.json";

const PEPPER = "pepper-0123456789abcdef0123456789abcdef";

test("the hash cost equals the first recommendation of OWASP", () => {
  expect(ARGON2_PARAMETERS).toMatchObject({ memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 });
});

test("a hash depends on every letter of its password", () => {
  for (const password of ["Secret!234", "비밀번호입니다열여섯글자가넘", "\u0000\u0000a", "é".repeat(16)]) {
    const stored = hashPassword(password, PEPPER);
    expect(stored).not.toBe(hashPassword(password, PEPPER));
    expect(verifyPassword(password, stored, [PEPPER]), `${password}`).toBe(true);
    expect(verifyPassword(password, stored, [`${PEPPER}x`]), `${password}`).toBe(false);
    for (const at of [0, password.length >> 1, password.length - 1])
      expect(verifyPassword(`${password.slice(0, at)}X${password.slice(at + 1)}`, stored, [PEPPER]), `${at}`).toBe(
        false,
      );
    expect(verifyPassword(`${password}X`, stored, [PEPPER]), `${password}`).toBe(false);
    expect(needsRehash(stored, PEPPER), `${password}`).toBe(false);
  }
});

test("an unreadable hash matches no password", () => {
  const stored = hashPassword("Secret!234", PEPPER);
  for (const broken of [
    "",
    "x",
    stored.slice(0, 40),
    stored.replace(/pep-.{8}$/, "pep-12345678"),
    stored.replace("argon2id", "md5"),
  ])
    expect(verifyPassword("Secret!234", broken, [PEPPER]), `${broken}`).toBe(false);
  expect(needsRehash("scrypt$16384$8$5$a$b$pep1", PEPPER)).toBe(true);
});

test("a hash verifies only with its own pepper", () => {
  const [newest, former, first] = [`${PEPPER}3`, `${PEPPER}2`, `${PEPPER}1`];
  expect(new Set([newest, former, first].map(pepperName)).size).toBe(3);
  const stored = hashPassword("Secret!234", former);
  expect(stored.split("$").at(-1)).toBe(pepperName(former));
  expect(pepperName(former)).not.toContain(former.slice(0, 8));

  expect(verifyPassword("Secret!234", stored, [newest, former, first])).toBe(true);
  expect(verifyPassword("Secret!235", stored, [newest, former, first])).toBe(false);
  expect(verifyPassword("Secret!234", stored, [newest, first])).toBe(false);
  expect([needsRehash(stored, former), needsRehash(stored, newest)]).toEqual([false, true]);
  // A changed pepper name does not verify.
  expect(
    verifyPassword(
      "Secret!234",
      stored.replace(pepperName(former), () => pepperName(newest)),
      [newest, former],
    ),
  ).toBe(false);
  // Hashes without a pepper name may use any pepper.
  const unnamed = stored.replace(pepperName(former), "pep1");
  expect(verifyPassword("Secret!234", unnamed, [newest, former])).toBe(true);
  expect(verifyPassword("Secret!234", unnamed, [newest, first])).toBe(false);
  expect(needsRehash(unnamed, former)).toBe(true);
});

test("an archived hash is accepted within the cost limits", () => {
  const NEXT = "next-pepper-0123456789abcdef0123456789abcdef";
  const own = hashPassword("Secret!234", PEPPER);
  const sealed = importedPassword("5f4dcc3b5aa765d61d8327deb882cf99", PEPPER);
  for (const [given, kind, password] of [
    [own, "own", "Secret!234"],
    [sealed, "md5", "password"],
    [importedPassword(own, PEPPER), "own", "Secret!234"],
  ] as const) {
    expect(isPortablePassword(given)).toBe(true);
    expect(readArrivingPassword(given, [NEXT])).toEqual({ kind: "pepper", hash: null });
    const read = readArrivingPassword(given, [NEXT, PEPPER]);
    expect(read.kind).toBe(kind);
    const stored = importedPassword(String(read.hash), NEXT);
    expect(verifyPassword(password, stored, [NEXT, PEPPER])).toBe(true);
    expect(verifyPassword(`${password}x`, stored, [NEXT, PEPPER])).toBe(false);
    expect(needsRehash(stored, NEXT)).toBe(true);
  }
  expect(verifyPassword("Secret!234", importedPassword(own, NEXT), [NEXT])).toBe(false);

  const costly = ["99999$2$1", "65536$9$1", "19456$2$9", "4$1$1", "19456$0$1"];
  for (const cost of costly)
    expect(
      readArrivingPassword(
        own.replace("19456$2$1", () => cost),
        [PEPPER],
      ),
    ).toEqual({ kind: "unknown", hash: null });
  for (const other of ["", "argon2id$x", own.replace(/pep-.*/, "pep1"), "scrypt$1024$8$1$c2FsdA$aGFzaA$pep1"]) {
    expect(isPortablePassword(other)).toBe(false);
    expect(readArrivingPassword(other, [PEPPER])).toEqual({ kind: "unknown", hash: null });
  }
});

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

/** Allowed, and a thirtieth of the cost of the cheapest refused hash of its kind. */
const CHEAP = `$2y$08$${"a".repeat(53)}`;

test.each(COSTLY)("%s computes no hash", (stored) => {
  expect(oldPasswordKind(stored)).toBeNull();
  expect(matchesOldPassword("Old!Pass1", stored)).toBe(false);
  const timeOf = (hash: string) => leastTime(() => matchesOldPassword("Old!Pass1", hash));
  expect(timeOf(stored)).toBeLessThan(timeOf(CHEAP));
});

test("an imported hash must be replaced", () => {
  const stored = importedPassword("5f4dcc3b5aa765d61d8327deb882cf99", PEPPER);
  expect(stored).not.toContain("5f4dcc3b");
  expect(verifyPassword("password", stored, [PEPPER])).toBe(true);
  expect(verifyPassword("Password", stored, [PEPPER])).toBe(false);
  expect(verifyPassword("password", stored, [`${PEPPER}x`])).toBe(false);
  expect(verifyPassword("password", stored, [`${PEPPER}x`, PEPPER])).toBe(true);
  expect(needsRehash(stored, PEPPER)).toBe(true);
  expect(verifyPassword("password", hashPassword("password", PEPPER), [PEPPER])).toBe(true);
});
