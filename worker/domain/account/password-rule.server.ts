const OWN_WORD_MIN = 4;

/** Why a password that keeps the rules is refused all the same, in Korean; null when it is good. */
export function passwordProblem(password: string, ownWords: string[]): string | null {
  const lower = password.toLowerCase();
  const own = ownWords
    .map((word) => word.toLowerCase().split("@")[0] ?? "")
    .filter((word) => word.length >= OWN_WORD_MIN);
  if (own.some((word) => lower.includes(word))) return "비밀번호에 아이디나 이메일을 넣을 수 없습니다.";
  return null;
}
