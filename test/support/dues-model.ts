export interface ModelDue {
  person: string;
  period: string;
  amount: number;
  isExempt: number;
}

export interface ModelDeposit {
  amount: number;
  isClosed: number;
}

export interface ModelAllocation {
  deposit: string;
  due: string;
  amount: number;
}

export interface Ledger {
  dues: Map<string, ModelDue>;
  deposits: Map<string, ModelDeposit>;
  /** In the order of their moments and ids. */
  allocations: Map<string, ModelAllocation>;
}

type TableName = keyof Ledger;
const TABLES: readonly TableName[] = ["dues", "deposits", "allocations"];

export const emptyLedger = (): Ledger => ({ dues: new Map(), deposits: new Map(), allocations: new Map() });

interface Added {
  table: TableName;
  id: string;
  row: ModelDue | ModelDeposit | ModelAllocation;
}

const isSame = (one: object | undefined, other: object) => JSON.stringify(one) === JSON.stringify(other);
const sumOf = (rows: readonly { amount: number }[]) => rows.reduce((sum, { amount }) => sum + amount, 0);

/** Dues, deposits and what pays them, with deeds that can be undone. */
export class DuesModel {
  ledger: Ledger;
  readonly deeds = new Map<string, Added[]>();
  /** Deposits closed by a deed, and the text that it remembers. */
  readonly closings = new Map<string, { ids: string[]; text: string }>();
  readonly noDues = new Set<string>();

  constructor(start: Ledger) {
    this.ledger = start;
  }

  duesOf(person: string): [string, ModelDue][] {
    const theirs = [...this.ledger.dues].filter(([, due]) => due.person === person);
    return theirs.toSorted(([, one], [, other]) => one.period.localeCompare(other.period));
  }

  paid(dueId: string): number {
    return sumOf([...this.ledger.allocations.values()].filter(({ due }) => due === dueId));
  }

  used(depositId: string): number {
    return sumOf([...this.ledger.allocations.values()].filter(({ deposit }) => deposit === depositId));
  }

  open(dueId: string): number {
    const due = this.ledger.dues.get(dueId);
    return due && !due.isExempt ? due.amount - this.paid(dueId) : 0;
  }

  owed(person: string): number {
    return this.duesOf(person).reduce((sum, [id]) => sum + this.open(id), 0);
  }

  /** The parts of a payment on the oldest dues. */
  oldest(person: string, amount: number): { due: string; amount: number }[] {
    let left = amount;
    return this.duesOf(person).flatMap(([due]) => {
      const part = Math.min(this.open(due), left);
      left -= part;
      return part > 0 ? [{ due, amount: part }] : [];
    });
  }

  /** Rows of the database that the model does not know, as added. */
  added(found: Ledger): Added[] {
    return TABLES.flatMap((table) =>
      [...found[table]].flatMap(([id, row]) => (this.ledger[table].has(id) ? [] : [{ table, id, row }])),
    );
  }

  take(added: readonly Added[]): void {
    for (const { table, id, row } of added) (this.ledger[table] as Map<string, Added["row"]>).set(id, row);
  }

  /** Dues of one period join: the larger amount is owed, payments are added up to it, an exemption wins. */
  merge(keepId: string, lostId: string): void {
    const { dues, allocations } = this.ledger;
    for (const [id, due] of this.duesOf(lostId)) {
      const kept = this.duesOf(keepId).find(([, { period }]) => period === due.period);
      if (!kept) {
        dues.set(id, { ...due, person: keepId });
        continue;
      }
      const [target, other] = kept;
      const isExempt = Math.max(due.isExempt, other.isExempt);
      const amount = Math.max(due.amount, other.amount);
      dues.set(target, { ...other, amount, isExempt });
      dues.delete(id);
      let room = isExempt ? 0 : amount;
      for (const [key, row] of allocations) {
        if (row.due !== id && row.due !== target) continue;
        const part = Math.min(room, row.amount);
        room -= part;
        if (part === 0) allocations.delete(key);
        else allocations.set(key, { ...row, due: target, amount: part });
      }
    }
  }

  close(deedId: string, ids: string[], text: string): void {
    for (const id of ids) this.setClosed(id, 1);
    // A text that was remembered already is none of the deed's.
    this.closings.set(deedId, { ids, text: this.noDues.has(text) ? "" : text });
    this.deeds.set(deedId, []);
    this.noDues.add(text);
  }

  setClosed(id: string, isClosed: number): void {
    const row = this.ledger.deposits.get(id);
    if (row) this.ledger.deposits.set(id, { ...row, isClosed });
  }

  /** Opens those that are still closed. @returns deposits that are gone */
  undoClosing(deedId: string): string[] {
    const { ids, text } = this.closings.get(deedId) ?? { ids: [], text: "" };
    const left = ids.filter((id) => !this.ledger.deposits.has(id));
    for (const id of ids) this.setClosed(id, 0);
    this.noDues.delete(text);
    if (left.length === 0) this.deeds.delete(deedId);
    this.closings.set(deedId, { ids: left, text: "" });
    return left;
  }

  /** Undoes a deed that only added rows: rows that hang together stay together. @returns people and deposits named */
  undo(deedId: string): string[] {
    const rows = this.deeds.get(deedId) ?? [];
    const ids = new Set(rows.map(({ id, table }) => `${table} ${id}`));
    const ownersOf = ({ table, id, row }: Added) =>
      "due" in row ? [`deposits ${row.deposit}`, `dues ${row.due}`].filter((key) => ids.has(key)) : [`${table} ${id}`];
    const staying = new Set<string>();
    for (const each of rows) {
      const current = this.ledger[each.table].get(each.id);
      const isGone = current === undefined && each.table === "allocations";
      if (isGone || (current && !isSame(current, each.row))) for (const key of ownersOf(each)) staying.add(key);
    }
    for (const [id, { deposit, due }] of this.ledger.allocations)
      if (!ids.has(`allocations ${id}`))
        for (const key of [`deposits ${deposit}`, `dues ${due}`]) if (ids.has(key)) staying.add(key);
    for (let size = -1; size !== staying.size;) {
      size = staying.size;
      for (const each of rows)
        if (each.table === "allocations" && ownersOf(each).some((key) => staying.has(key)))
          for (const key of ownersOf(each)) staying.add(key);
    }
    const left = rows.filter((each) => ownersOf(each).some((key) => staying.has(key)));
    for (const { table, id } of rows.filter((each) => !left.includes(each))) this.ledger[table].delete(id);
    if (left.length === 0) this.deeds.delete(deedId);
    else this.deeds.set(deedId, left);
    return [
      ...new Set(left.flatMap(({ table, id, row }) => ("person" in row ? row.person : table === "deposits" ? id : []))),
    ];
  }
}
