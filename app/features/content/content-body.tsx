import type { ReactNode } from "react";
import { ArticleBody, type ArticleLook } from "#app/features/file/article.tsx";
import { AttachmentList } from "#app/features/file/attachment-list.tsx";
import { telephoneHref } from "#app/lib/telephone.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { Time } from "#app/ui/time.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { WithContentsList } from "#app/features/content/contents-list.tsx";
import type { ContentPage } from "#worker/contract/content/view.ts";

export function PreviewAlert({ isPreview }: { isPreview: boolean }) {
  const { page } = useTexts();
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
  const { page, phone } = useTexts();
  if (!contact.organization && !modifiedDate) return null;
  return (
    <dl className="mt-12 flex flex-wrap gap-x-8 gap-y-1 border-t border-gray-20 pt-4 text-sm">
      {contact.organization && (
        <div className="flex gap-2">
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
        <div className="flex gap-2">
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
  page: ContentPage;
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
