import { type AlumniValues, EMPTY_ALUMNI_VALUES, type PrivateField } from "#worker/contract/alumni/columns.ts";

const COUNT = 400;
const COHORTS = 20;
const FIRST_YEAR = 2004;

const FAMILY = [..."김이박최정강조윤장임한오서신권황안송류홍전고문양손배백허남심노하곽성차주우구민"];
const FIRST = [..."민서지현도하예수은재성영준진태승유나윤소연호가다해"];
const SECOND = [..."준우진호현서연아희은영원석훈민주경빈혁린율솔라온"];
const HOSPITALS = [
  ["한빛대학교병원", "서울특별시 종로구 한빛로", "03080", "02"],
  ["새봄대학교병원", "대전광역시 중구 새봄로", "35015", "042"],
  ["가온대학교병원", "광주광역시 동구 가온길", "61469", "062"],
  ["누리대학교병원", "부산광역시 서구 누리로", "49241", "051"],
  ["다솜의료원", "대구광역시 남구 다솜로", "42415", "053"],
  ["푸른솔병원", "경기도 수원시 영통구 솔빛로", "16499", "031"],
  ["은하수어린이병원", "인천광역시 남동구 은하로", "21565", "032"],
  ["온누리의원", "충청북도 청주시 흥덕구 온누리길", "28644", "043"],
  ["해오름병원", "강원특별자치도 춘천시 해오름로", "24289", "033"],
  ["바다빛의료원", "제주특별자치도 제주시 바다로", "63241", "064"],
  ["미르면역연구소", "경기도 성남시 분당구 미르로", "13620", "031"],
  ["달빛소아청소년과의원", "전북특별자치도 전주시 완산구 달빛길", "54907", "063"],
] as const;
const MAJORS = [
  ["소아청소년과학", "소아청소년과"],
  ["알레르기·면역학", "알레르기내과"],
  ["감염학", "감염내과"],
  ["혈액종양학", "소아혈액종양과"],
  ["진단검사의학", "진단검사의학과"],
  ["의학유전학", "의학유전학센터"],
  ["간호학", "간호부"],
] as const;
const POSITIONS = ["교수", "부교수", "조교수", "임상강사", "과장", "원장", "전공의", "연구원", "수간호사"];

interface DemoAlumni extends AlumniValues {
  openFields: PrivateField[];
}

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;
const spread = (at: number, step: number) => (at * step + (at >> 3) * 7) % 9973;

/** Fictional people with numbers in an unassigned block. The first is the demo member's own entry. */
export const demoAlumni: DemoAlumni[] = Array.from({ length: COUNT }, (_, at) => {
  const cohort = 1 + (at % COHORTS);
  const [affiliation, street, zipCode, area] = pick(HOSPITALS, spread(at, 31));
  const [major, department] = pick(MAJORS, spread(at, 17));
  const number = String(at + 1).padStart(4, "0");
  const own = at === 0;
  return {
    ...EMPTY_ALUMNI_VALUES,
    name: own ? "김하늘" : pick(FAMILY, spread(at, 13)) + pick(FIRST, spread(at, 29)) + pick(SECOND, spread(at, 47)),
    cohort,
    graduationYear: FIRST_YEAR + cohort,
    major,
    affiliation,
    department,
    position: pick(POSITIONS, spread(at, 11)),
    email: own ? "member01@pid.example.kr" : `alumni${number}@pid.example.kr`,
    mobile: `010-0000-${number}`,
    phone: `${area}-000-${number}`,
    zipCode,
    address: `${street} ${1 + (at % 90)}`,
    memo: at % 37 === 5 ? "총회 참석 확인 필요" : "",
    openFields: at % 3 === 1 ? ["email", "mobile"] : [],
  };
});
