import { expect, test } from "vitest";
import { agreement } from "#db/schema/content.ts";
import { pairLines } from "#app/features/content/side-by-side-difference.tsx";
import { compareAgreements } from "#worker/domain/content/agreement.server.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { testDatabase } from "../../support/test-database.ts";

async function publishTwo(): Promise<void> {
  const row = (version: string, content: string, day: string) => ({
    code: "terms",
    version,
    title: "이용약관",
    required: true,
    content,
    textHash: version,
    effectiveDate: new Date(day),
    isCurrent: version === "2026-11",
  });
  await testDatabase()
    .insert(agreement)
    .values([
      row("2026-01", "<p>첫째 문장입니다.</p><p>1년 보관합니다.</p>", "2026-01-01"),
      row("2026-11", "<p>첫째 문장입니다.</p><p>2년 보관합니다.</p>", "2026-11-01"),
    ]);
}

test("the newest version is compared with the previous one", async () => {
  await publishTwo();
  const { from, to, lines } = await compareAgreements(scopeFor(await createAdministratorSession()), { code: "terms" });
  expect([from, to]).toEqual(["2026-01", "2026-11"]);
  expect(pairLines(lines)).toEqual([
    { older: "첫째 문장입니다.", newer: "첫째 문장입니다.", isSame: true },
    { older: "1년 보관합니다.", newer: "2년 보관합니다.", isSame: false },
  ]);
});

test("only an administrator compares versions of an agreement", async () => {
  await publishTwo();
  const admin = await createAdministratorSession();
  await expect(compareAgreements(scopeFor(admin), { code: "nothing" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(compareAgreements(scopeFor(admin), { code: "terms", from: "1999" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(compareAgreements(scopeFor(await createMemberSession()), { code: "terms" })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});
