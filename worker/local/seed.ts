import { UNFINISHED_SQL } from "#db/page-stamps.ts";
import type { Config } from "#worker/config.ts";
import { LocalError } from "./local-error.ts";

export type SeedContent = "demo" | "empty" | "unfinished";
export type SiteBindings = { DB: D1Database; FILES: R2Bucket; KV: KVNamespace };

/**
 * Seeds only a new database and remembers the choice, so that demo accounts never enter an empty site. @returns the
 * content
 */
export async function seedOnce(
  storage: SiteBindings,
  wanted: "demo" | "empty",
  config: Pick<Config, "PRODUCT_CODE" | "PASSWORD_PEPPER">,
): Promise<SeedContent> {
  if (await storage.DB.prepare(UNFINISHED_SQL).first()) return "unfinished";
  const { seedBase } = await import("../../db/seed.ts");
  await seedBase(storage.DB);
  await storage.DB.prepare("CREATE TABLE IF NOT EXISTS _local_seed (content TEXT PRIMARY KEY)").run();
  const held = await storage.DB.prepare("SELECT content FROM _local_seed").first<SeedContent>("content");
  if (held === "demo" && wanted === "empty") {
    throw new LocalError(
      "시연 자료가 들어 있는 자료 폴더입니다. --empty에는 PERSIST_TO로 비어 있는 다른 폴더를 지정해 주십시오.",
    );
  }
  if (held) return held;
  if (wanted === "demo" && (await storage.DB.prepare("SELECT 1 FROM user LIMIT 1").first())) {
    throw new LocalError("시연 자료를 넣다가 멈춘 자료 폴더입니다. 그 폴더를 지우고 다시 시작해 주십시오.");
  }
  if (wanted === "demo") {
    const { writeDemo } = await import("../../db/demo/write.ts");
    await writeDemo(storage, config);
  }
  await storage.DB.prepare("INSERT INTO _local_seed (content) VALUES (?)").bind(wanted).run();
  return wanted;
}
