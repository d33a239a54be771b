export const KOREAN_CONTENT_TEXTS = {
  previewTitle: "미리보기",
  preview: "발행하지 않은 초안입니다. 관리자에게만 보입니다.",
  department: "담당부서",
  modified: "최종수정일",
  contents: "목차",
  contentsLabel: "이 페이지의 목차",
  files: {
    title: "첨부파일",
    file: "파일",
    all: "모두 내려받기",
    download: "내려받기",
    preview: "바로보기",
    previewOf: (name: string) => `${name} 바로보기`,
    notAllowed: "첨부파일을 내려받을 권한이 없습니다.",
  },
};

export type ContentTexts = typeof KOREAN_CONTENT_TEXTS;
