// npm run deploy: checks what a deployment needs, notes the way back, migrates, builds and deploys.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuild } from "./build.ts";
import { LocalError } from "./local-error.ts";
import { DATABASE_NAME, runCommand, migrateDatabase, PROJECT_ROOT, runWrangler } from "./wrangler.ts";

const SECRETS = ["JWT_SECRET", "PASSWORD_PEPPER", "SIGNING_SECRET", "BACKUP_KEY", "RESEND_API_KEY"];

await runCommand(() => {
  const settings = readFileSync(join(PROJECT_ROOT, "wrangler.toml"), "utf8");
  if (/(database_id|^id) = "0[0-]*"/m.test(settings)) {
    throw new LocalError("wrangler.toml의 database_id와 KV id를 만든 값으로 바꾸어 주십시오(README '배포').");
  }
  if (!/^MESSAGE_TRANSPORT = "resend"/m.test(settings)) {
    throw new LocalError('wrangler.toml의 MESSAGE_TRANSPORT는 "resend"여야 합니다.');
  }
  if (!/^SECOND_FACTOR = "required"/m.test(settings)) {
    throw new LocalError('wrangler.toml의 SECOND_FACTOR는 "required"여야 합니다. 관리자는 2단계 인증을 써야 합니다.');
  }
  if (/^SITE_ORIGIN = "(https:\/\/pid\.example\.kr"|(?!https:))/m.test(settings)) {
    throw new LocalError(
      "wrangler.toml의 SITE_ORIGIN을 이 사이트의 https 주소로 바꾸어 주십시오. 메일의 링크가 됩니다.",
    );
  }
  const held = (JSON.parse(runWrangler(["secret", "list", "--format", "json"])) as { name: string }[]).map(
    ({ name }) => name,
  );
  const missing = SECRETS.filter((name) => !held.includes(name));
  if (missing.length > 0) {
    throw new LocalError(`비밀 값이 없습니다: ${missing.join(", ")}. npx wrangler secret put 이름 으로 넣어 주십시오.`);
  }
  ensureBuild();
  console.log("되돌릴 지점(migration 전의 데이터베이스):");
  runWrangler(["d1", "time-travel", "info", DATABASE_NAME], true);
  migrateDatabase({ remote: true });
  runWrangler(["deploy"], true);
});
