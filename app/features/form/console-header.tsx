import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { useWords } from "#app/lib/page-language.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { TextLink } from "#app/ui/inline.tsx";
import { findConsolePage } from "#worker/contract/kernel/console/console-pages.ts";

interface HeaderLink {
  label: string;
  href: string;
}

/** Without a title, the page's name in the menu. */
export function ConsoleHeader({
  title,
  description,
  links = [],
  action,
  parent,
}: {
  title?: string;
  description?: ReactNode;
  links?: readonly HeaderLink[];
  action?: ReactNode;
  parent?: HeaderLink;
}) {
  const say = useWords();
  const { pathname } = useLocation();
  return (
    <div className="console-head mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {parent && (
          <p className="mb-3 print:hidden">
            <TextLink to={parent.href}>{parent.label}</TextLink>
          </p>
        )}
        <h1 className="text-2xl">{title ?? say(findConsolePage(pathname)?.label ?? "")}</h1>
        {description && <p className="mt-2 max-w-4xl text-gray-60 print:hidden">{description}</p>}
      </div>
      {(links.length > 0 || action) && (
        <div className="flex flex-wrap gap-2 print:hidden">
          {links.map(({ label, href }) => (
            <ButtonLink key={href} to={href} size="sm">
              {label}
            </ButtonLink>
          ))}
          {action}
        </div>
      )}
    </div>
  );
}

export function ConsoleSection({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="not-first:mt-10">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-xl">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
