import { Component, type ReactNode, Suspense } from "react";
import { Alert } from "#app/ui/alert.tsx";

interface LazyPartProps {
  /** What stands there while the code comes. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** A part of a page whose code comes later. Without it the page stays, with all that was typed. */
export class LazyPart extends Component<LazyPartProps, { isMissing: boolean }> {
  override state = { isMissing: false };

  static getDerivedStateFromError(): { isMissing: boolean } {
    return { isMissing: true };
  }

  override render(): ReactNode {
    if (this.state.isMissing)
      return (
        <Alert tone="error">
          이 부분을 불러오지 못했습니다. 입력한 내용을 따로 적어 두신 뒤 화면을 새로 고쳐 주십시오.
        </Alert>
      );
    return <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>;
  }
}
