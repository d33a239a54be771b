import { groupedBy } from "#worker/contract/kernel/grouped-by.ts";

export interface MergedDue {
  alumniId: string;
  kindId: string;
  kindName: string;
  period: string;
  amount: number;
  paid: number;
  isExempt: boolean;
}

/** A due of the kept person after a merge. */
export interface JoinedDue extends Pick<MergedDue, "kindId" | "kindName" | "period" | "amount" | "paid" | "isExempt"> {
  /** How many dues join. */
  count: number;
  /** Money that is open on its deposit again. */
  open: number;
}

/** Dues after a merge: the larger amount is owed, payments are added, an exemption wins. */
export const joinDues = (dues: readonly MergedDue[]): JoinedDue[] =>
  [...groupedBy(dues, ({ period, kindId }) => `${period} ${kindId}`).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { kindId, kindName, period } = first;
    const amount = Math.max(...same.map((each) => each.amount));
    const isExempt = same.some((each) => each.isExempt);
    const given = same.reduce((sum, each) => sum + each.paid, 0);
    const paid = same.length === 1 ? given : Math.min(given, isExempt ? 0 : amount);
    return { kindId, kindName, period, amount, paid, isExempt, count: same.length, open: given - paid };
  });
