export type DemoFileKind = "pdf" | "hwp" | "hwpx" | "xlsx" | "docx" | "zip" | "txt" | "png";

export type DemoFile = { fileName: string; kind: DemoFileKind };

export type DemoReply = {
  /** Index in demoMembers, or the administrator. */
  by: number | "admin";
  content: string;
};

export type DemoComment = {
  /** Index in demoMembers. */
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
  /** By Korea's clock: 2026-12-11T09:30, or 2026-12-11 for whole days. */
  event?: { start: string; end: string; place: string; deadline?: string; isCancelled?: boolean };
  viewCount: number;
  /** The administrator, or an index in demoMembers. */
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
  /** One of the options of the profile field `specialty`. */
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
  /** Plain text. */
  directions: string;
  /** Plain text, paragraphs apart by an empty line. */
  introduction: string;
};

export type DemoAgreement = {
  code: string;
  title: string;
  required: boolean;
  version: string;
  /** HTML */
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
  /** HTML */
  content: string;
};
