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
    `데이터베이스 ${name}의 위치가 ${wanted.toUpperCase()} 대신 ${region}으로 되어 있습니다. 한 번 오갈 때마다 0.2초쯤 느려지고, 나중에 옮길 수 없습니다.\n` +
      `  새로 만들기: npx wrangler d1 create ${name} --location ${wanted.toLowerCase()}\n` +
      `  그대로 배포: D1_REGION=${region} npm run deploy`,
  );
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
