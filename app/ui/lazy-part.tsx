import { Component, type ReactNode, Suspense } from "react";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_CONTROL_TEXTS } from "#app/lib/texts/korean.ts";
import { Alert } from "#app/ui/alert.tsx";

/** Loads part of a page lazily. If that fails, the page and its input stay. */
export class LazyPart extends Component<{ fallback?: ReactNode; children: ReactNode }, { isMissing: boolean }> {
  override state = { isMissing: false };

  static getDerivedStateFromError(): { isMissing: boolean } {
    return { isMissing: true };
  }

  override render(): ReactNode {
    if (this.state.isMissing) return <PartMissing />;
    return <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>;
  }
}

function PartMissing() {
  return <Alert tone="error">{useSection("control", KOREAN_CONTROL_TEXTS).partMissing}</Alert>;
}
