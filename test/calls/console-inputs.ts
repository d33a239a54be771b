export const templateInput = { subject: "인증번호 {{인증번호}}", text: "{{인증번호}}입니다." };
export const site = {
  siteName: "새 이름",
  productName: "",
  description: "",
  contact: { organization: "", address: "", phone: "", fax: "", email: "" },
  copyright: "",
  version: 1,
};
export const field = { name: "전공", inputType: "text", required: false, detail: [] };
export const board = {
  boardName: "공지",
  description: "",
  boardType: "list",
  categories: [],
  pageSize: 20,
  useComment: true,
  useSecret: false,
  useEvents: false,
  fileMaxCount: 5,
  fileMaxSize: 1000,
  fileExtensions: ["pdf"],
  grant: {},
  version: 1,
};
export const publish = {
  code: "terms",
  title: "약관",
  required: true,
  content: "<p>새 약관</p>",
  version: "2",
  effectiveDate: "2026-11-01T00:00:00Z",
  baseVersion: "1",
};
