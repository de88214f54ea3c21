// Reads a question: the words of its subject, and the decisions and times that it asks for.
import { type Judgment, wordsMax } from "../schema/memory.ts";
import { type Span, spanNamed } from "./time-words.ts";
import { stemsOf } from "./words.ts";

interface Asked {
  /** The stems that count, with repetitions. */
  stems: string[];
  /** The distinct stems that say what the question is about. Without such a word: the stems of all its words. */
  subject: string[];
  /** The selection of a question without a subject, such as "What was rejected last week?". */
  selection?: Selection;
}

/** Decisions and a span of time; undefined: any. */
interface Selection {
  decisions: ReadonlySet<Judgment["decision"]> | undefined;
  span: Span | undefined;
}

const decisionsOf: Record<string, readonly Judgment["decision"][]> = {
  agree: ["agree"],
  approve: ["approved", "document_approved"],
  comment: ["comment"],
  decline: ["rejected", "document_rejected"],
  disagree: ["disagree"],
  endorse: ["endorse"],
  progress: ["in_progress"],
  refuse: ["rejected", "document_rejected"],
  reject: ["rejected", "document_rejected"],
  resolve: ["resolve"],
};

/** Words that ask for records of any decision. */
const recordWords = "decide decided decision decisions feedback judgment judgments outcome review reviewed verdict";

const timeWords = `ago current currently daily date day days earlier friday january february march april june july
  august september october november december last lately late latest monday month monthly months newest now past
  previous previously quarter quarterly quarters recent recently saturday since sunday thursday today tomorrow
  tuesday wednesday week weekly weeks year yearly years yesterday`;

/** Common words of questions, which say nothing about their subject. */
const commonWords = `able above actually after again against allow allowed along already also always another
  answer anybody anyone anything ask asked bad bear because before below best better big bit call called can
  case cases come consider d document documents down ever every everybody everyone everything example examples
  explain file find front general generally get give given go going good great handle handled handling happen
  happened happens hello help hi high item items keep kept kind know known let like list ll long look low m main
  make makes making many matter mean means much must near need needed needs never new nobody nothing off offer
  often ok okay old once one ones opinion ought out over people person place please point policies policy
  position possible problem problems procedure process question questions quite re really reason reasons record
  records right rule rules s same say says see seem several shall show so someone something sort still stuff
  sure t take taken tell than thank thanks thing things think treat treated try turn type typical typically up
  upon us use used using usual usually ve via view want wanted wants way ways well whether while within without
  wrong yes yet`;

const stemSet = (text: string) => new Set(stemsOf(text));
const decisionStems = new Map(
  Object.entries(decisionsOf).map(([word, decisions]) => [stemsOf(word)[0] as string, decisions] as const),
);
const recordStems = stemSet(recordWords);
const timeStems = stemSet(timeWords);
const commonStems = stemSet(commonWords);

/** `now` is in ms since the epoch: times such as "last week" are relative to it. */
export function asked(question: string, now = Date.now()): Asked {
  const all = stemsOf(question);
  const distinct = [...new Set(all)].slice(0, wordsMax);
  const counting = new Set(distinct);
  const stems = all.filter((each) => counting.has(each));
  const decisions = distinct.flatMap((each) => decisionStems.get(each) ?? []);
  const isSelecting = decisions.length > 0 || distinct.some((each) => recordStems.has(each) || timeStems.has(each));
  const span = spanNamed(question, now);
  const subject = distinct.filter((each) => !isGeneral(each) && !(span && isNumber.test(each)));
  if (subject.length > 0) return { stems, subject };
  if (!isSelecting) return { stems, subject: distinct };
  const wanted = decisions.length > 0 ? new Set(decisions) : undefined;
  return { stems, subject: distinct, selection: { decisions: wanted, span } };
}

/** In a question that names a span of time, a number is part of it: "the last 3 days", "May 2026". */
const isNumber = /^\d+$/;
/** Japanese writes the endings of words, and words such as "what" and "of", in hiragana. */
const isGrammar = /^\p{sc=Hira}+$/u;
const isGeneral = (stem: string) =>
  isGrammar.test(stem) ||
  commonStems.has(stem) ||
  timeStems.has(stem) ||
  recordStems.has(stem) ||
  decisionStems.has(stem);
