import { useWords } from "#app/lib/page-language.ts";
import type { BreadcrumbEntry } from "#app/ui/breadcrumb.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";

interface AlumniPageHeaderProps {
  /** May contain placeholders for the society's words. */
  title: string;
  description: string;
  parent?: BreadcrumbEntry;
}

export function AlumniPageHeader({ title, description, parent }: AlumniPageHeaderProps) {
  const say = useWords();
  const book = { label: say("{동문주소록}"), href: "/Alumni" };
  return <PageHeader title={say(title)} description={say(description)} parents={parent ? [book, parent] : [book]} />;
}
