import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";
import { auditFieldName, formatAuditValue } from "../app/features/operation/detail-names.ts";
import { AUDIT_ACTION_GROUPS, AUDIT_ACTION_LABELS } from "../worker/contract/kernel/audit-actions.ts";
import { AUDIT_TARGET_NAMES } from "#worker/contract/audit/log.ts";

// The type of `AuditEntry` already requires a label for every code. This test finds statements that bypass it.

const ROOT = resolve(import.meta.dirname, "..");
const sources = globSync(["worker/{domain,local,api}/**/*.ts", "worker/contract/*/rows.ts"], { cwd: ROOT }).map(
  (file) => readFileSync(resolve(ROOT, file), "utf8"),
);
const codes = Object.keys(AUDIT_ACTION_LABELS);

const names = (source: string, word: string) => new RegExp(`["'\`]${word.replaceAll(".", "\\.")}["'\`]`).test(source);

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

test.for(codes)("the audit code %s is used", (code) => {
  expect(isWritten(code)).toBe(true);
});

test("a code that no statement writes is reported", () => {
  expect(isWritten("popup.archive")).toBe(false);
  expect(isWritten("nothing.change")).toBe(false);
});

test("only the statements of the audit entry write to the audit log", () => {
  const writers = globSync("worker/**/*.ts", { cwd: ROOT }).filter((file) =>
    /insert\(auditLog\)|INSERT INTO (audit_log|\$\{auditLog\})/i.test(readFileSync(resolve(ROOT, file), "utf8")),
  );
  expect(writers.toSorted()).toEqual([
    "worker/domain/kernel/audit-entry.server.ts",
    // An administrator runs this command on the machine itself.
    "worker/local/create-admin.ts",
  ]);
});

test("every filter option of the console is the prefix of some code", () => {
  for (const value of Object.keys(AUDIT_ACTION_GROUPS))
    expect(
      codes.some((code) => code === value || code.startsWith(`${value}.`)),
      value,
    ).toBe(true);
});

type SyntaxNode = { type: string; key?: SyntaxNode & { name?: string }; value?: SyntaxNode; properties?: SyntaxNode[] };

function detailFieldsOf(source: string): string[] {
  const fields: string[] = [];
  const namesIn = (object: SyntaxNode | undefined): string[] =>
    object?.type === "ObjectExpression"
      ? (object.properties ?? []).flatMap(({ key, value }) => [key?.name ?? "", ...namesIn(value)])
      : [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    const node = value as SyntaxNode;
    if (node.type === "Property" && node.key?.name === "detail") fields.push(...namesIn(node.value));
    Object.values(value).forEach(visit);
  };
  visit(parseSync("source.ts", source).program.body);
  return fields.filter((name) => name !== "");
}

test("every target or field of the audit log has a label", () => {
  const written = sources.flatMap((source) =>
    [
      ...source.matchAll(
        /targetType: "([^"]+)"|audit\w*\(\s*ctx,\s*\{\s*action: "([\w-]+)\.[^"]+"(?![^}]*targetType)/g,
      ),
    ].map(([, type, area]) => type ?? area ?? ""),
  );
  expect(written.length).toBeGreaterThan(100);
  expect(written.filter((type) => !(type in AUDIT_TARGET_NAMES))).toEqual([]);
  const fields = [...new Set(sources.filter((source) => source.includes("audit")).flatMap(detailFieldsOf))];
  expect(fields.length).toBeGreaterThan(60);
  expect(fields.filter((name) => auditFieldName(name) === name)).toEqual([]);
  expect(formatAuditValue("ids", [crypto.randomUUID(), "김동문"])).toMatch(/^번호 [\da-f]{8}, 김동문$/);
  const change = { section: "pageTexts", code: "about", name: "소개", kind: "kept" };
  expect(formatAuditValue("changes", [change])).toBe("설정: 페이지의 글\n코드: about\n이름: 소개\n종류: 그대로 둠");
  for (const label of [...Object.values(AUDIT_ACTION_LABELS), ...Object.values(AUDIT_TARGET_NAMES)])
    expect(label).toMatch(/[가-힣]/);
});
