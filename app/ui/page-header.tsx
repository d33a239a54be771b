import type { ReactNode } from "react";
import { useTexts } from "#app/lib/page-language.ts";
import { Breadcrumb, type BreadcrumbEntry } from "#app/ui/breadcrumb.tsx";

interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  parents?: readonly BreadcrumbEntry[] | undefined;
}

export function PageHeader({ title, description, parents = [] }: PageHeaderProps) {
  return (
    <div className="border-b border-gray-20 bg-linear-to-b from-primary-5 to-white">
      <div className="container-page pt-5 pb-7 md:pt-6 md:pb-10">
        <Breadcrumb crumbs={[...parents, { label: title }]} />
        <h1 lang={useTexts().langOf(title)} className="mt-4 text-2xl md:mt-6">
          {title}
        </h1>
        {description && <p className="mt-2 max-w-3xl text-gray-60 md:mt-3">{description}</p>}
      </div>
    </div>
  );
}
