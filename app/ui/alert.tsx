import type { ReactNode } from "react";
import { cx } from "#app/ui/cx.ts";

const TONES = {
  info: "border-primary-30 bg-primary-5 text-primary-80",
  success: "border-success-50 bg-success-5 text-success-60",
  warning: "border-warning-50 bg-warning-5 text-warning-60",
  error: "border-danger-50 bg-danger-5 text-danger-70",
};

interface AlertProps {
  tone?: keyof typeof TONES | undefined;
  title?: ReactNode;
  children?: ReactNode;
  className?: string | undefined;
}

export function ErrorAlert({ children, className }: Pick<AlertProps, "children" | "className">) {
  if (!children) return null;
  return (
    <Alert tone="error" className={className}>
      {children}
    </Alert>
  );
}

/** Inline message; errors are announced at once. */
export function Alert({ tone = "info", title, children, className }: AlertProps) {
  return (
    <div
      role={tone === "error" ? "alert" : tone === "info" ? undefined : "status"}
      className={cx("alert rounded-lg border px-5 py-4", TONES[tone], className)}
    >
      {title && <p className="font-bold">{title}</p>}
      <div>{children}</div>
    </div>
  );
}
