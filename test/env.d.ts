/// <reference types="@cloudflare/vitest-plugin/types" />

declare namespace Cloudflare {
  interface Env {
    /** Bound by vitest.config.ts. */
    PASSWORD_PEPPER: string;
    BACKUP_KEY: string;
    HEALTH_TOKEN: string;
    TEST_DB: DurableObjectNamespace<import("./support/isolate-database.ts").IsolateDatabase>;
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
  }
}
