export type DemoFileKind = "pdf" | "hwp" | "hwpx" | "xlsx" | "docx" | "zip" | "txt" | "png";

export type DemoFile = { fileName: string; kind: DemoFileKind };

export type DemoReply = {
  by: number | "admin";
  content: string;
};

export type DemoComment = {
  by: number;
  content: string;
  hoursAfter: number;
  replies?: DemoReply[];
};

export type DemoItem = {
  title: string;
  category: string;
  /** HTML: p h2 h3 ul ol li strong em table thead tbody tr th td a br blockquote hr */
  content: string;
  hoursAgo: number;
  isPinned?: boolean;
  showItemToMain?: boolean;
  /** Korean time: 2026-12-11T09:30, or 2026-12-11 for whole days. */
  event?: { start: string; end: string; place: string; deadline?: string; isCancelled?: boolean };
  viewCount: number;
  writer: "admin" | number;
  files?: DemoFile[];
  comments?: DemoComment[];
};

export type DemoMember = {
  /** Lower-case latin letters and digits. */
  userId: string;
  userName: string;
  email: string;
  mobile: string;
  affiliation: string;
  department: string;
  specialty: string;
};

export type DemoCenter = {
  regionCode: string;
  regionName: string;
  centerName: string;
  director: string;
  address: string;
  phone: string;
  fax: string;
  url: string;
  directions: string;
  introduction: string;
};

export type DemoAgreement = {
  code: string;
  title: string;
  required: boolean;
  version: string;
  content: string;
  /** YYYY-MM-DD */
  effectiveDate: string;
};

export type DemoSite = {
  siteName: string;
  productName: string;
  description: string;
  contact: { organization: string; address: string; phone: string; fax: string; email: string };
  copyright: string;
};

export type DemoProfileInputType = "text" | "textarea" | "phone" | "email" | "date" | "select" | "radio" | "checkbox";

export type DemoProfileField = {
  code: string;
  name: string;
  inputType: DemoProfileInputType;
  required: boolean;
  detail: string[];
  englishName: string;
  englishDetail?: string[];
  order: number;
};

export type DemoPageCode =
  | "about"
  | "target"
  | "registration"
  | "residence"
  | "organization"
  | "registry"
  | "proposal"
  | "rules";

export type DemoPage = {
  title: string;
  content: string;
};
