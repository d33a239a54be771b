import { LocalError } from "./local-error.ts";

/** What stands in wrangler.toml. @throws LocalError with what has to be changed before a deployment */
export function checkDeploySettings(settings: string): void {
  if (/^(database_id|id) = "0[0-]*\d?"/m.test(settings)) {
    throw new LocalError("wrangler.toml의 database_id와 KV id를 만든 값으로 바꾸어 주십시오(README 'Deploy').");
  }
  if (!/^MESSAGE_TRANSPORT = "resend"/m.test(settings)) {
    throw new LocalError('wrangler.toml의 MESSAGE_TRANSPORT는 "resend"여야 합니다.');
  }
  // No line may say otherwise, also not one for another environment.
  const factors = [...settings.matchAll(/^\s*SECOND_FACTOR\s*=\s*(.*)$/gm)].map(([, value]) => value?.trim());
  if (factors.length === 0 || factors.some((value) => value !== '"required"')) {
    throw new LocalError('wrangler.toml의 SECOND_FACTOR는 "required"여야 합니다. 관리자는 2단계 인증을 써야 합니다.');
  }
  if (/^SITE_ORIGIN = "(https:\/\/pid\.example\.kr"|(?!https:))/m.test(settings)) {
    throw new LocalError(
      "wrangler.toml의 SITE_ORIGIN을 이 사이트의 https 주소로 바꾸어 주십시오. 메일의 링크가 됩니다.",
    );
  }
  if (/^MAIL_FROM = "[^"]*@pid\.example\.kr/m.test(settings)) {
    throw new LocalError("wrangler.toml의 MAIL_FROM을 Resend에 등록한 보내는 주소로 바꾸어 주십시오.");
  }
}
