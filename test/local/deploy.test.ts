import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { checkDeploySettings } from "#worker/local/deploy-settings.ts";

const stored = readFileSync(resolve(import.meta.dirname, "../../wrangler.toml"), "utf8");
/** As after the README's steps. */
const ready = stored
  .replace(/^(database_id|id) = "0[^"]*"/gm, '$1 = "4f3c9a1e2b7d4c6f8a0b1c2d3e4f5a6b"')
  .replace(/^MESSAGE_TRANSPORT = .*$/m, 'MESSAGE_TRANSPORT = "resend"')
  .replace(/^SITE_ORIGIN = .*$/m, 'SITE_ORIGIN = "https://network.or.kr"')
  .replace(/^MAIL_FROM = .*$/m, 'MAIL_FROM = "연구망 <office@network.or.kr>"');

test("what the README's steps leave is deployed, and the placeholders are not", () => {
  expect(() => checkDeploySettings(ready)).not.toThrow();
  expect(() => checkDeploySettings(stored)).toThrow("README 'Deploy'");
});

const line = /^SECOND_FACTOR = "required"$/m;
const WITHOUT = {
  "another mode": ready.replace(line, 'SECOND_FACTOR = "offered"'),
  "no line": ready.replace(line, ""),
  "a line that is a comment": ready.replace(line, '# SECOND_FACTOR = "required"'),
  "an empty value": ready.replace(line, 'SECOND_FACTOR = ""'),
  "another mode for another environment": `${ready}\n[env.other.vars]\n  SECOND_FACTOR = "offered"\n`,
};
test.each(Object.entries(WITHOUT))("a second factor that is not required is refused: %s", (_name, settings) => {
  expect(settings).not.toBe(ready);
  expect(() => checkDeploySettings(settings)).toThrow('SECOND_FACTOR는 "required"여야 합니다');
});

test("mail that goes nowhere, an address that is not https, and a sender of the sample are refused", () => {
  const refused = (from: RegExp, to: string) => () => checkDeploySettings(ready.replace(from, to));
  expect(refused(/^MESSAGE_TRANSPORT = "resend"/m, 'MESSAGE_TRANSPORT = "outbox"')).toThrow("MESSAGE_TRANSPORT");
  expect(refused(/"https:\/\/network/, '"http://network')).toThrow("SITE_ORIGIN");
  expect(refused(/office@network\.or\.kr/, "office@pid.example.kr")).toThrow("MAIL_FROM");
});
