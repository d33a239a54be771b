import { DAY_MS } from "../kernel/limits.ts";
import type { RetentionRule } from "./retention-rules.ts";

/** Newest backups that stay, whatever their dates. */
export const KEPT_BACKUPS = 7;

/** Kept as long as a setting or the caller says. */
const BY_SETTING = null;

/** Everything but the retention rules that time alone destroys, and how long it is kept after its date. */
export const DESTROYED_BY_AGE = {
  /** Longer than the bucket's lock period. */
  backup: 36 * DAY_MS,
  "backup-file": 36 * DAY_MS,
  upload: DAY_MS,
  "address-book-export": BY_SETTING,
  "address-book-undo": BY_SETTING,
  "dues-undo": BY_SETTING,
  "import-preview": DAY_MS,
  "import-left-open": BY_SETTING,
  "import-answer": 400 * DAY_MS,
  /** Longer than a year, after which the next file of a form comes. */
  "import-people": 400 * DAY_MS,
  "deleted-view": DAY_MS,
  correction: 365 * DAY_MS,
  "mailing-draft": 30 * DAY_MS,
  "round-draft": 30 * DAY_MS,
  "abandoned-move": BY_SETTING,
  "skip-list": BY_SETTING,
  limit: 0,
  /** Covers a form left open over a weekend. */
  "kept-answer": 7 * DAY_MS,
  "sent-code": DAY_MS,
  "factor-challenge": 0,
  /** Signatures expire after five minutes, so older reports cannot be replayed. */
  "mail-report": DAY_MS,
  verification: DAY_MS,
  "view-count": DAY_MS,
  /** Used tokens stay until they expire, to detect stolen ones. */
  "refresh-token": DAY_MS,
  "ended-session": DAY_MS,
  "revoked-session": 15 * DAY_MS,
  activity: BY_SETTING,
} as const satisfies Record<string, number | null>;

type Ages = typeof DESTROYED_BY_AGE;
type OwnAge = keyof Ages;
export type DestroyedByAge = OwnAge | RetentionRule;

/** The time to keep is given where the declaration has none. */
export type KeptMs<What extends DestroyedByAge> = What extends OwnAge
  ? Ages[What] extends number
    ? []
    : [ms: number]
  : [ms: number];

/** A run this long after the last one, or before it, has a clock that jumped. */
export const CLOCK_JUMP_MS = DAY_MS;
