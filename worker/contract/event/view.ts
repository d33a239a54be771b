import type { ProfileInput } from "../account/rules.ts";
import type { ProfileField } from "../account/view.ts";
import type { EventView } from "../board/view.ts";
import type { Versioned } from "../kernel/errors.ts";
import type { DueState } from "../alumni/dues/dues.ts";
import type { Attendance, DoorAct, EventFee, EventQuestion, RegistrationPhase, RegistrationStatus } from "./event.ts";

/** On the page of the item, for everybody who reads it. */
export interface RegistrationSummary {
  phase: RegistrationPhase;
  openDate: string;
  closeDate: string;
  /** Null for no limit. */
  places: number | null;
  isFull: boolean;
  useWaiting: boolean;
  /** Whether people without an account register. */
  takesGuests: boolean;
  /** Null without a limit, or hidden. */
  free: number | null;
  /** Null where hidden. */
  waiting: number | null;
}

export interface RegisteredItem {
  boardCode: string;
  itemNo: number;
  title: string;
  event: EventView | null;
}

/** The fee that a registration chose. */
export interface RegistrationFee {
  name: string;
  amount: number;
  paid: number;
  /** Null where nothing is owed: free, waiting, cancelled or given back. */
  state: DueState | null;
  /** Korean day, or empty. */
  dueDay: string;
}

/** Where an own fee is paid. */
export interface FeePayment {
  account: string;
  holder: string;
  guide: string;
  link: string;
  open: number;
  /** The payer writes it, so that the bank's row names the registration. */
  payName: string;
}

export interface OwnRegistration {
  id: string;
  status: RegistrationStatus;
  /** The place in the queue from 1, of a waiting person. */
  queue: number | null;
  answers: ProfileInput;
  fee: RegistrationFee | null;
  /** Null where nothing is open. */
  pay: FeePayment | null;
  /** The office's, where it cancelled or moved up. */
  reason: string;
  createdDate: string;
  /** The address of the ticket; empty without one. */
  ticket: string;
  version: number;
  can: { change: boolean; cancel: boolean };
}

/** The page on which a member registers. */
export interface RegistrationPage extends RegistrationSummary {
  item: RegisteredItem;
  boardName: string;
  questions: ProfileField[];
  /** Those that the caller may choose. */
  fees: Pick<EventFee, "code" | "name" | "amount">[];
  questionsVersion: number;
  /** The last moment of cancelling. */
  cancelUntil: string;
  mine: OwnRegistration | null;
  can: { register: boolean; manage: boolean };
  /** Somebody without an account, who confirms an address first. */
  isGuest: boolean;
  /** Of the registration that a member made without signing in; empty without one. */
  guestPath: string;
  /** Why the caller cannot register; empty where they can. */
  refusal: string;
}

/** The page of a guest's own registration. */
export type GuestRegistrationPage = Pick<RegistrationPage, "item" | "questions" | "questionsVersion" | "cancelUntil"> &
  RegistrationSummary & { userName: string; mine: OwnRegistration };

/** A registration on the member's own page; without a title where the item is not readable any more. */
export interface OwnRegistrationRow {
  id: string;
  boardCode: string;
  itemNo: number;
  title: string;
  event: EventView | null;
  status: RegistrationStatus;
  /** Whether the fee is open. */
  isUnpaid: boolean;
  queue: number | null;
  ticket: string;
  createdDate: string;
}

/** A ticket as the door shows it. */
export interface DoorTicket extends DoorAct {
  id: string;
  userName: string;
  affiliation: string;
  item: RegisteredItem;
  status: RegistrationStatus;
}

export type RegistrationCounts = Record<RegistrationStatus, number>;

export interface EventRow {
  boardCode: string;
  itemNo: number;
  title: string;
  event: EventView | null;
  phase: RegistrationPhase;
  places: number | null;
  counts: RegistrationCounts;
}

export interface EventSetting {
  openDate: string;
  closeDate: string;
  cancelUntil: string;
  places: number | null;
  useWaiting: boolean;
  hidesCounts: boolean;
  takesGuests: boolean;
  roleCodes: string[];
  confirmation: string;
  attendance: Attendance;
  certificateKindId: string;
  questions: EventQuestion[];
  fees: EventFee[];
  reminderDays: number | null;
  feeDays: number | null;
  cancelsUnpaid: boolean;
}

/** The office's page of an event; without a setting where it takes no registrations yet. */
export interface EventPage {
  item: RegisteredItem;
  boardName: string;
  /** False for a cancelled event, which takes nobody more. */
  isHeld: boolean;
  phase: RegistrationPhase | null;
  setting: Versioned<EventSetting> | null;
  counts: RegistrationCounts;
  roles: { roleCode: string; roleName: string }[];
  /** Kinds of certificates that are still issued. */
  kinds: { id: string; name: string }[];
  /** Whether the officer issues certificates. */
  canCertify: boolean;
  /** Whether the caller records and gives back payments. */
  canPay: boolean;
  /** Earlier events whose setting can be copied, the newest first. */
  earlier: (RegisteredItem & { setting: EventSetting })[];
}

export interface RegistrationRow {
  id: string;
  userId: string;
  userName: string;
  isGuest: boolean;
  /** The verified address, or number; empty without one. */
  contact: string;
  status: RegistrationStatus;
  queue: number | null;
  answers: ProfileInput;
  fee: RegistrationFee | null;
  reason: string;
  createdDate: string;
  attendedDate: string | null;
  leftDate: string | null;
  version: number;
}

/** People who registered and did not cancel. */
export interface EventFigure {
  label: string;
  people: number;
  placed: number;
  present: number;
  /** People whose fee is paid. */
  payers: number;
  /** Won. */
  paid: number;
}

/** The figures of an event, on one page to print. */
export interface EventFigures {
  item: RegisteredItem;
  places: number | null;
  counts: RegistrationCounts;
  /** Empty without fees. */
  fees: EventFigure[];
  roles: EventFigure[];
  affiliations: EventFigure[];
  /** By the Korean day of the registration. */
  days: EventFigure[];
  date: string;
}
