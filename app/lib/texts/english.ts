import { koreanDateParts } from "#app/lib/format.ts";
import type { SiteTexts } from "#app/lib/texts/korean.ts";
import { englishRegionName } from "#worker/contract/content/provinces.ts";
import { englishPath, koreanPath } from "#worker/contract/kernel/language.ts";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** 23 November 2026, by Korea's clock. */
function formatEnglishDate(iso: string): string {
  const { year, month, day } = koreanDateParts(iso);
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** 23 November 2026, 09:05 KST */
function formatEnglishDateTime(iso: string): string {
  const { hour, minute } = koreanDateParts(iso);
  return `${formatEnglishDate(iso)}, ${hour}:${minute} KST`;
}

const NEW_WINDOW = "opens in a new window";

export const ENGLISH_TEXTS: SiteTexts = {
  language: "en",
  ogLocale: "en_GB",
  pathOf: englishPath,
  date: { date: formatEnglishDate, datetime: formatEnglishDateTime, long: formatEnglishDate },
  hasWideNames: true,
  // As it is dialled from anywhere.
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
  sitemap: { title: "Site map", pages: "Pages", legal: "Legal" },
  page: {
    previewTitle: "Preview",
    preview: "This draft has not been published. Only administrators can see it.",
    department: "Contact",
    modified: "Last updated",
    contents: "On this page",
    contentsLabel: "On this page",
  },
  article: {
    newWindow: NEW_WINDOW,
    tableOf: (heading) => `${heading}: table`,
    table: (number) => `Table ${number}`,
  },
  files: {
    title: "Attachments",
    file: "File",
    all: "Download all",
    download: "Download",
    preview: "Preview",
    previewOf: (name) => `Preview of ${name}`,
    notAllowed: "You are not allowed to download these files.",
  },
  home: {
    title: "Home",
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
    mapCredit: "Map: @svg-maps/south-korea 2.0 (CC BY 4.0)",
  },
  map: {
    islands: { ulleungdo: "Ulleungdo", dokdo: "Dokdo" },
    credit: "Map:",
    simplified: " (outlines simplified)",
  },
  centers: {
    none: "No centre has been designated",
    list: "Centres by region",
    onMap: "Find on the map",
    map: "Map of the regional centres",
    show: (region) => `Centre in ${region}`,
    choose: "Choose a region to go to its centre.",
    inKorean: "(in Korean)",
  },
  center: {
    description: (region) => `The regional centre for ${region}.`,
    metaDescription: (region, facts) => `${region}: ${facts}`,
    picture: (name) => `Photograph of ${name}`,
    name: "Name",
    director: "Director",
    address: "Address",
    directionsLink: "Find on a map",
    phone: "Telephone",
    fax: "Fax",
    url: "Website",
    introduction: "About the centre",
    directions: "Getting there",
    location: (region) => `Where ${region} is on the map of Korea`,
    othersLabel: "Centres in other regions",
    others: "Other regions",
  },
  residence: {
    stale: "The latest figures could not be loaded. The last ones received are shown.",
    registered: "Patients registered",
    total: (count) => `${count} in total`,
    asOf: { before: "As of ", after: "" },
    map: "Map",
    mapLabel: "Map of registrations by province. The table below gives the same figures.",
    legend: "Key",
    count: (count) => count,
    range: (from, to) => `${from} to ${to}`,
    hidden: "withheld",
    noData: "no data",
    bars: "Chart",
    barsLabel: "Bar chart of registrations by province. The table below gives the same figures.",
    table: "Table",
    tableLabel: "Registrations by province, number and share",
    region: "Province",
    countName: "Registered",
    share: "Share",
    sum: "Total",
    problem: () => "The figures cannot be loaded at the moment. Please try again later.",
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
      404: "The page has moved or no longer exists. Please check the address.",
      429: "Please wait a moment and try again.",
    },
    help: "Please try again in a moment. If it happens again, please let the office know.",
    said: () => undefined,
    requestId: (id) => `Reference ${id}`,
    retry: "Try again",
    signin: "Sign in",
    home: "Home",
    back: "Back",
    offline: "You are offline",
    offlineHelp: "The page could not be loaded. It will load by itself once you are connected again.",
  },
};
