/** A sentence, heading or table cell of two versions that are compared. */
export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}
