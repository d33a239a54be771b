import { Fragment } from "react";
import { findTextLinks } from "#app/lib/text-links.ts";

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
