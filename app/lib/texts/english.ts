import {
  englishMonth,
  formatEnglishDate,
  formatEnglishDateTime,
  formatShortEnglishDate,
} from "#app/lib/texts/english-dates.ts";
import type { ControlTexts, SiteTexts } from "#app/lib/texts/korean.ts";
import { englishRegionName } from "#worker/contract/kernel/provinces.ts";
import { englishPath, isKorean, koreanPath } from "#worker/contract/kernel/language.ts";
import type { FormTexts } from "#app/lib/texts/korean-form.ts";
import type { CenterTexts } from "#app/lib/texts/korean-center.ts";
import type { ContentTexts } from "#app/lib/texts/korean-content.ts";
import type { ResidenceTexts } from "#app/lib/texts/korean-residence.ts";
import type { ReaderSections } from "#app/lib/page-language.ts";
import {
  ENGLISH_BOARD_TEXTS,
  ENGLISH_SEARCH_TEXTS,
  ENGLISH_CALENDAR_TEXTS,
  ENGLISH_EVENT_TEXTS,
  ENGLISH_ITEM_TEXTS,
  ENGLISH_POST_TEXTS,
} from "#app/lib/texts/english-board.ts";

const NEW_WINDOW = "opens in a new window";

export const ENGLISH_TEXTS: SiteTexts = {
  language: "en",
  ogLocale: "en_GB",
  pathOf: englishPath,
  date: {
    date: formatEnglishDate,
    datetime: formatEnglishDateTime,
    long: formatEnglishDate,
    short: formatShortEnglishDate,
  },
  langOf: (text) => (isKorean(text) ? "ko" : undefined),
  hasWideNames: true,
  phone: (number) => number.replace(/^0(?=\d)/, "+82-"),
  regionName: (code) => englishRegionName(code),
  newWindow: NEW_WINDOW,
  newWindowShort: "(new window)",
  preparing: "This page is in preparation",
  shell: {
    home: "Home",
    skip: "Skip to content",
    mainMenu: "Main menu",
    allMenu: "Menu",
    openMenu: "Open menu",
    closeMenu: "Close menu",
    groupHome: (label) => `${label}: overview`,
    position: "You are here",
    search: "Search",
    signin: "Sign in",
    signup: "Join",
    mypage: "My page",
    signout: "Sign out",
    signedOut: "You have signed out.",
    signoutFailed: "You are still signed in. Please try again in a moment.",
    keepsNothing:
      "This browser cannot store site data: your sign-in and anything you are writing are lost when you reload or close the page.",
    blocksCookies: "This browser blocks cookies, so you cannot sign in. Please allow cookies for this site.",
    otherLanguage: {
      language: "ko",
      short: "한국어",
      name: "한국어",
      pathOf: (_productCode, path) => koreanPath(path),
    },
  },
  footer: {
    menu: "Footer menu",
    terms: "Terms of use",
    privacy: "Privacy policy",
    sitemap: "Site map",
    organization: "Office",
    address: "Address",
    phone: "Tel.",
    fax: "Fax",
    email: "Email",
  },
  sitemap: { pages: "Pages", legal: "Legal" },
  article: {
    newWindow: NEW_WINDOW,
    tableOf: (heading) => `${heading}: table`,
    table: (number) => `Table ${number}`,
  },
  home: {
    patients: "Patients registered",
    patientCount: (count) => count,
    asOf: { before: "as of ", after: "" },
    centers: "Regional centres",
    centerCount: (count) => count,
    papers: "Published documents",
    paperCount: (count) => count,
    quickLinks: "Quick links",
    findCenter: "Find your nearest centre",
    findCenterHow: "Choose a region for the contact details of its centre and how to get there.",
    center: "centre",
    allCenters: "All regional centres",
    residence: "Registrations by region",
    mapAlt: "Find a centre on the map",
    events: "Upcoming events",
    boardFailed: (name) => `${name} could not be loaded. Please try again in a moment.`,
    noItems: "Nothing has been posted yet.",
    moreOf: (name) => `${name}: `,
    more: "More",
    eventsName: "Events",
    monthOnLeaf: (month) => englishMonth(month).slice(0, 3),
    popup: (title) => `Notice: ${title}`,
    popupText: "Text of the notice",
    popupMore: "Read more",
    popupOpen: "Show the text",
    popupNotToday: "Do not show for 24 hours",
    close: "Close",
    mapCredit: "Map: @svg-maps/south-korea 2.0 (CC BY 4.0)",
  },
  marks: {
    inKorean: "in Korean",
    isNew: "new",
    secret: "private",
    comments: { before: "comments: ", after: "" },
    hasFiles: "has attachments",
  },
  map: {
    islands: { ulleungdo: "Ulleungdo", dokdo: "Dokdo" },
    credit: "Map:",
    simplified: " (outlines simplified)",
  },
  service: {
    name: "Case registry",
    afterSignin: (name) => `${name} (sign in, in Korean)`,
    failed: "The service could not be opened.",
  },
  error: {
    titles: {
      400: "Please check the address",
      401: "Please sign in",
      403: "You do not have access",
      404: "Page not found",
      429: "Too many requests",
      503: "Temporarily unavailable",
    },
    title: "Something went wrong",
    helps: {
      400: "The address contains a value that is not valid. Please start again from the home page.",
      403: "Your account does not give you access to this page.",
      404: "The page has moved or no longer exists. Please check the address or search the site.",
      429: "Please wait a moment and try again.",
    },
    help: "Please try again in a moment. If it happens again, please let the office know.",
    said: () => undefined,
    requestId: (id) => `Reference ${id}`,
    retry: "Try again",
    search: "Search the site",
    home: "Home",
    back: "Back",
    notLoaded:
      "This page has not loaded completely, so nothing was sent. What you typed is still here. If this message stays, copy your text and reload the page, or open it in an up-to-date browser.",
    offline: "You are offline",
    offlineHelp: "The page could not be loaded. It will load by itself once you are connected again.",
  },
};

