import { expect, test } from "vitest";
import { readConfig } from "#worker/config.ts";

// Loads the module alone, like a new instance, before anything else of the Worker.
test("missing settings are named in Korean", () => {
  expect(() => readConfig({})).toThrow(
    /^설정이 올바르지 않습니다\. PRODUCT_CODE: 필수 항목입니다\. .*JWT_SECRET: 필수 항목입니다\./,
  );
});
