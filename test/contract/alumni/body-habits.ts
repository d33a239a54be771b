import { HONG, KIM, TWO, rows, csv, HEAD_1, HEAD_2, type SheetHabit } from "./habit-words.ts";
import {
  encodeCp949,
  encodeUtf16,
  makeFile,
  makeOldFile,
  makeOpenDocument,
  openDocumentTable,
  sheetFile,
} from "./sheet-files.ts";

/** Layout habits between and around the rows of people. */
export const BODY_HABITS: SheetHabit[] = [
  {
    habit: "a cohort merged over its people",
    bytes: () =>
      sheetFile(
        [
          ["기수", "이름"],
          ["3기", "홍길동"],
          [null, "김하나"],
          ["4기", "박두리"],
        ],
        { merges: ["A2:A3"] },
      ),
    people: ["cohort name", ["3기", "홍길동"], ["3기", "김하나"], ["4기", "박두리"]],
    says: [HEAD_1, "병합된 칸의 값을 아래 1칸에 채웠습니다."],
  },
  {
    habit: "a cohort and a hospital merged each over its own rows",
    bytes: () =>
      sheetFile(
        [
          ["기수", "소속", "이름"],
          ["3기", "한빛병원", "홍길동"],
          [null, null, "김하나"],
          [null, "새봄의원", "박두리"],
        ],
        { merges: ["A2:A4", "B2:B3"] },
      ),
    people: [
      "cohort affiliation name",
      ["3기", "한빛병원", "홍길동"],
      ["3기", "한빛병원", "김하나"],
      ["3기", "새봄의원", "박두리"],
    ],
    says: [HEAD_1, "병합된 칸의 값을 아래 3칸에 채웠습니다."],
  },
  {
    habit: "a person over two rows",
    bytes: () =>
      sheetFile(
        [
          ["이름", "휴대전화", "메모"],
          ["홍길동", "010-0000-0001", "총무"],
          [null, "010-0000-0009", null],
          [...KIM, null],
        ],
        {
          merges: ["A2:A3", "C2:C3"],
        },
      ),
    people: ["name mobile memo", ["홍길동", "010-0000-0001, 010-0000-0009", "총무"], [...KIM, ""]],
    says: [HEAD_1, "병합된 칸의 값을 아래 1칸에 채웠습니다.", "이름이 병합된 1행을 윗사람의 행에 합쳤습니다."],
  },
  {
    habit: "titles of cohorts between the people",
    bytes: () => sheetFile([["이름", "휴대전화"], ["제3기 (1명)"], HONG, ["제4기 (1명)"], KIM]),
    people: ["name mobile cohort", [...HONG, "3"], [...KIM, "4"]],
    says: [HEAD_1, "묶음 제목 2행을 뺐습니다: 2행 ‘제3기 (1명)’, 4행 ‘제4기 (1명)’"],
  },
  {
    habit: "titles of years between the people",
    bytes: () => sheetFile([["이름", "휴대전화"], ["2004년 졸업"], HONG, ["2005년 졸업"], KIM]),
    people: ["name mobile graduationYear", [...HONG, "2004"], [...KIM, "2005"]],
    says: [HEAD_1, "묶음 제목 2행을 뺐습니다: 2행 ‘2004년 졸업’, 4행 ‘2005년 졸업’"],
  },
  {
    habit: "a note merged over the whole width below",
    bytes: () => sheetFile([...rows(), ["※ 변경 사항은 사무국으로 알려 주십시오."]], { merges: ["A4:B4"] }),
    people: TWO,
    says: [HEAD_1, "설명 1행을 뺐습니다: 4행 ‘※ 변경 사항은 사무국으로 알려 주십시오.’"],
  },
  // Rows that are no person
  {
    habit: "a total of the people",
    bytes: () =>
      sheetFile([
        ["연번", "이름", "휴대전화"],
        [1, ...HONG],
        [2, ...KIM],
        ["합계", "2명"],
      ]),
    people: TWO,
    says: [HEAD_1, "합계 1행을 뺐습니다: 4행 ‘합계 2명’"],
  },
  {
    habit: "a number of people where a name would stand",
    bytes: () => sheetFile([...rows(), ["9명"]]),
    people: TWO,
    says: [HEAD_1, "합계 1행을 뺐습니다: 4행 ‘9명’"],
  },
  {
    habit: "subtotals after each cohort",
    bytes: () =>
      sheetFile([
        ["기수", "이름"],
        [3, "홍길동"],
        ["소 계", "1명"],
        [4, "김하나"],
        ["소 계", "1명"],
        ["총 계", "2명"],
      ]),
    people: ["cohort name", ["3", "홍길동"], ["4", "김하나"]],
    says: [HEAD_1, "합계 3행을 뺐습니다: 3행 ‘소 계 1명’, 5행 ‘소 계 1명’, 6행 ‘총 계 2명’"],
  },
  {
    habit: "rows numbered in advance",
    bytes: () => sheetFile([["연번", "이름", "휴대전화"], [1, ...HONG], [2, ...KIM], [3], [4]]),
    people: TWO,
    says: [HEAD_1, "번호만 있는 행 2행을 뺐습니다: 4행 ‘3’, 5행 ‘4’"],
  },
  {
    habit: "the end said in words",
    bytes: () => sheetFile([...rows(), ["- 이하 여백 -"], ["이상입니다"]]),
    people: TWO,
    says: [HEAD_1, "설명 2행을 뺐습니다: 4행 ‘- 이하 여백 -’, 5행 ‘이상입니다’"],
  },
  {
    habit: "who wrote it, below",
    bytes: () => sheetFile([...rows(), [null, "작성자: 사무국 2026.3.2."]]),
    people: TWO,
    says: [HEAD_1, "설명 1행을 뺐습니다: 4행 ‘작성자: 사무국 2026.3.2.’"],
  },
  {
    habit: "the example of the template",
    bytes: () => sheetFile([["이름", "휴대전화"], ["홍길동(예시)", "010-0000-0000"], HONG, KIM]),
    people: TWO,
    says: [HEAD_1, "양식의 예시 1행을 뺐습니다: 2행 ‘홍길동(예시) 010-0000-0000’"],
  },
  {
    habit: "empty rows in between",
    bytes: () => sheetFile([["이름", "휴대전화"], HONG, [], [], KIM]),
    people: TWO,
    says: [HEAD_1],
  },
  {
    habit: "a person with a name alone",
    bytes: () => sheetFile([["이름", "휴대전화"], HONG, ["계영희"]]),
    people: ["name mobile", HONG, ["계영희", ""]],
    says: [HEAD_1],
  },
  {
    habit: "hidden rows",
    bytes: () => sheetFile(rows(), { hiddenRows: [3] }),
    people: TWO,
    says: [HEAD_1, "숨긴 행이 1행 있습니다: 3행"],
  },
  {
    habit: "every row hidden",
    bytes: () => sheetFile(rows(), { hiddenRows: [2, 3] }),
    people: TWO,
    says: [HEAD_1, "모든 행이 숨겨져 있습니다(2명)."],
  },
  {
    habit: "hidden columns",
    bytes: () => sheetFile(rows(), { hiddenColumns: ["B"] }),
    people: TWO,
    says: [HEAD_1, "숨긴 열이 있습니다: ‘휴대전화’"],
  },
  {
    habit: "a formula saved without its result",
    bytes: () => sheetFile(rows(), { cells: { B3: { t: "n", f: "B2" } } }),
    people: ["name mobile", HONG, ["김하나", "#NORESULT!"]],
    says: [HEAD_1, "결과가 저장되지 않은 수식이 1칸 있습니다: B3"],
  },
  {
    habit: "resident registration numbers in a column that nobody needs",
    bytes: () =>
      sheetFile([
        ["이름", "주민번호"],
        ["홍길동", "900101-1234567"],
      ]),
    people: ["name", ["홍길동"]],
    says: [HEAD_1, "‘주민번호’ 열에 주민등록번호로 보이는 값이 1칸 있습니다. 저장할 수 없습니다: B2 ‘900101-1******’"],
  },
  {
    habit: "a sheet for each cohort",
    bytes: () =>
      makeFile({
        "3기": {
          rows: [
            ["이름", "소속"],
            ["홍길동", "한빛병원"],
          ],
        },
        "4기": {
          rows: [
            ["성명", "직장"],
            ["김하나", "새봄의원"],
          ],
        },
      }),
    people: ["name affiliation", ["홍길동", "한빛병원"], ["김하나", "새봄의원"]],
    says: [HEAD_1, "시트 이름 ‘3기’에서 찾은 값: 기수 3", HEAD_1, "시트 이름 ‘4기’에서 찾은 값: 기수 4"],
  },
  {
    habit: "a guide before and counts behind",
    bytes: () =>
      makeFile({
        작성안내: { rows: [["이름은 반드시 적습니다."], ["이름", "휴대전화"], ["홍길동", "010-0000-0000"]] },
        명부: { rows: rows() },
        통계: {
          rows: [
            ["지역", "인원"],
            ["서울", 2],
          ],
        },
      }),
    people: TWO,
    says: [
      HEAD_1,
      "지나간 시트 ‘통계’: 머리글 행을 찾지 못했습니다. 첫 줄에 ‘이름’, ‘휴대전화’처럼 열의 이름을 적어 주십시오.",
      "지나간 시트 ‘작성안내’: 이름으로 보아 안내나 집계 시트입니다.",
    ],
  },
  {
    habit: "a hidden sheet beside",
    bytes: () =>
      makeFile({
        명부: { rows: [["이름", "휴대전화"], HONG] },
        예전: { rows: [["이름", "휴대전화"], KIM], isHidden: true },
      }),
    people: TWO,
    says: [HEAD_1, "숨긴 시트 ‘예전’", HEAD_1],
  },
  {
    habit: "a file for each cohort",
    fileName: "제7기_명부_최종.xlsx",
    bytes: () => sheetFile(rows()),
    people: TWO,
    says: [HEAD_1, "파일 이름 ‘제7기_명부_최종’에서 찾은 값: 기수 7"],
  },
  ...(["xlsm", "xlsb", "biff8", "ods", "xlml"] as const).map((format) => ({
    habit: `saved as ${format}`,
    bytes: () => sheetFile(rows(), {}, format),
    people: TWO,
    says: [HEAD_1],
  })),
  { habit: "saved by Excel 95", bytes: () => makeOldFile(rows()), people: TWO, says: [HEAD_1] },
  {
    habit: "csv of UTF-8 with its mark",
    bytes: () => csv("\ufeff이름,휴대전화", HONG.join(), KIM.join()),
    people: TWO,
    says: [HEAD_1],
  },
  {
    habit: "csv of CP949",
    bytes: () => encodeCp949(`이름,휴대전화\r\n${HONG.join()}\r\n${KIM.join()}\r\n`),
    people: TWO,
    says: [HEAD_1],
  },
  {
    habit: "Unicode text of Excel",
    bytes: () => encodeUtf16(`이름\t휴대전화\r\n${HONG.join("\t")}\r\n${KIM.join("\t")}\r\n`),
    people: TWO,
    says: [HEAD_1],
  },
  {
    habit: "Unicode text, high bytes first",
    bytes: () => encodeUtf16(`이름\t휴대전화\n${HONG.join("\t")}\n`, true),
    people: ["name mobile", HONG],
    says: [HEAD_1],
  },
  {
    habit: "txt set off by tabs",
    fileName: "명부.txt",
    bytes: () => csv("이름\t휴대전화", HONG.join("\t"), KIM.join("\t")),
    people: TWO,
    says: [HEAD_1],
  },
  {
    habit: "semicolons below a title with commas",
    bytes: () => csv("가, 나, 다, 라 동문회", "이름;휴대전화", HONG.join(";"), KIM.join(";")),
    people: TWO,
    says: [HEAD_2, "제목 1행을 뺐습니다: 1행 ‘가, 나, 다, 라 동문회’"],
  },
  {
    habit: "a line that names the sign",
    bytes: () => csv("sep=;", "이름;휴대전화", HONG.join(";")),
    people: ["name mobile", HONG],
    says: [HEAD_2],
  },
  {
    habit: "a web page named .xls",
    fileName: "명부.xls",
    bytes: () =>
      csv(
        "<html><head><style>td{}</style></head><body><table><tr><th>이름</th><th>휴대전화</th></tr>",
        `<tr><td>홍길동</td><td>010-0000-0001</td></tr><tr><td>김하나&nbsp;<td>010-0000-0002`,
        "</table>",
      ),
    people: TWO,
    says: [HEAD_1],
  },
  {
    habit: "a web page of CP949, of which cells reach over rows",
    fileName: "명부.xls",
    bytes: () =>
      encodeCp949(
        "<html><meta http-equiv=Content-Type content='text/html; charset=euc-kr'><table><tr><td>기수<td>이름<tr><td rowspan=2>3기<td>홍길동<tr><td>김하나</table>",
      ),
    people: ["cohort name", ["3기", "홍길동"], ["3기", "김하나"]],
    says: [HEAD_1, "병합된 칸의 값을 아래 1칸에 채웠습니다."],
  },
  {
    habit: "XML of Excel 2003 with a hidden row and a formula without result",
    fileName: "명부.xls",
    bytes: () =>
      csv(
        '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="명부"><Table><Row><Cell><Data ss:Type="String">이름</Data></Cell><Cell ss:Index="3"><Data ss:Type="String">소속</Data></Cell></Row>',
        '<Row ss:Index="4" ss:Hidden="1"><Cell><Data ss:Type="String">홍길동</Data></Cell><Cell ss:Index="3" ss:Formula="=A1"/></Row></Table></Worksheet></Workbook>',
      ),
    people: ["name affiliation", ["홍길동", "#NORESULT!"]],
    says: [HEAD_1, "모든 행이 숨겨져 있습니다(1명).", "결과가 저장되지 않은 수식이 1칸 있습니다: C4"],
  },
  {
    habit: "OpenDocument as LibreOffice writes it: cells that repeat, a merge, hidden rows, a million empty ones",
    fileName: "명부.ods",
    bytes: () =>
      makeOpenDocument(
        openDocumentTable([["기수", "이름", "휴대전화"]]).replace(
          "</table:table>",
          () =>
            '<table:table-row><table:table-cell table:number-rows-spanned="2" office:value-type="string"><text:p>3기</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>홍길동</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="1000000001"><text:p>010-0000-0001</text:p></table:table-cell></table:table-row>' +
            '<table:table-row table:visibility="filter"><table:covered-table-cell/><table:table-cell office:value-type="string"><office:annotation><text:p>메모</text:p></office:annotation><text:p>김하나</text:p></table:table-cell></table:table-row>' +
            '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>',
        ),
      ),
    people: ["cohort name mobile", ["3기", "홍길동", "010-0000-0001"], ["3기", "김하나", ""]],
    says: [HEAD_1, "병합된 칸의 값을 아래 1칸에 채웠습니다.", "숨긴 행이 1행 있습니다: 3행"],
  },
  {
    habit: "a cell that holds a whole table",
    bytes: () => csv("이름,메모", '홍길동,"가\t나', '다\t라"'),
    people: ["name memo", ["홍길동", "가\t나\n다\t라"]],
    says: [HEAD_1],
  },
];
