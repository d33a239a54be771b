import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decisionReason } from "#worker/contract/access/simulation.ts";

test("every access rule has a reason text, and a permission names the page that grants it", () => {
  const source = readFileSync(join(import.meta.dirname, "../worker/domain/kernel/authorize.server.ts"), "utf8");
  const rules = [...source.matchAll(/\b(?:allow|deny)\(["`]([^"`$]+)/g)].map(([, rule = ""]) => rule.trim());
  expect(rules.length).toBeGreaterThan(20);
  const nameOf = () => "공지사항";
  const isUnexplained = (rule: string) => decisionReason({ allowed: true, rule }, nameOf).reason === rule;
  expect(rules.filter((rule) => rule !== "permission" && isUnexplained(rule))).toEqual([]);
  expect(decisionReason({ allowed: false, rule: "permission Board_notice_Write" }, nameOf)).toEqual({
    reason: "역할에 ‘공지사항’ 쓰기 권한이 없습니다.",
    change: { label: "게시판 ‘공지사항’", href: "/Admin/Boards/notice" },
  });
  expect(decisionReason({ allowed: true, rule: "permission ADMIN_Access" }, nameOf)).toEqual({
    reason: "역할에 관리 화면 권한이 있습니다.",
    change: { label: "역할과 권한", href: "/Admin/Roles" },
  });
  expect(decisionReason({ allowed: false, rule: "secret item of another person" }, nameOf).reason).toContain("비밀글");
});
