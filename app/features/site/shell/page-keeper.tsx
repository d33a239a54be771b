import { Component, Fragment, type ReactNode, useEffect, useLayoutEffect } from "react";
import { createPath, isRouteErrorResponse, useNavigate, useNavigation } from "react-router";
import { restoreFields } from "#app/lib/early-input.ts";
import { type FieldState, readFields } from "#app/lib/form-fields.ts";
import { CHUNK_MESSAGE, limitNavigation, watchChunks } from "#app/lib/page-chunk.ts";
import { toast } from "#app/ui/toast.tsx";

interface PageKeeperState {
  attempt: number;
  error: unknown;
  fields: readonly FieldState[];
}

const ATTEMPTS_MAX = 3;

/** Renders a failed page again with its typed values; repeated failures show an error. */
export class PageKeeper extends Component<{ children: ReactNode }, PageKeeperState> {
  override state: PageKeeperState = { attempt: 0, error: null, fields: [] };

  static getDerivedStateFromError(error: unknown): Partial<PageKeeperState> {
    // Reads the fields here because React removes the failed page afterwards.
    return typeof document === "undefined" ? { error } : { error, fields: readFields(document) };
  }

  override componentDidUpdate(): void {
    const { error, attempt, fields } = this.state;
    if (error === null) return;
    // oxlint-disable-next-line react/no-did-update-set-state -- the second attempt
    this.setState({ attempt: attempt + 1, error: null }, () => void restoreFields(document, fields));
  }

  override render(): ReactNode {
    const { attempt, error } = this.state;
    if (error === null) return <Fragment key={attempt}>{this.props.children}</Fragment>;
    if (attempt >= ATTEMPTS_MAX || isRouteErrorResponse(error)) throw error;
    return null;
  }
}

/** Reports a page that failed to load and cancels the navigation to keep typed text. */
export function ChunkWatch() {
  const navigate = useNavigate();
  useEffect(() => {
    watchChunks(() => {
      toast(CHUNK_MESSAGE, "error");
      // Navigates within the page only, because loading data would fail as well.
      void navigate(location.pathname + location.search + (location.hash || "#main"), {
        replace: true,
        preventScrollReset: true,
      });
    });
  }, [navigate]);
  const { location: next } = useNavigation();
  const url = next && new URL(createPath(next), location.href).href;
  useLayoutEffect(() => (url ? limitNavigation(url) : undefined), [url]);
  return null;
}
