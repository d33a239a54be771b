import type { ReactNode } from "react";
import { useTexts } from "#app/lib/page-language.ts";
import type { ContentSection } from "#worker/contract/content/view.ts";

export function WithContentsList({
  sections,
  children,
}: {
  sections: readonly ContentSection[] | null;
  children: ReactNode;
}) {
  const listed = sections !== null && needsContentsList(sections);
  return (
    <div className={listed ? "lg:grid lg:grid-cols-[minmax(0,1fr)_15rem] lg:gap-12" : "max-w-4xl"}>
      {listed && (
        <div className="mt-4 lg:order-2 lg:mt-10">
          <ContentsList sections={sections} />
        </div>
      )}
      <div className="min-w-0">{children}</div>
    </div>
  );
}

/** A list of contents appears from four sections on. */
const needsContentsList = (sections: readonly ContentSection[]) => sections.length > 3;

function ContentsList({ sections }: { sections: readonly ContentSection[] }) {
  const { page } = useTexts();
  return (
    <nav
      aria-label={page.contentsLabel}
      className="rounded-lg border border-gray-20 bg-gray-5 p-5 print:hidden lg:sticky lg:top-28"
    >
      <p className="font-bold text-gray-90">{page.contents}</p>
      <ol className="mt-2">
        {sections.map((section) => (
          <li key={section.id}>
            <a
              href={`#${section.id}`}
              className="flex min-h-9 items-center py-1 text-sm text-gray-70 underline-offset-4 hover:text-primary-60 hover:underline"
            >
              {section.title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
