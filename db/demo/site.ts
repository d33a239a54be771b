import type { EnglishSite } from "#worker/contract/kernel/identity-setting.ts";
import { DEFAULT_SYNONYMS } from "#worker/contract/kernel/synonyms.ts";
import type { DemoProfileField, DemoSite } from "./types.ts";

export const demoSite: DemoSite = {
  siteName: "한국면역결핍질환연구망",
  productName: "선천성 면역결핍 질환",
  description:
    "선천성 면역결핍 질환 환자의 진단과 치료, 장기 예후를 함께 연구하는 전국 16개 권역센터의 공동 연구망입니다.",
  contact: {
    organization: "한국면역결핍질환연구망 운영사무국",
    address: "서울특별시 가온구 한빛대로 101, 한빛대학교병원 의생명연구동 5층",
    phone: "02-0000-0100",
    fax: "02-0000-0109",
    email: "office@pid.example.kr",
  },
  copyright: "© 2026 한국면역결핍질환연구망. All rights reserved.",
};

export const demoEnglishSite: EnglishSite = {
  siteName: "Korean Primary Immunodeficiency Network",
  productName: "Inborn errors of immunity",
  description:
    "Sixteen regional centres in Korea study the diagnosis, treatment and long-term outcome of inborn errors of immunity together.",
  organization: "Coordinating Office, Korean Primary Immunodeficiency Network",
  address: "5F Biomedical Research Building, Hanbit University Hospital, 101 Hanbit-daero, Gaon-gu, Seoul, Korea",
  copyright: "© 2026 Korean Primary Immunodeficiency Network. All rights reserved.",
  footerText: "",
};

export const demoSynonyms = `${DEFAULT_SYNONYMS}
레지스트리, 환자등록시스템, registry`;

export const demoProfileFields: DemoProfileField[] = [
  {
    code: "affiliation",
    name: "소속 기관",
    englishName: "Institution",
    inputType: "text",
    required: true,
    detail: [],
    order: 1,
  },
  {
    code: "department",
    name: "진료과·부서",
    englishName: "Department",
    inputType: "text",
    required: false,
    detail: [],
    order: 2,
  },
  {
    code: "specialty",
    name: "전공 분야",
    englishName: "Specialty",
    englishDetail: [
      "Paediatrics (allergy and immunology)",
      "Internal medicine (allergy and immunology)",
      "Infectious diseases",
      "Haematology and oncology",
      "Laboratory medicine",
      "Medical genetics",
      "Basic immunology",
      "Other",
    ],
    inputType: "select",
    required: true,
    detail: [
      "소아청소년과(알레르기·면역)",
      "내과(알레르기·면역)",
      "감염내과",
      "혈액종양",
      "진단검사의학",
      "의학유전학",
      "기초면역학",
      "기타",
    ],
    order: 3,
  },
  { code: "phone", name: "연락처", englishName: "Telephone", inputType: "phone", required: true, detail: [], order: 4 },
  {
    code: "interests",
    name: "관심 연구 분야",
    englishName: "Research interests",
    englishDetail: [
      "Antibody deficiency",
      "Combined immunodeficiency",
      "Phagocyte disorders",
      "Complement deficiency",
      "Immune dysregulation",
      "Newborn screening",
      "Haematopoietic stem cell transplantation",
      "Genetic diagnosis",
    ],
    inputType: "checkbox",
    required: false,
    detail: [
      "항체결핍",
      "복합면역결핍",
      "식세포 이상",
      "보체 결핍",
      "면역조절 이상",
      "신생아 선별검사",
      "조혈모세포이식",
      "유전자 진단",
    ],
    order: 5,
  },
  {
    code: "memberType",
    name: "회원 구분",
    englishName: "Position",
    englishDetail: ["Specialist", "Resident", "Researcher", "Nurse", "Other"],
    inputType: "radio",
    required: true,
    detail: ["전문의", "전공의", "연구원", "간호사", "기타"],
    order: 6,
  },
];