const ENGLISH_CONTROL_TEXTS: ControlTexts = {
  required: "(required)",
  close: "Close",
  partMissing: "This part could not be loaded. Please note what you have entered and reload the page.",
  checkFields: "Please check what you have entered.",
  choose: "Please choose",
};

const ENGLISH_FORM_TEXTS: FormTexts = {
  needsScript: "Please turn on JavaScript in your browser to use this page.",
  preparing: "Loading",
  showPassword: "Show password",
  capsLock: "Caps Lock is on.",
  hangul: "Korean letters have been typed. Please switch your keyboard to English.",
};

const ENGLISH_CENTER_TEXTS: CenterTexts = {
  description: (region) => `How to reach the regional centre for ${region}.`,
  metaDescription: (region, facts) => `${region}: ${facts}`,
  picture: (name) => `Photograph of ${name}`,
  name: "Name",
  director: "Director",
  address: "Address",
  call: "Call",
  directionsLink: "Find on a map",
  phone: "Telephone",
  fax: "Fax",
  url: "Website",
  introduction: "About the centre",
  directions: "Getting there",
  location: (region) => `Where ${region} is on the map of Korea`,
  othersLabel: "Centres in other regions",
  others: "Other regions",
  overview: {
    none: "No centre has been designated",
    list: "Centres by region",
    onMap: "Find on the map",
    map: "Map of the regional centres",
    show: (region) => `Centre in ${region}`,
    choose: "Choose a region to go to its centre.",
  },
};

const ENGLISH_RESIDENCE_TEXTS: ResidenceTexts = {
  stale: "The latest figures could not be loaded. The last ones received are shown.",
  registered: "Patients registered",
  total: (count) => `${count} in total`,
  asOf: { before: "As of ", after: "" },
  mapLabel: "Map of registrations by province. The table gives the same figures.",
  legend: "Key",
  count: (count) => count,
  range: (from, to) => `${from} to ${to}`,
  atLeast: (from) => `${from} or more`,
  hidden: "withheld",
  noData: "no data",
  figure: "Registrations by province, number and share",
  region: "Province",
  countName: "Registered",
  share: "Share",
  sum: "Total",
  problem: () => "The figures cannot be loaded at the moment. Please try again later.",
};

const ENGLISH_CONTENT_TEXTS: ContentTexts = {
  previewTitle: "Preview",
  preview: "This draft has not been published. Only administrators can see it.",
  department: "Contact",
  modified: "Last updated",
  contents: "On this page",
  contentsLabel: "On this page",
  files: {
    title: "Attachments",
    file: "File",
    all: "Download all",
    download: "Download",
    preview: "Preview",
    previewOf: (name) => `Preview of ${name}`,
    notAllowed: "You are not allowed to download these files.",
  },
};

export const ENGLISH_SECTIONS: ReaderSections = {
  board: ENGLISH_BOARD_TEXTS,
  search: ENGLISH_SEARCH_TEXTS,
  post: ENGLISH_POST_TEXTS,
  item: ENGLISH_ITEM_TEXTS,
  calendar: ENGLISH_CALENDAR_TEXTS,
  events: ENGLISH_EVENT_TEXTS,
  form: ENGLISH_FORM_TEXTS,
  control: ENGLISH_CONTROL_TEXTS,
  center: ENGLISH_CENTER_TEXTS,
  content: ENGLISH_CONTENT_TEXTS,
  residence: ENGLISH_RESIDENCE_TEXTS,
};
