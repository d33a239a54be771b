import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach } from "vitest";
import { seedBase } from "#db/seed.ts";

// Every test finds an empty, migrated database with roles and settings in it.
beforeEach(async () => {
  await reset();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
  await seedBase(env.DB, env);
});
