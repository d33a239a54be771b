import { expect, test } from "vitest";
import { readConfig } from "#worker/config.ts";

// Alone, as a new instance reads it: before anything else of the Worker is loaded.
test("settings that are missing are named in Korean", () => {
  expect(() => readConfig({})).toThrow(
    /^설정이 올바르지 않습니다\. PRODUCT_CODE: 필수 항목입니다\. .*JWT_SECRET: 필수 항목입니다\./,
  );
});
