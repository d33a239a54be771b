/** The names, states and habits of 300 people in one list, always the same. */

const FAMILIES = "김이박최정강조윤장임한오서신권황안송류홍";
const FIRST = "민서지수영현준은혜성";
const SECOND = "호연아우진희원정미경";

interface ListedPerson {
  name: string;
  written: string;
  isDead: boolean;
  cohort: number;
  mobile: string;
  email: string;
  memo: string;
}

const STYLES: ((name: string, at: number) => { written: string; isDead?: true })[] = [
  (name) => ({ written: name }),
  (name, at) => ({ written: `${name}${[" 교수", "교수님", " 원장", " 선생님", "(박사)", " 명예교수"][at % 6]}` }),
  (name, at) => ({ written: `${["Dr. ", "Prof. ", "Dr."][at % 3]}${name}` }),
  (name, at) => ({ written: `${name}${["(女)", " (남)", "(F)", "[여]", " 男"][at % 5]}` }),
  (name, at) => ({ written: at % 2 === 0 ? `${name[0]} ${name.slice(1)}` : [...name].join(" ") }),
  (name, at) => ({ written: `${["故 ", "故", "(故) ", "†", "고(故)"][at % 5]}${name}`, isDead: true }),
  (name, at) => ({
    written: `${name}${["(작고)", " (2019 작고)", " 사망", "†", "(별세)", "/작고"][at % 6]}`,
    isDead: true,
  }),
  (name) => ({ written: `故 ${name} 교수(男)`, isDead: true }),
  (name) => ({ written: name.normalize("NFD") }),
  (name) => ({ written: `${name[0]} ${name.slice(1)} 원장님` }),
];

const number = (at: number) => `010-${String(7100 + Math.floor(at / 50))}-${String(1000 + at * 7)}`;
const SIGNS = ["\n", ", ", " / ", "; ", " "];

const mobileOf = (at: number) => {
  if (at % 7 === 0) return `${number(at)}${SIGNS[(at / 7) % SIGNS.length]}02-740-${1000 + at}`;
  return at % 5 === 0 ? `+82 ${number(at).slice(1)}` : number(at);
};

export const listedPeople: ListedPerson[] = Array.from({ length: 300 }, (_, at) => {
  const name = `${FAMILIES[at % 20]}${FIRST[Math.floor(at / 20) % 10]}${SECOND[(at + Math.floor(at / 200)) % 10]}`;
  const { written, isDead = false } = STYLES[Math.floor(at / 3) % STYLES.length]?.(name, at) ?? { written: name };
  return {
    name,
    written,
    isDead,
    cohort: (at % 30) + 1,
    mobile: mobileOf(at),
    email: at % 4 === 0 ? "" : `person${at}@pid.example.kr`,
    memo: at % 6 === 0 ? "연락은 오후에\r\n우편은 집으로" : "",
  };
});

export const HABIT_HEADS = ["이름", "기수", "휴대전화", "이메일", "메모"];

export const habitRows = (people: readonly ListedPerson[]): [row: number, cells: string[]][] =>
  people.map(({ written, cohort, mobile, email, memo }, at) => [
    at + 2,
    [written, String(cohort), mobile, email, memo],
  ]);
