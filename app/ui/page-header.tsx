import type { ReactNode } from "react";
import { useTexts } from "#app/lib/page-language.ts";
import { cx } from "#app/ui/cx.ts";
import { Breadcrumb, type BreadcrumbEntry } from "#app/ui/breadcrumb.tsx";

interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  parents?: readonly BreadcrumbEntry[] | undefined;
  /** Next to the title; leaves the list below more of the screen. */
  actions?: ReactNode;
}

export function PageHeader({ title, description, parents = [], actions }: PageHeaderProps) {
  return (
    <div className="border-b border-gray-20 bg-linear-to-b from-primary-5 to-white">
      <div className={cx("container-page", actions ? "py-2" : "pt-5 pb-7 md:pt-6 md:pb-10")}>
        <Breadcrumb crumbs={[...parents, { label: title }]} />
        <div className={cx(Boolean(actions) && "flex flex-wrap items-center justify-between gap-x-4 gap-y-2")}>
          <h1 lang={useTexts().langOf(title)} className={cx("text-2xl", actions ? "mt-1" : "mt-4 md:mt-6")}>
            {title}
          </h1>
          {actions && <div className="ml-auto">{actions}</div>}
        </div>
        {description && <p className="mt-2 max-w-3xl text-gray-60 md:mt-3">{description}</p>}
      </div>
    </div>
  );
}
