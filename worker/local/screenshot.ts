// node worker/local/screenshot.ts URL out.png [width] [height] [--full] [--cookie name=value]
import { parseArgs } from "node:util";
import { newPage } from "#test/e2e/support/browser.ts";
import { launchBrowser } from "#test/e2e/support/chromium.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { full: { type: "boolean", default: false }, cookie: { type: "string", multiple: true, default: [] } },
});
const [url, path, width = "1280", height = "900"] = positionals;
if (!url || !path) throw new Error("Usage: shoot.ts URL out.png [width] [height] [--full] [--cookie name=value]");

const browser = await launchBrowser();
const page = await newPage(browser, url, { width: Number(width), height: Number(height) });
for (const pair of values.cookie) {
  const [name = "", ...value] = pair.split("=");
  await page.context().addCookies([{ name, value: value.join("="), url }]);
}
page.on("pageerror", (error) => console.error(`pageerror: ${error.message}`));
page.on("console", (message) => message.type() === "error" && console.error(`console: ${message.text()}`));
const response = await page.goto(url, { waitUntil: "networkidle" });
await page.screenshot({ path, fullPage: values.full });
console.log(`${response?.status()} ${await page.title()}`);
await browser.close();
