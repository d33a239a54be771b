import { LocalError } from "./local-error.ts";

export const REQUIRED_SECRETS = ["JWT_SECRET", "PASSWORD_PEPPER", "SIGNING_SECRET", "BACKUP_KEY", "RESEND_API_KEY"];

/** Returns the top of wrangler.toml, or the part below `[env.NAME]`. */
export function settingsOf(settings: string, environment = ""): string {
  const begin = settings.search(/^\[env\./m);
  const top = begin < 0 ? settings : settings.slice(0, begin);
  if (environment === "") return top;
  const tables = settings.slice(top.length).split(/^(?=\[)/m);
  const own = tables.filter((table) => table.replace(/^\[+env\./, "").startsWith(environment));
  if (own.length === 0) throw new LocalError(`wrangler.toml에 [env.${environment}]이 없습니다.`);
  return own.join("");
}

export function checkDeploySettings(all: string, environment = ""): void {
  const settings = settingsOf(all, environment);
  if (!/^MESSAGE_TRANSPORT = "resend"/m.test(settings)) {
    throw new LocalError('wrangler.toml의 MESSAGE_TRANSPORT는 "resend"여야 합니다.');
  }
  // Checks every environment.
  const factors = [...all.matchAll(/^\s*SECOND_FACTOR\s*=\s*(.*)$/gm)].map(([, value]) => value?.trim());
  if (!/^SECOND_FACTOR = "required"$/m.test(settings) || factors.some((value) => value !== '"required"')) {
    throw new LocalError('wrangler.toml의 SECOND_FACTOR는 "required"여야 합니다. 관리자는 2단계 인증을 써야 합니다.');
  }
  if (/^SITE_ORIGIN = "(https:\/\/(?:[a-z]+\.)?pid\.example\.kr"|(?!https:))/m.test(settings)) {
    throw new LocalError(
      "wrangler.toml의 SITE_ORIGIN을 이 사이트의 https 주소로 바꾸어 주십시오. 메일의 링크가 됩니다.",
    );
  }
  if (/^MAIL_FROM = "[^"]*@pid\.example\.kr/m.test(settings)) {
    throw new LocalError("wrangler.toml의 MAIL_FROM을 Resend에 등록한 보내는 주소로 바꾸어 주십시오.");
  }
}

/** @throws LocalError for another region; a database cannot be moved afterwards */
export function checkRegion(name: string, info: string, wanted: string): void {
  const { running_in_region: region } = JSON.parse(info.slice(info.indexOf("{"))) as { running_in_region?: string };
  if (!region || region === wanted.toUpperCase()) return;
  throw new LocalError(
    `데이터베이스 ${name}의 위치가 ${wanted.toUpperCase()} 대신 ${region}이어서 한 번 오갈 때마다 0.2초쯤 느려집니다.\n` +
      `  새로 만들기(worker/OPERATIONS.md의 Move the database): npx wrangler d1 create ${name}-${wanted.toLowerCase()} --location ${wanted.toLowerCase()}\n` +
      `  그대로 배포: D1_REGION=${region} npm run deploy`,
  );
}

/** A sentence and a command for each answer of Cloudflare that an operator can mend. */
const FAILURES: [RegExp, (name: string, region: string) => string][] = [
  [
    /code: 10042\]|enable R2/i,
    (name) =>
      `이 계정에서 R2를 켜지 않았으니 Cloudflare 대시보드의 R2에서 켜고 버킷을 만들어 주십시오.\n  npx wrangler r2 bucket create ${name}`,
  ],
  [
    /code: 10006\]|bucket does not exist/i,
    (name) => `R2 버킷 ${name}이 이 계정에 없습니다.\n  npx wrangler r2 bucket create ${name}`,
  ],
  [
    /Couldn't find a D1 DB|code: 7404\]/,
    (name, region) =>
      `데이터베이스 ${name}이 이 계정에 없습니다.\n  npx wrangler d1 create ${name} --location ${region.toLowerCase()}`,
  ],
  [
    /More than one account|mandatory to specify an account ID/,
    () => "로그인한 사람의 계정이 여럿이니 하나를 지정해 주십시오.\n  CLOUDFLARE_ACCOUNT_ID=계정번호 npm run deploy",
  ],
  [
    /code: (?:10000|10001|9103|9106|9109|6003|6111)\]|Authentication (?:error|failed)/,
    () =>
      "이 로그인이나 CLOUDFLARE_API_TOKEN에 Workers Scripts, D1, R2, KV를 고칠 권한이 없습니다.\n  npx wrangler login",
  ],
  [
    /fetch failed|ENOTFOUND|ECONNREFUSED|ETIMEDOUT/,
    () => "Cloudflare에 연결하지 못하였으니 인터넷 연결을 확인해 주십시오.\n  npm run deploy",
  ],
];

/** Ends a failure of wrangler in one sentence and a command; an unknown one keeps the output of wrangler above it. */
export function explainFailure(message: string, region: string, done = ""): string {
  const [first = "", ...output] = message.split("\n");
  const [, command] = /^wrangler (.+) 명령이 실패하였습니다\.$/m.exec(message) ?? [];
  if (command === undefined) return message;
  const name = command.slice(command.lastIndexOf(" ") + 1);
  const known = FAILURES.find(([pattern]) => pattern.test(message))?.[1](name, region);
  if (known && !done) return known;
  return known
    ? `${done} ${known}`
    : `${output.join("\n")}\n${done || first} 위의 내용을 확인하고 다시 실행해 주십시오.\n  npm run deploy`;
}

const LOCK_DAYS = 35;

/** Parses `wrangler r2 bucket lock list`; true if backups cannot be deleted for that period. */
export const isBucketLocked = (listed: string): boolean =>
  listed.split(/\n\s*\n/).some((rule) => {
    const [, days] = /^condition:\s+after ([\d.]+) days?/m.exec(rule) ?? [];
    return (
      /^enabled:\s+Yes/m.test(rule) &&
      /^prefix:\s+\(all prefixes\)/m.test(rule) &&
      (Number(days) >= LOCK_DAYS || /^condition:\s+indefinitely/m.test(rule))
    );
  });

export const lockAdvice = (bucket: string): string =>
  `백업 버킷 ${bucket}에 ${LOCK_DAYS}일 잠금이 없습니다. 누구든 백업을 지울 수 있으니 다음을 실행해 주십시오.\n` +
  `  npx wrangler r2 bucket lock add ${bucket} keep --prefix "" --retention-days ${LOCK_DAYS}`;
