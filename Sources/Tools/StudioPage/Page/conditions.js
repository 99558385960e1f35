// Conditions for the filter of a table, in its language: examples, and the value of a cell.

import { properties, studio } from './basics.js';

/** Returns a property as a filter names it. A part of a struct that may be nil follows '?'. */
export const pathOf = ({ name, isOptional }) => `$0.${isOptional ? name.replaceAll('.', '?.') : name}`;

/** Returns the first attribute with one of some forms, preferably one that is never nil. */
function attribute(entity, ...forms) {
  const found = [...properties(entity).values()]
    .filter(({ name, form }) => forms.includes(form) && !name.includes('.'));
  return found.find(({ isOptional }) => !isOptional) ?? found[0];
}

/** Returns conditions that show what a filter can say, made from an entity's properties. */
export function examples(entity) {
  const known = [...properties(entity).values()];
  const orElse = (property, value) =>
    property?.isOptional ? `(${pathOf(property)} ?? ${value})` : property && pathOf(property);
  const text = attribute(entity, 'text');
  const amount = orElse(attribute(entity, 'integer', 'real', 'decimal'), '0');
  const date = orElse(attribute(entity, 'date'), '.distantPast');
  const choice = attribute(entity, 'enum');
  const optional = known.find(({ isOptional, kind, name }) => isOptional && kind !== 'toMany' && !name.includes('.'));
  const [list, link] = ['toMany', 'toOne'].map((kind) => known.find((each) => each.kind === kind));
  const [member, target] = [list, link].map((each) => sample(studio.entities.get(each?.destination)));
  return [
    text && (text.isOptional ? `${pathOf(text)}?.contains("a") == true` : `${pathOf(text)}.contains("a")`),
    amount && `${amount} > 10`,
    date && `${date} >= Date("2026-03-01") && ${date} < Date("2026-04-01")`,
    choice && `${pathOf(choice)} == .${choice.cases[0].name}`,
    optional && `${pathOf(optional)} == nil`,
    list && `${pathOf(list)}.count > 3`,
    member && `${pathOf(list)}.contains { $0.${member} }`,
    target && `${pathOf(link)}${link.isOptional ? '?' : ''}.${target}`,
  ].filter(Boolean);
}

/** Returns a condition for a related row, without the '$0.' before it. */
function sample(entity) {
  const property = attribute(entity, 'text') ?? attribute(entity, 'integer');
  return property && `${property.name} == ${property.form === 'text' ? '"a"' : '10'}`;
}

/** Returns the condition that a property has the value of a cell; undefined if a filter cannot say it. */
export function equation(property, cell) {
  const { form } = property;
  if (cell?.problem || cell?.isCut || (cell && !Object.hasOwn(literals, form))) return undefined;
  const literal = cell ? literals[form](cell) : 'nil';
  return literal && `${pathOf(property)} == ${literal}`;
}

const literals = {
  text: ({ text }) => quoted(text),
  url: ({ text }) => `URL(${quoted(text)})`,
  uuid: ({ text }) => `UUID(${quoted(text)})`,
  decimal: ({ text }) => /\d/.test(text) && `Decimal(${quoted(text)})`,
  boolean: ({ text }) => text,
  integer: ({ text }) => text,
  real: ({ text }) => /\d/.test(text) && text,
  enum: ({ text }) => `.${text}`,
  /** The text of a date with a fraction may be rounded. */
  date: ({ text, raw }) => /:\d\dZ$/.test(text) ? `Date(${quoted(text)})`
    : `Date(timeIntervalSinceReferenceDate: ${raw ?? text})`,
};

/** Returns a text as a literal in Swift. What a single line cannot show is escaped. */
function quoted(text) {
  const escaped = text.replace(/[\\"]/g, '\\$&')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (each) => `\\u{${each.codePointAt(0).toString(16)}}`);
  return `"${escaped}"`;
}
