import { Fragment } from "react";
import { telephoneHref } from "../lib/format.ts";

/** Plain text with clickable phone numbers, mail and web addresses. */
export function LinkedText({ children }: { children: string }) {
  const links = findTextLinks(children);
  if (links.length === 0) return children;
  return links.map(({ start, end, href }, index) => (
    <Fragment key={start}>
      <span>{children.slice(links[index - 1]?.end ?? 0, start)}</span>
      <a
        href={href}
        {...(href.startsWith("http")
          ? { target: "_blank", rel: "noopener noreferrer nofollow ugc", title: "새 창 열림" }
          : {})}
        className="text-primary-60 underline underline-offset-4 hover:text-primary-80"
      >
        {children.slice(start, end)}
      </a>
      {index === links.length - 1 && <span>{children.slice(end)}</span>}
    </Fragment>
  ));
}

interface TextLink {
  start: number;
  end: number;
  href: string;
}

const ASCII_RUN = /[\u0021-\u007e]+/g;
const PHONE =
  /(?<![\d.+-])(?:(?:\(0\d{1,2}\) ?|0\d{1,2}(?:-|\.|\) ?))\d{3,4}[-.]\d{4}|1[5-9]\d{2}-\d{4}|\+82[- ]\d{1,2}[- ]\d{3,4}[- ]\d{4})(?![\d-])/g;
const WEB_START = /https?:\/\/|www\./i;
const MAIL = /^[a-z0-9][a-z0-9._%+-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,20}$/i;
const TRAILING = new Set([".", ",", ";", ":", "!", "?", "'", "*", "~", "]", ")", "}"]);
const MAX_WEB_LENGTH = 500;

/** Runs in linear time for any text. `text` may contain HTML entities. */
export function findTextLinks(text: string): TextLink[] {
  const links: TextLink[] = [];
  for (const { 0: run, index } of text.matchAll(ASCII_RUN)) {
    const web = findWebAddress(run);
    const mail = web ? null : findMailAddress(run);
    if (web) links.push({ start: index + web.start, end: index + web.end, href: web.href });
    else if (mail) links.push({ start: index + mail.start, end: index + mail.end, href: mail.href });
  }
  let next = 0;
  const phones: TextLink[] = [];
  for (const { 0: number, index } of text.matchAll(PHONE)) {
    while ((links[next]?.end ?? Infinity) <= index) next++;
    if ((links[next]?.start ?? Infinity) < index + number.length) continue;
    phones.push({ start: index, end: index + number.length, href: telephoneHref(number) });
  }
  return [...links, ...phones].toSorted((a, b) => a.start - b.start);
}

function findWebAddress(run: string): TextLink | null {
  const start = run.search(WEB_START);
  if (start < 0 || /[a-z0-9@/]/i.test(run[start - 1] ?? "")) return null;
  const stop = run.slice(start).search(/[<>"`\\^{}|]|&(?:lt|gt|quot|nbsp|#)/);
  let end = stop < 0 ? run.length : start + stop;
  while (end > start && TRAILING.has(run[end - 1] ?? "") && !closesBracket(run, start, end)) end--;
  const address = run.slice(start, end);
  if (address.length > MAX_WEB_LENGTH || !/^(?:https?:\/\/)?[a-z0-9-]+\.[a-z0-9]/i.test(address)) return null;
  return { start, end, href: /^www/i.test(address) ? `https://${address}` : address };
}

/** `https://example.org/a_(b)` keeps its bracket. */
const closesBracket = (run: string, start: number, end: number) =>
  run[end - 1] === ")" && run.slice(Math.max(start, end - MAX_WEB_LENGTH), end - 1).includes("(");

function findMailAddress(run: string): TextLink | null {
  const at = run.indexOf("@");
  if (at < 0) return null;
  let start = at;
  while (start > 0 && at - start <= 64 && /[a-z0-9._%+-]/i.test(run[start - 1] ?? "")) start--;
  let end = at + 1;
  while (end < run.length && end - at <= 200 && /[a-z0-9.-]/i.test(run[end] ?? "")) end++;
  while (end > at && TRAILING.has(run[end - 1] ?? "")) end--;
  const address = run.slice(start, end);
  return MAIL.test(address) ? { start, end, href: `mailto:${address}` } : null;
}
