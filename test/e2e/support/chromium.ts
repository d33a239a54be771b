import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, chromium } from "playwright-core";

const MODULES = resolve(import.meta.dirname, "../../../node_modules");
const PACKAGE = join(MODULES, "@sparticuz/chromium");
const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];
// Without these Chrome looks up hosts of its vendor at every start.
const OFFLINE = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
const fontsIn = (...folders: string[]) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>${folders.map((folder) => `<dir prefix="relative">${folder}</dir>`).join("")}<cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`;
/** The site's font: installed, it need not be downloaded and decoded for each page. */
const SITE_FONT = "../../../../pretendard/dist/public/variable";
// Playwright's own settings, which a second flag replaces.
const NO_WEB_FONTS =
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,downloadableBinaryFontsEnabled=false";

/** Uses CHROME_PATH, else the npm package (Linux x64), else an installed Chrome. @throws without a browser */
export async function launchBrowser({ hasSiteFont = false } = {}): Promise<Browser> {
  const { path, env } = await findBrowser();
  const own = env && hasSiteFont ? { ...env, FONTCONFIG_PATH: `${env.FONTCONFIG_PATH}/site` } : env;
  const args = ["--no-sandbox", ...OFFLINE, ...(own === env ? [] : [NO_WEB_FONTS])];
  return chromium.launch({ executablePath: path, env: { ...process.env, ...own }, args });
}

export async function findBrowser(): Promise<{ path: string; env?: Record<string, string> }> {
  if (process.env.CHROME_PATH) return { path: process.env.CHROME_PATH };
  if (platform() === "linux" && arch() === "x64") return unpackChromium();
  const path = INSTALLED.find((candidate) => existsSync(candidate));
  if (path) return { path };
  throw new Error("No browser: install Chrome, or name one in CHROME_PATH.");
}

/** Unpacks browser, libraries and fonts once; the package itself would unpack into /tmp. */
async function unpackChromium(): Promise<{ path: string; env: Record<string, string> }> {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const ready = join(MODULES, `.cache/chromium-${version}-site-font`);
  if (!existsSync(ready)) await unpackInto(ready);
  return {
    path: join(ready, "chromium"),
    env: { LD_LIBRARY_PATH: join(ready, "al2023/lib"), FONTCONFIG_PATH: join(ready, "fonts") },
  };
}

async function unpackInto(ready: string): Promise<void> {
  const unfinished = `${ready}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const { inflate } = await import("@sparticuz/chromium");
  const outside = process.env.TMPDIR;
  // `TMPDIR` is the only way to set the target of inflate().
  process.env.TMPDIR = unfinished;
  try {
    for (const name of ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"]) {
      await inflate(join(PACKAGE, "bin", name));
    }
  } finally {
    if (outside === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = outside;
  }
  // The config of the package names only /tmp/fonts, and Chromium crashes without a font.
  mkdirSync(join(unfinished, "fonts/site"));
  writeFileSync(join(unfinished, "fonts/fonts.conf"), fontsIn("fonts"));
  writeFileSync(join(unfinished, "fonts/site/fonts.conf"), fontsIn("../fonts", SITE_FONT));
  if (existsSync(ready)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, ready);
}
