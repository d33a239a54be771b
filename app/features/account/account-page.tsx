import type { ReactNode } from "react";
import { PageHeader } from "#app/ui/page-header.tsx";
import { Card } from "#app/ui/card.tsx";
import { cx } from "#app/ui/cx.ts";

export function AccountPage({
  title,
  description,
  wide = false,
  children,
}: {
  title: string;
  description?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <>
      <PageHeader title={title} description={description} />
      <div className="container-page pt-8 pb-16 md:pt-12 md:pb-24">
        <Card className={cx("mx-auto", wide ? "max-w-3xl" : "max-w-lg")}>{children}</Card>
      </div>
    </>
  );
}
