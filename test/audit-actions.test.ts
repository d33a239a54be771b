import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { AUDIT_ACTION_GROUPS, AUDIT_ACTION_LABELS } from "../worker/contract/kernel/audit-actions.ts";

// That every code written has a label is kept by the type of `AuditEntry`; statements that write past it are looked for here.

const ROOT = resolve(import.meta.dirname, "..");
const sources = globSync("worker/{domain,local,api}/**/*.ts", { cwd: ROOT }).map((file) =>
  readFileSync(resolve(ROOT, file), "utf8"),
);
const codes = Object.keys(AUDIT_ACTION_LABELS);

const names = (source: string, word: string) => new RegExp(`["'\`]${word.replaceAll(".", "\\.")}["'\`]`).test(source);

/** As a whole, or put together of a name and what was done to it. */
function isWritten(code: string): boolean {
  if (sources.some((source) => names(source, code))) return true;
  const split = code.lastIndexOf(".");
  const [target, act] = [code.slice(0, split), code.slice(split + 1)];
  const isTargetNamed = sources.some((source) => names(source, target));
  return sources.some(
    (source) =>
      (source.includes(`}.${act}\``) && isTargetNamed) ||
      (source.includes(`\`${target}.\${`) && names(source, act)) ||
      (source.includes("}.${") && names(source, act) && isTargetNamed),
  );
}

test.for(codes)("the audit code %s is written somewhere", (code) => {
  expect(isWritten(code)).toBe(true);
});

test("a code that nothing writes is noticed", () => {
  expect(isWritten("popup.archive")).toBe(false);
  expect(isWritten("nothing.change")).toBe(false);
});

test("no statement but those of the audit entry writes to the log", () => {
  const writers = globSync("worker/**/*.ts", { cwd: ROOT }).filter((file) =>
    /insert\(auditLog\)|INSERT INTO (audit_log|\$\{auditLog\})/i.test(readFileSync(resolve(ROOT, file), "utf8")),
  );
  expect(writers.toSorted()).toEqual([
    "worker/domain/kernel/audit-entry.server.ts",
    "worker/domain/kernel/guarded-batch.server.ts",
    // The command that an administrator runs on the machine itself.
    "worker/local/create-admin.ts",
  ]);
});

test("every choice of the console's filter begins some code", () => {
  for (const { value } of AUDIT_ACTION_GROUPS)
    expect(
      codes.some((code) => code === value || code.startsWith(`${value}.`)),
      value,
    ).toBe(true);
});
