import type { ReactNode } from "react";
import { ArticleBody, type ArticleLook, type ArticleSection } from "#app/ui/article.tsx";
import { AttachmentList } from "#app/features/file/attachment-list.tsx";
import { telephoneHref } from "#app/lib/format.ts";
import { useSection, useTexts } from "#app/lib/page-language.ts";
import { KOREAN_CONTENT_TEXTS } from "#app/lib/texts/korean-content.ts";
import { Time } from "#app/ui/inline.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Alert } from "#app/ui/alert.tsx";
import type { ContentPage } from "#worker/contract/content/view.ts";

export function PreviewAlert({ isPreview }: { isPreview: boolean }) {
  const page = useSection("content", KOREAN_CONTENT_TEXTS);
  if (!isPreview) return null;
  return (
    <Alert tone="warning" className="print:hidden" title={page.previewTitle}>
      {page.preview}
    </Alert>
  );
}

export function PageFoot({
  contact,
  modifiedDate,
}: {
  contact: { organization: string; phone: string };
  modifiedDate: string | null;
}) {
  const page = useSection("content", KOREAN_CONTENT_TEXTS);
  const { phone } = useTexts();
  if (!contact.organization && !modifiedDate) return null;
  return (
    <dl className="mt-12 flex flex-wrap gap-x-8 gap-y-1 border-t border-gray-20 pt-4 text-sm">
      {contact.organization && (
        <div className="flex flex-wrap gap-x-2">
          <dt className="shrink-0 text-gray-60">{page.department}</dt>
          <dd>
            {contact.organization}{" "}
            {contact.phone && (
              <a
                href={telephoneHref(contact.phone)}
                className="tabular inline-flex min-h-6 items-center underline underline-offset-4"
              >
                {phone(contact.phone)}
              </a>
            )}
          </dd>
        </div>
      )}
      {modifiedDate && (
        <div className="flex flex-wrap gap-x-2">
          <dt className="shrink-0 text-gray-60">{page.modified}</dt>
          <dd>
            <Time date={modifiedDate} />
          </dd>
        </div>
      )}
    </dl>
  );
}

export function ContentBody({
  page,
  look,
  foot,
  children,
}: {
  page: ContentPage & { sections: readonly ArticleSection[] };
  look?: ArticleLook | undefined;
  foot?: ReactNode;
  children?: ReactNode;
}) {
  const { content, sections } = page;
  const { preparing } = useTexts();
  if (content === "" && !children) {
    return (
      <div className="container-page py-10 md:py-16">
        <PreviewAlert isPreview={page.isPreview} />
        <Empty>{preparing}</Empty>
      </div>
    );
  }
  return (
    <div className="container-page pt-6 pb-16 md:pb-24">
      <PreviewAlert isPreview={page.isPreview} />
      <WithContentsList sections={sections}>
        {children}
        {content && <ArticleBody html={content} look={look} />}
        <div className="mt-6">
          <AttachmentList files={page.files} canDownload />
        </div>
        {foot}
      </WithContentsList>
    </div>
  );
}

export function WithContentsList({
  sections,
  children,
}: {
  sections: readonly ArticleSection[] | null;
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
const needsContentsList = (sections: readonly ArticleSection[]) => sections.length > 3;

function ContentsList({ sections }: { sections: readonly ArticleSection[] }) {
  const page = useSection("content", KOREAN_CONTENT_TEXTS);
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
