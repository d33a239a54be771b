import type { ComponentProps } from "react";
import { Link } from "react-router";
import { cx } from "#app/ui/cx.ts";

export type ButtonSize = "sm" | "md" | "lg";

interface ButtonStyle {
  variant?: "primary" | "secondary" | "quiet" | "danger" | undefined;
  size?: ButtonSize | undefined;
}

function buttonClass({ variant = "secondary", size = "md" }: ButtonStyle, disabled: boolean, className?: string) {
  return cx("button", `button-${size}`, disabled ? "button-off" : `button-${variant}`, className);
}

export type ButtonProps = ComponentProps<"button"> &
  ButtonStyle & {
    /** Shows progress and ignores clicks, but keeps the focus. */
    busy?: boolean | undefined;
  };

export function Button({
  variant,
  size,
  busy = false,
  className,
  disabled,
  onClick,
  type,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? "button"}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      className={buttonClass({ variant, size }, disabled === true, className)}
    >
      {children}
    </button>
  );
}

export function ButtonLink({ variant, size, className, ...rest }: ComponentProps<typeof Link> & ButtonStyle) {
  return <Link {...rest} className={buttonClass({ variant, size }, false, className)} />;
}

export function IconButton({ label, className, children, ...rest }: ComponentProps<"button"> & { label: string }) {
  return (
    <button type="button" {...rest} aria-label={label} title={label} className={cx("icon-button", className)}>
      {children}
    </button>
  );
}
