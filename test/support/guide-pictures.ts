// Run by `npm run guide`: takes the pictures of the guide from the built site.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { GUIDE_PICTURE_SIZE, GUIDE_PICTURES } from "#app/features/site/guide/guide-text.ts";
import { callFromPage } from "../e2e/support/calls.ts";
import { launchBrowser } from "../e2e/support/chromium.ts";
import { ADMIN_CREDENTIALS, newSignedInPage } from "../e2e/support/signed-in-page.ts";
import { startTestSite } from "./test-site.ts";

const FOLDER = join(import.meta.dirname, "../../app/public/guide");

const site = await startTestSite();
const { DB } = await site.mf.getBindings<{ DB: D1Database }>();
// Hides optional features, because every society uses the same guide.
await DB.batch([
  DB.prepare(
    "UPDATE site_setting SET value = json_set(value, '$.siteName', '우리 모임', '$.productName', '') WHERE key = 'site'",
  ),
  DB.prepare(
    `INSERT INTO site_setting (key, value, modified_date) VALUES ('identity', '{"hasCenters":false,"hasCaseReport":false}', 1)
     ON CONFLICT (key) DO UPDATE SET value = json_patch(value, excluded.value)`,
  ),
]);
const browser = await launchBrowser();
const page = await newSignedInPage(browser, site.url, ADMIN_CREDENTIALS, GUIDE_PICTURE_SIZE);
await callFromPage(page, "PUT", "/api/admin/board", { boardCode: "press", boardName: "보도자료" });
await callFromPage(page, "PUT", "/api/admin/quick-link", { label: "회칙 보기", note: "", href: "/terms" });
await callFromPage(page, "PUT", "/api/admin/role", { roleCode: "editor", roleName: "편집 담당", permissions: [] });
mkdirSync(FOLDER, { recursive: true });
for (const [name, { path }] of Object.entries(GUIDE_PICTURES)) {
  await page.goto(path, { waitUntil: "networkidle" });
  const file = join(FOLDER, `${name}.jpg`);
  await page.screenshot({ path: file, type: "jpeg", quality: 60 });
  console.log(`${name}.jpg ${Math.round(statSync(file).size / 1024)} kB`);
}
await browser.close();
await site.dispose();
