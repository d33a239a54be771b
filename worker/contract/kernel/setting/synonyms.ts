/** Synonyms, one group per line, separated by commas. */
export const SYNONYM_TEXT_MAX = 5000;

const SYNONYM_LINES_MAX = 200;

export const DEFAULT_SYNONYMS = `MRI, 자기공명영상
CT, 컴퓨터단층촬영, 전산화단층촬영
PCR, 중합효소연쇄반응
IRB, 생명윤리위원회, 기관생명윤리위원회
CRF, 증례기록서, 증례보고서
심포지엄, 심포지움, symposium
워크숍, 워크샵, workshop
콘퍼런스, 컨퍼런스, conference
뉴스레터, 소식지
이메일, 전자우편, 메일
휴대전화, 휴대폰, 핸드폰
홈페이지, 누리집, 웹사이트
코로나19, COVID-19`;

const synonymLines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

export const synonymGroups = (text: string): string[][] =>
  synonymLines(text)
    .map((line) => [
      ...new Set(
        line
          .split(",")
          .map((word) => word.trim())
          .filter(Boolean),
      ),
    ])
    .filter((words) => words.length > 1);

export function synonymProblem(text: string): string | null {
  const lines = synonymLines(text);
  if (lines.length > SYNONYM_LINES_MAX) return `${SYNONYM_LINES_MAX}줄까지 적을 수 있습니다.`;
  const alone = lines.find((line) => synonymGroups(line).length === 0);
  return alone === undefined ? null : `‘${alone.trim()}’ 줄에 같은 뜻의 말을 쉼표로 나누어 둘 이상 적어 주십시오.`;
}
