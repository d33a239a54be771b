import { DEFAULT_HOME_PARTS } from "#worker/contract/kernel/setting/site-setting.ts";

export const NEW_IDENTITY = {
  words: {},
  color: "teal",
  hasCenters: true,
  hasCaseReport: true,
  hasProposals: false,
  home: DEFAULT_HOME_PARTS,
  actions: null,
  homeBoards: ["notice", "reference"],
  footerLinks: [],
  footerText: "",
};

export const ENGLISH_SITE = {
  siteName: "The Network",
  productName: "",
  description: "What it is",
  organization: "Office",
  address: "1 Street, Seoul",
  copyright: "",
  footerText: "",
};

export const WHITE_PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4////fwAJ+wP9KobjigAAAABJRU5ErkJggg==";
