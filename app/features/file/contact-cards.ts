/**
 * Makes the rows of one table ready to be drawn as cards: each value knows the head of its column, and the parts say what
 * they are, because a table that is laid out as something else is none any more for those who hear it.
 */
export function contactCards() {
  const heads: string[] = [];
  let column = 0;
  let inHead = false;
  return {
    text(part: string): void {
      if (inHead) heads[heads.length - 1] += part;
    },
    tag(part: string): string {
      const [, name = ""] = /^<(\/?[a-z]+)/.exec(part) ?? [];
      if (name === "tr") column = 0;
      if (name === "th") {
        heads.push("");
        inHead = true;
        return part.replace("<th", '<th role="columnheader"');
      }
      if (name === "/th") inHead = false;
      if (name === "td") {
        const head = heads[column]?.trim() ?? "";
        column += 1;
        return part.replace("<td", `<td role="cell" data-head="${head.replaceAll('"', "&quot;")}"`);
      }
      return name === "tr" ? part.replace("<tr", '<tr role="row"') : part;
    },
  };
}
