export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}
