import { HONG, KIM, TWO, rows, csv, HEAD_1, HEAD_2, BOTH_1_2, BOTH_2_3, type SheetHabit } from "./habit-words.ts";
import { sheetFile } from "./sheet-files.ts";

const header = (
  habit: string,
  heads: string[],
  cells: unknown[],
  people: SheetHabit["people"],
  says: string[] = [],
) => ({
  habit,
  bytes: () => sheetFile([heads, cells]),
  people,
  says: [HEAD_1, ...says],
});

/** Habits of header rows and of the first table row. */
export const HEADER_HABITS: SheetHabit[] = [
  { habit: "a plain table", bytes: () => sheetFile(rows()), people: TWO, says: [HEAD_1] },
  {
    habit: "a title above",
    bytes: () => sheetFile(rows(["총동문회 명부"])),
    people: TWO,
    says: [HEAD_2, "제목 1행을 뺐습니다: 1행 ‘총동문회 명부’"],
  },
  {
    habit: "a merged title, a date and an empty row above",
    bytes: () => sheetFile(rows(["동문 명부"], [null, "2026. 3. 2. 현재"], []), { merges: ["A1:B1"] }),
    people: TWO,
    says: ["머리글은 4행입니다.", "제목 2행을 뺐습니다: 1행 ‘동문 명부’, 2행 ‘2026. 3. 2. 현재’"],
  },
  {
    habit: "a title that names the cohort",
    bytes: () => sheetFile(rows(["제12기 동문 명부"])),
    people: TWO,
    says: [
      HEAD_2,
      "제목 1행을 뺐습니다: 1행 ‘제12기 동문 명부’",
      "표 위의 제목 ‘제12기 동문 명부’에서 찾은 값: 기수 12",
    ],
  },
  {
    habit: "twelve lines of guidance above",
    bytes: () => sheetFile(rows(...Array.from({ length: 12 }, (_, at) => [`※ ${at + 1}. 작성 요령`]))),
    people: TWO,
    says: [
      "머리글은 13행입니다.",
      "제목 12행을 뺐습니다: 1행 ‘※ 1. 작성 요령’, 2행 ‘※ 2. 작성 요령’, 3행 ‘※ 3. 작성 요령’ 외 9",
    ],
  },
  {
    habit: "empty columns to the left",
    bytes: () =>
      sheetFile([
        [null, null, "이름", "휴대전화"],
        [null, null, ...HONG],
      ]),
    people: ["name mobile", HONG],
    says: [HEAD_1],
  },
  {
    habit: "two rows, a group merged over its columns",
    bytes: () =>
      sheetFile(
        [
          ["이름", "연락처", null, "소속"],
          [null, "휴대폰", "이메일", null],
          ["홍길동", "010-0000-0001", "a@b.kr", "한빛병원"],
        ],
        { merges: ["A1:A2", "B1:C1", "D1:D2"] },
      ),
    people: ["name mobile email affiliation", ["홍길동", "010-0000-0001", "a@b.kr", "한빛병원"]],
    says: [BOTH_1_2],
  },
  {
    habit: "two rows saved as csv, without their merges",
    fileName: "명부.csv",
    bytes: () => csv("이름,연락처,,소속", ",휴대폰,이메일,", "홍길동,010-0000-0001,a@b.kr,한빛병원"),
    people: ["name mobile email affiliation", ["홍길동", "010-0000-0001", "a@b.kr", "한빛병원"]],
    says: [BOTH_1_2],
  },
  {
    habit: "groups above a whole header",
    bytes: () =>
      sheetFile(
        [
          ["인적사항", null, "근무처", null],
          ["성명", "기수", "병원명", "직위"],
          ["홍길동", "3기", "한빛병원", "과장"],
        ],
        { merges: ["A1:B1", "C1:D1"] },
      ),
    people: ["name cohort affiliation position", ["홍길동", "3기", "한빛병원", "과장"]],
    says: [BOTH_1_2],
  },
  {
    habit: "the same words under two groups",
    bytes: () =>
      sheetFile(
        [
          ["성명", "자택", null, "직장", null],
          [null, "우편번호", "주소", "우편번호", "주소"],
          ["홍길동", "03080", "서울 가상로 1", "04763", "서울 없는로 2"],
        ],
        { merges: ["A1:A2", "B1:C1", "D1:E1"] },
      ),
    people: ["name zipCode address", ["홍길동", "03080", "서울 가상로 1"]],
    says: [BOTH_1_2],
  },
  {
    habit: "a title above two rows of header",
    bytes: () =>
      sheetFile(
        [["동문회"], ["이름", "연락처", null], [null, "휴대폰", "메일"], ["홍길동", "010-0000-0001", "a@b.kr"]],
        {
          merges: ["A1:C1", "A2:A3", "B2:C2"],
        },
      ),
    people: ["name mobile email", ["홍길동", "010-0000-0001", "a@b.kr"]],
    says: [BOTH_2_3, "제목 1행을 뺐습니다: 1행 ‘동문회’"],
  },
  {
    habit: "English below Korean",
    bytes: () => sheetFile([["성명", "휴대폰"], ["Name", "Mobile"], HONG, KIM]),
    people: TWO,
    says: [BOTH_1_2],
  },
  {
    habit: "equal headers",
    bytes: () =>
      sheetFile([
        ["이름", "전화", "전화"],
        ["홍길동", "02-000-0001", "031-000-0002"],
      ]),
    people: ["name phone", ["홍길동", "02-000-0001"]],
    says: [HEAD_1, "같은 머리글을 번호로 나누었습니다: ‘전화 (2)’"],
  },
  {
    habit: "no header",
    bytes: () =>
      sheetFile([
        [...HONG, "한빛병원"],
        [...KIM, "새봄의원"],
      ]),
    people: ["name mobile affiliation", [...HONG, "한빛병원"], [...KIM, "새봄의원"]],
    says: ["머리글이 없어 값을 보고 열을 짐작했습니다. 첫 행부터 사람으로 읽었습니다."],
  },
  {
    habit: "a header of emoji",
    bytes: () => sheetFile([["😀", "📞"], HONG, KIM]),
    people: TWO,
    says: [HEAD_1],
  },
  {
    habit: "an empty head over mail addresses",
    bytes: () =>
      sheetFile([
        ["이름", null],
        ["홍길동", "hong@pid.example.kr"],
      ]),
    people: ["name email", ["홍길동", "hong@pid.example.kr"]],
    says: [HEAD_1],
  },
  {
    habit: "line breaks and stars in headers",
    bytes: () => sheetFile([["성 명*", "휴대\n전화"], HONG]),
    people: ["name mobile", HONG],
    says: [HEAD_1],
  },
  {
    habit: "headers repeated on each printed page",
    bytes: () => sheetFile([["이름", "휴대전화"], HONG, ["이름", "휴대전화"], KIM]),
    people: TWO,
    says: [HEAD_1, "되풀이된 머리글 1행을 뺐습니다: 3행 ‘이름 휴대전화’"],
  },
  header("현 근무처", ["성명", "현 근무처"], ["홍길동", "한빛병원"], ["name affiliation", ["홍길동", "한빛병원"]]),
  header("졸업년월", ["성명", "졸업년월"], ["홍길동", "2004.02"], ["name graduationYear", ["홍길동", "2004.02"]]),
  header("자택 우편번호", ["성명", "자택 우편번호"], ["홍길동", "03080"], ["name zipCode", ["홍길동", "03080"]]),
  header("E-mail Address", ["Name", "E-mail Address"], ["홍길동", "a@b.kr"], ["name email", ["홍길동", "a@b.kr"]]),
  header("휴대폰번호 with a hint in brackets", ["성명(한글)", "휴대폰번호(-포함)"], HONG, ["name mobile", HONG]),
  header("H.P", ["성 명", "H.P"], HONG, ["name mobile", HONG]),
  header(
    "연락처(직장) beside 연락처(휴대폰)",
    ["이름", "연락처(직장)", "연락처(휴대폰)"],
    ["홍길동", "02-000-0001", "010-0000-0001"],
    ["name phone mobile", ["홍길동", "02-000-0001", "010-0000-0001"]],
  ),
  header(
    "연락처 that holds the office's line",
    ["이름", "연락처"],
    ["홍길동", "02-000-0001"],
    ["name phone", ["홍길동", "02-000-0001"]],
  ),
  header("전화번호 that holds mobiles", ["이름", "전화번호"], HONG, ["name mobile", HONG]),
  header(
    "직장명/부서/직책",
    ["성함", "직장명", "진료과", "직책"],
    ["홍길동", "한빛병원", "내과", "과장"],
    ["name affiliation department position", ["홍길동", "한빛병원", "내과", "과장"]],
  ),
  header(
    "이름/성명",
    ["이름/성명", "소속기관명"],
    ["홍길동", "한빛병원"],
    ["name affiliation", ["홍길동", "한빛병원"]],
  ),
  header(
    "우편물 수령지",
    ["성명", "우편물 수령지"],
    ["홍길동", "서울 가상로 1"],
    ["name address", ["홍길동", "서울 가상로 1"]],
  ),
  header("졸업 기수", ["동문성명", "졸업 기수"], ["홍길동", 3], ["name cohort", ["홍길동", "3"]]),
  header(
    "the number of the row is no cohort",
    ["연번", "성명", "기"],
    [1, "홍길동", 3],
    ["name cohort", ["홍길동", "3"]],
  ),
  header("한자명 is no name", ["성명(한자)", "성명"], ["洪吉童", "홍길동"], ["name", ["홍길동"]]),
  header(
    "somebody else's telephone",
    ["성명", "배우자 연락처", "휴대폰"],
    ["홍길동", "010-0000-0009", "010-0000-0001"],
    ["name mobile", HONG],
  ),
  {
    habit: "two lines of header with merged groups above telephones and postcodes",
    bytes: () =>
      sheetFile(
        [
          ["이름", "연락처", null, "자택주소", null],
          [null, "휴대전화", "직장전화", "우편번호", "도로명주소"],
          ["홍길동", "010-0000-0001", "02-000-0001", "03080", "서울 가상로 1"],
        ],
        { merges: ["A1:A2", "B1:C1", "D1:E1"] },
      ),
    people: ["name mobile phone zipCode address", ["홍길동", "010-0000-0001", "02-000-0001", "03080", "서울 가상로 1"]],
    says: ["머리글은 1~2행입니다. 한 줄로 이어 읽었습니다."],
  },
  header(
    "a group's text before the word",
    ["성명", "연락처 직장전화", "자택주소 우편번호"],
    ["홍길동", "02-000-0001", "03080"],
    ["name phone zipCode", ["홍길동", "02-000-0001", "03080"]],
  ),
  header(
    "a name below a group may be another person's",
    ["성명", "추천 이름"],
    ["홍길동", "김하나"],
    ["name", ["홍길동"]],
  ),
  header("last four digits", ["성명", "휴대폰 뒷자리"], ["홍길동", "0001"], ["name mobile", ["홍길동", "0001"]]),
  header("an unknown word over mobiles", ["성명", "폰"], HONG, ["name mobile", HONG]),
  header(
    "full-width and spaced headers",
    ["이 름", "Ｅ－ｍａｉｌ", "직　장"],
    ["홍길동", "a@b.kr", "한빛병원"],
    ["name email affiliation", ["홍길동", "a@b.kr", "한빛병원"]],
  ),
  {
    habit: "contacts exported by Google",
    fileName: "google-contacts.csv",
    bytes: () =>
      csv(
        "First Name,Middle Name,Last Name,Organization Name,Organization Title,Organization Department,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Formatted",
        "길동,,홍,한국병원,과장,내과,,* myContacts,* Work,hong@example.com,Mobile,+82 10-1234-5679,서울시 종로구 1",
        "John,H.,Smith,한국병원,부장,외과,,* myContacts,* Work,john@example.com,Mobile,+82 10-1234-5680,서울시 종로구 2",
      ),
    people: [
      "name affiliation position department memo email mobile address",
      ["홍길동", "한국병원", "과장", "내과", "", "hong@example.com", "+82 10-1234-5679", "서울시 종로구 1"],
      ["John H. Smith", "한국병원", "부장", "외과", "", "john@example.com", "+82 10-1234-5680", "서울시 종로구 2"],
    ],
    says: [HEAD_1, "성과 이름 열을 이어 이름으로 읽었습니다(2명): ‘홍’ + ‘길동’ → ‘홍길동’"],
  },
  header(
    "contacts exported by Outlook",
    ["Title", "First Name", "Middle Name", "Last Name", "Company", "Job Title", "Mobile Phone", "E-mail Address"],
    ["Dr.", "길동", "", "남궁", "한빛병원", "과장", "010-0000-0001", "a@b.kr"],
    ["name affiliation position mobile email", ["남궁길동", "한빛병원", "과장", "010-0000-0001", "a@b.kr"]],
    ["성과 이름 열을 이어 이름으로 읽었습니다(1명): ‘남궁’ + ‘길동’ → ‘남궁길동’"],
  ),
  header(
    "contacts exported by Outlook in Korean",
    ["이름", "중간 이름", "성", "회사", "직함", "휴대폰", "전자 메일 주소"],
    ["길동", "", "홍", "한빛병원", "과장", "010-0000-0001", "a@b.kr"],
    ["name affiliation position mobile email", ["홍길동", "한빛병원", "과장", "010-0000-0001", "a@b.kr"]],
    ["성과 이름 열을 이어 이름으로 읽었습니다(1명): ‘홍’ + ‘길동’ → ‘홍길동’"],
  ),
  header(
    "contacts exported by Naver",
    ["성", "이름", "휴대폰번호", "이메일주소"],
    ["홍", "길동", "010-0000-0001", "a@b.kr"],
    ["name mobile email", ["홍길동", "010-0000-0001", "a@b.kr"]],
    ["성과 이름 열을 이어 이름으로 읽었습니다(1명): ‘홍’ + ‘길동’ → ‘홍길동’"],
  ),
  header(
    "contacts of Apple with the family name in the column of the given name",
    ["Given name", "Family name", "Phone"],
    ["홍", "길동", "010-0000-0001"],
    ["name mobile", ["홍길동", "010-0000-0001"]],
    ["성과 이름 열을 이어 이름으로 읽었습니다(1명): ‘길동’ + ‘홍’ → ‘홍길동’"],
  ),
  header(
    "a whole name next to the family name",
    ["성", "이름", "휴대전화"],
    ["홍", "홍길동", "010-0000-0001"],
    ["name mobile", HONG],
    ["성과 이름 열을 이어 이름으로 읽었습니다(1명): ‘홍’ + ‘홍길동’ → ‘홍길동’"],
  ),
  header(
    "a column of sexes that is called 성",
    ["이름", "성", "휴대전화"],
    ["홍길동", "남", "010-0000-0001"],
    ["name mobile", HONG],
  ),
  header(
    "a third column with the whole name",
    ["Name", "Given Name", "Family Name", "Mobile"],
    ["홍길동", "길동", "홍", "010-0000-0001"],
    ["name mobile", HONG],
  ),
  {
    habit: "texts kept by a formula",
    fileName: "명부.csv",
    bytes: () => csv("이름,휴대전화,우편번호", '홍길동,"=""010-0000-0001""",="03080"'),
    people: ["name mobile zipCode", [...HONG, "03080"]],
    says: [HEAD_1],
  },
  {
    habit: "texts kept by a formula that was saved as text",
    bytes: () =>
      sheetFile([
        ["이름", "휴대전화"],
        ["홍길동", '="010-0000-0001"'],
      ]),
    people: ["name mobile", HONG],
    says: [HEAD_1],
  },
];
