import { formatCount } from "#app/lib/format.ts";
import { type PrintChoice, sheetForChoice } from "#app/features/alumni/paper/print-choice.ts";
import { columnLabel, type OwnField, type AlumniFieldCode } from "#worker/contract/alumni/own-fields.ts";
import {
  A4,
  ENVELOPES,
  groupByCohort,
  type LabelSheet,
  layOutSheets,
  perSheet,
  placeOf,
  type PrintedPerson,
} from "#worker/contract/alumni/paper.ts";

interface PrintedPagesProps {
  people: readonly PrintedPerson[];
  choice: PrintChoice;
  title: string;
  own: readonly OwnField[];
}

export function PrintedPages(props: PrintedPagesProps) {
  const sheet = sheetForChoice(props.choice);
  if (sheet) return <LabelPages {...props} sheet={sheet} />;
  return props.choice.kind === "envelope" ? <EnvelopePages {...props} /> : <Directory {...props} />;
}

const millimetres = (value: number) => `${value}mm`;

const pageSize = ({ width, height }: { width: number; height: number }) => ({
  width: millimetres(width),
  height: millimetres(height),
});

/** Labels lower than this (mm) use small type. */
const SMALL_HEIGHT = 28;

function LabelPages({ people, choice, own, sheet }: PrintedPagesProps & { sheet: LabelSheet }) {
  const isCard = choice.kind === "card";
  const kind = isCard ? "label-card" : sheet.height < SMALL_HEIGHT ? "label-small" : "";
  return layOutSheets(people, perSheet(sheet), choice.start).map((places, page) => (
    // oxlint-disable-next-line react/no-array-index-key -- sheets have nothing but their number
    <div key={page} className="paper-page paper-sheet" style={pageSize(A4)}>
      {places.map((person, at) => {
        const { left, top } = placeOf(sheet, at);
        const style = {
          ...pageSize(sheet),
          left: millimetres(left + choice.shiftX),
          top: millimetres(top + choice.shiftY),
        };
        const isUsed = page === 0 && at < choice.start - 1;
        return person ? (
          <div key={person.id} data-person={person.id} className={`label-place ${kind}`} style={style}>
            {isCard ? <Card person={person} choice={choice} /> : <Address person={person} choice={choice} own={own} />}
          </div>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- a free place has nothing but its number
          <div key={`free ${at}`} className={`label-place ${isUsed ? "label-used" : ""}`} style={style} />
        );
      })}
    </div>
  ));
}

const POSTAL: readonly AlumniFieldCode[] = ["name", "zipCode", "address"];

const textsOf = (person: PrintedPerson, columns: readonly AlumniFieldCode[]) =>
  columns
    .filter((field) => !POSTAL.includes(field))
    .flatMap((field) => (person[field] ? [[field, person[field]]] : []));

const withUnit = (field: AlumniFieldCode, text: string) => (field === "cohort" ? `${text}기` : text);

interface PersonProps {
  person: PrintedPerson;
  choice: PrintChoice;
}

function Address({ person, choice }: PersonProps & { own: readonly OwnField[] }) {
  const beside = textsOf(person, choice.columns).map(([field, text]) =>
    withUnit(field as AlumniFieldCode, text as string),
  );
  return (
    <>
      <p>{person.address}</p>
      {beside.length > 0 && <p>{beside.join(" ")}</p>}
      <p className="label-name">
        {person.name} {choice.suffix}
      </p>
      {person.zipCode && <p className="label-zip">{person.zipCode}</p>}
    </>
  );
}

function Card({ person, choice }: PersonProps) {
  return (
    <>
      <p className="label-name">{person.name}</p>
      {textsOf(person, choice.columns).map(([field, text]) => (
        <p key={field}>{withUnit(field as AlumniFieldCode, text as string)}</p>
      ))}
    </>
  );
}

function EnvelopePages({ people, choice, own }: PrintedPagesProps) {
  const { envelope } = choice;
  return people.map((person) => (
    <div key={person.id} className={`paper-page paper-envelope-${envelope}`} style={pageSize(ENVELOPES[envelope])}>
      <p className="envelope-from">{choice.sender}</p>
      <div className="envelope-to" data-person={person.id}>
        <Address person={person} choice={choice} own={own} />
      </div>
    </div>
  ));
}

function Directory({ people, choice, title, own }: PrintedPagesProps) {
  const columns = choice.columns.filter((field) => field !== "name" && field !== "cohort");
  return (
    <div className="directory">
      <h2>
        {title} <small className="font-normal">{formatCount(people.length)}명</small>
      </h2>
      {groupByCohort(people).map(({ cohort, people: members }) => (
        <section key={cohort}>
          <h3>
            {cohort === "" ? "기수 없음" : `${cohort}기`} <small className="font-normal">{members.length}명</small>
          </h3>
          <ul>
            {members.map((person) => (
              <li key={person.id}>
                <strong>{person.name}</strong>
                <span>
                  {columns.flatMap((field) => {
                    const text = person[field];
                    return text ? [<span key={field} title={columnLabel(field, own)}>{`${text}  `}</span>] : [];
                  })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
