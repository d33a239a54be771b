import { createElement, type ReactNode, type SVGAttributes, type SVGProps } from "react";

interface SharedDrawing {
  id: string;
  content: SVGAttributes<SVGSymbolElement>;
}

/** Drawings of the guest's page that is rendered now; null during a member's. */
let drawings: Map<string, SharedDrawing> | null = null;

/** Renders without the application's attributes, each drawing once. Rendering to a string yields to no other page. */
export function renderForReaders(render: () => string): string {
  drawings = new Map();
  try {
    return render();
  } finally {
    drawings = null;
  }
}

export const isReaderPage = (): boolean => drawings !== null;

/** Notes the content of a `<symbol>` of this page, once. @returns its id; null for a member's page */
function noteDrawing(name: string, content: SVGAttributes<SVGSymbolElement>): string | null {
  if (!drawings) return null;
  const shared = drawings.get(name) ?? { id: `i${drawings.size}`, content };
  drawings.set(name, shared);
  return shared.id;
}

interface SharedIcon {
  name: string;
  viewBox: string;
  /** Of lucide's package. Written as HTML, whose elements are shorter than those of React. */
  markup: string;
}

/** An icon on a guest's page. */
export function createSharedIcon(attributes: SVGProps<SVGSVGElement>, { name, viewBox, markup }: SharedIcon) {
  const id = noteDrawing(name, { viewBox, dangerouslySetInnerHTML: { __html: markup } });
  const use = { __html: `<use href="#${id}"/>` };
  return createElement("svg", { ...attributes, dangerouslySetInnerHTML: use });
}

/** @returns a guest's `<use>` of the drawing that {@link SharedDrawings} writes; a member's own drawing */
export function shareDrawing(name: string, drawing: ReactNode): ReactNode {
  const id = noteDrawing(name, { children: drawing });
  return id === null ? drawing : createElement("use", { href: `#${id}` });
}

/** The last part of a page, after all that refers to it. */
export function SharedDrawings() {
  if (!drawings?.size) return null;
  const symbols = [...drawings.values()].map(({ id, content }) => createElement("symbol", { id, ...content, key: id }));
  return createElement("svg", { hidden: true }, symbols);
}
