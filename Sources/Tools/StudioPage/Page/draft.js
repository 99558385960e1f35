// The draft: the changes that are not saved yet, as the interface for editing and the views use it.
//
// A change is never modified but replaced, so undo only has to keep earlier maps of changes. Values are texts as in
// 'api/editable', or null for nil. Names from the schema are keys of maps, since an object has names of its own.

import { localDate, properties, root, studio } from './basics.js';

export const canEdit = () => studio.store?.isReadOnly === false;
export const isNewKey = (key) => Boolean(key?.startsWith('new-'));
export const isSame = (one, other) => one.key === other.key && root(one.entity) === root(other.entity);
const idOf = ({ entity, key }) => `${root(entity)} ${key}`;

class Draft {
  /**
   * The changes by row. Each has 'kind' (update, insert or delete), 'entity' (the row's class), 'key', 'label',
   * 'values' (by property, 'from' and 'to') and 'lists' (by to-many relationship, the rows to 'add' and to 'remove').
   */
  #changes = new Map();
  #past = [];
  #future = [];
  #lastStep;
  #isInStep = false;
  #newRows = 0;
  /** The texts of links to rows that were chosen. */
  #labels = new Map();
  /**
   * What the server or the page found wrong: 'entity', 'key', 'property', 'message', and the first of 'count' 'others'.
   */
  problems = [];
  /** Called after each change, with true if it was typed in a field. */
  changed = () => {};

  get size() { return this.#changes.size; }
  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }
  get all() { return [...this.#changes.values()]; }

  get(row) { return this.#changes.get(idOf(row)); }

  /** Returns the new rows of an entity and its subclasses. */
  newRows(entity) {
    return this.all.filter((each) => each.kind === 'insert' && isKindOf(each.entity, entity));
  }

  /** Returns what is wrong with a property, or with the row itself if the property is null. */
  problemsOf(row, property) {
    return this.problems.filter((each) => isSame(each, row) && (each.property ?? null) === property);
  }

  // MARK: Steps

  /** Does something as one step for undo. Steps with the same name in a row become one. */
  step(action, name) {
    if (this.#isInStep) return action();
    const before = this.#changes;
    this.#isInStep = true;
    action();
    this.#isInStep = false;
    if (this.#changes === before) return;
    if (!name || name !== this.#lastStep) this.#past.push(before);
    this.#lastStep = name;
    this.#future = [];
    this.changed(Boolean(name));
  }

  undo() { this.#move(this.#past, this.#future); }
  redo() { this.#move(this.#future, this.#past); }

  #move(source, target) {
    if (source.length === 0) return;
    target.push(this.#changes);
    this.#changes = source.pop();
    this.#lastStep = undefined;
    this.problems = [];
    this.changed(false);
  }

  discard() {
    this.problems = [];
    this.step(() => { this.#changes = new Map(); });
  }

  /** Ends the draft after it was saved. */
  clear() {
    this.problems = [];
    [this.#changes, this.#past, this.#future, this.#lastStep] = [new Map(), [], [], undefined];
    this.changed(false);
  }

  // MARK: Changes

  /** Changes a value. 'from' is the value that the store had when the page read it. */
  set(row, name, from, to, isTyped = false) {
    this.step(() => {
      const change = this.#changeOf(row);
      const first = change.values.has(name) ? change.values.get(name).from : from;
      const values = new Map(change.values).set(name, { from: first, to });
      if (change.kind === 'update' && first === to) values.delete(name);
      this.#put({ ...change, values });
      this.problems = this.problems.filter((each) => !(isSame(each, row) && each.property === name));
    }, isTyped ? `${idOf(row)} ${name}` : undefined);
  }

  /** Adds a row with its default values. */
  insert(entity) {
    const key = `new-${++this.#newRows}`;
    const values = new Map(defaults(entity).map(([name, to]) => [name, { from: null, to }]));
    this.step(() => this.#put({ kind: 'insert', entity, key, values, lists: new Map() }));
    return { entity, key };
  }

  delete(row) {
    if (isNewKey(row.key)) return this.revert(row);
    const { entity, key, label } = row;
    this.step(() => this.#put({ kind: 'delete', entity, key, label, values: new Map(), lists: new Map() }));
  }

  /** Takes back all changes of a row. A new row also leaves the values and lists that contain it. */
  revert(row) {
    this.step(() => {
      this.#changes = new Map(this.#changes);
      this.#changes.delete(idOf(row));
      this.problems = this.problems.filter((each) => !isSame(each, row));
      if (!isNewKey(row.key)) return;
      for (const change of this.all) {
        for (const [name, { from, to }] of change.values) if (to === row.key) this.set(change, name, from, from);
        for (const name of change.lists.keys()) this.#dropMember(change, name, 'add', row);
      }
    });
  }

  revertValue(row, name) {
    const { from } = this.get(row).values.get(name);
    this.set(row, name, from, from);
  }

  /** Uses the value that the store has by now, or keeps the own change of it. */
  resolve(conflict, isMine) {
    const change = this.get(conflict);
    const { property: name = null, theirs = null } = conflict;
    if (name === null) return this.revert(conflict);
    if (!change?.values.has(name)) return;
    if (!isMine) return this.revertValue(conflict, name);
    this.step(() => {
      const values = new Map(change.values).set(name, { from: theirs, to: change.values.get(name).to });
      this.#put({ ...change, values });
    });
  }

  #changeOf(row) {
    const { entity, key, label } = row;
    const change = this.get(row);
    if (change && change.kind !== 'delete') return change;
    return { kind: 'update', entity, key, label, values: new Map(), lists: new Map() };
  }

  #put(change) {
    const isEmpty = change.kind === 'update' && change.values.size === 0 && change.lists.size === 0;
    this.#changes = new Map(this.#changes);
    if (isEmpty) this.#changes.delete(idOf(change));
    else this.#changes.set(idOf(change), change);
  }

  // MARK: Lists

  /**
   * Returns the rows that the draft adds to a list, and those that it removes. The inverse may have the change: as a
   * value if it is to-one, or in the list of the other row.
   */
  members(owner, { name, destination, inverse }) {
    const { add = [], remove = [] } = this.get(owner)?.lists.get(name) ?? {};
    const [added, removed] = [[...add], [...remove]];
    for (const change of inverse ? this.all : []) {
      const isCounted = inverse === name && isSame(change, owner);
      if (isCounted || root(change.entity) !== root(destination)) continue;
      const value = change.values.get(inverse);
      const list = change.lists.get(inverse);
      const contains = (rows) => rows?.some((each) => isSame(each, owner));
      if (value?.to === owner.key || contains(list?.add)) added.push(change);
      else if (value?.from === owner.key || contains(list?.remove)) removed.push(change);
    }
    return { added, removed };
  }

  /** Adds a row to a list that has no to-one inverse, or removes it. */
  setMember(owner, { name, inverse }, member, isMember) {
    const [kind, opposite] = isMember ? ['add', 'remove'] : ['remove', 'add'];
    this.step(() => {
      if (this.#dropMember(owner, name, opposite, member)) return;
      if (inverse && this.#dropMember(member, inverse, opposite, owner)) return;
      const change = this.#changeOf(owner);
      const list = change.lists.get(name) ?? { add: [], remove: [] };
      if (list[kind].some((each) => isSame(each, member))) return;
      const { entity, key, label } = member;
      const lists = new Map(change.lists).set(name, { ...list, [kind]: [...list[kind], { entity, key, label }] });
      this.#put({ ...change, lists });
    });
  }

  /** Takes back that a row is added to a list or removed. Returns whether it was. */
  #dropMember(owner, name, kind, member) {
    const change = this.get(owner);
    const list = change?.lists.get(name);
    if (!list?.[kind].some((each) => isSame(each, member))) return false;
    const rest = { ...list, [kind]: list[kind].filter((each) => !isSame(each, member)) };
    const lists = new Map(change.lists).set(name, rest);
    if (rest.add.length + rest.remove.length === 0) lists.delete(name);
    this.#put({ ...change, lists });
    return true;
  }

  // MARK: Texts

  remember(row) { this.#labels.set(idOf(row), row.label); }

  /** Returns the text of a link to a row: for a new row, its first text. */
  label(row) {
    const change = this.get(row);
    if (change?.kind !== 'insert') return change?.label ?? row.label ?? this.#labels.get(idOf(row)) ?? '';
    const texts = [...properties(studio.entities.get(change.entity)).values()].filter(({ form }) => form === 'text');
    const text = texts.map(({ name }) => change.values.get(name)?.to).find((each) => each?.trim());
    return text ?? `New ${change.entity}`;
  }

  link({ entity, key, label }) { return { entity, key, label: this.label({ entity, key, label }) }; }

  /** Returns a new row like the rows that the server answers. */
  newRow({ entity, key }) {
    const lists = [...properties(studio.entities.get(entity)).values()].filter(({ kind }) => kind === 'toMany');
    return {
      entity, class: entity, key, label: '', cells: {}, values: {}, referencedBy: [],
      toMany: lists.map(({ name, destination }) => ({ name, destination, count: 0, rows: [] })),
    };
  }

  // MARK: Saving

  /** Returns what the page can tell without the server. */
  ownProblems() {
    return this.all.filter(({ kind }) => kind !== 'delete').flatMap((change) => {
      const { entity, key } = change;
      const checked = [...properties(studio.entities.get(entity)).values()].filter(({ name, kind, isEditable }) =>
        change.values.has(name) || (change.kind === 'insert' && kind !== 'toMany' && isEditable));
      return checked.map((property) => {
        const message = problemOf(property, change.values.get(property.name)?.to ?? null);
        return message && { entity, key, property: property.name, message };
      }).filter(Boolean);
    });
  }

  message(confirmed, isTrial) {
    const keys = (rows) => rows.map(({ key }) => key);
    const lists = (change) => Object.fromEntries([...change.lists].map(([name, { add, remove }]) =>
      [name, { add: keys(add), remove: keys(remove) }]));
    const changes = (kind, content) => this.all.filter((each) => each.kind === kind).map(content);
    return {
      updates: changes('update', (each) => ({
        entity: each.entity, key: each.key, values: Object.fromEntries(each.values), lists: lists(each),
      })),
      inserts: changes('insert', (each) => ({
        entity: each.entity, id: each.key, lists: lists(each),
        values: Object.fromEntries([...each.values].map(([name, { to }]) => [name, to])),
      })),
      deletes: changes('delete', ({ entity, key }) => ({ entity, key })),
      confirmed, isTrial,
    };
  }
}

export const draft = new Draft();

/** Returns whether an entity is another one or a subclass of it. */
function isKindOf(name, other) {
  return name === other || (name !== undefined && isKindOf(studio.entities.get(name)?.superentity, other));
}

/** Returns an entity and all its subclasses. */
export const classesOf = (entity) =>
  [...studio.entities.keys()].filter((name) => isKindOf(name, entity));

/** Returns the values of a new row. */
function defaults(entity) {
  const makers = { now: () => new Date().toISOString(), uuid: () => crypto.randomUUID().toUpperCase() };
  return [...properties(studio.entities.get(entity)).values()].flatMap((property) => {
    const { name, form, isOptional, defaultKind } = property;
    if (Object.hasOwn(makers, defaultKind ?? '')) return [[name, makers[defaultKind]()]];
    if (property.default !== null && property.default !== undefined) return [[name, property.default]];
    return form === 'boolean' && !isOptional ? [[name, 'false']] : [];
  });
}

// MARK: Values

export const datePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

/** Returns a date in local time, as the table shows it or without the time, in UTC; other texts as they are. */
export function utcDate(text) {
  const [, day, minutes = '00:00', seconds = ':00', fraction = ''] =
    /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d)(?:(:\d\d)(\.\d+)?)?)?$/.exec(text.trim()) ?? [];
  const date = new Date(`${day}T${minutes}${seconds}`);
  if (Number.isNaN(date.getTime())) return text;
  const utc = date.toISOString().replace(/\.\d+Z$/, `${fraction}Z`);
  // A day that does not exist would be one of the next month.
  return localDate(utc).startsWith(day) ? utc : text;
}

const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const integer = [/^[+-]?\d+$/, 'must be an integer'];
const patterns = {
  integer,
  duration: integer,
  real: [new RegExp(`${numberPattern.source}|^[+-]?(inf|infinity|nan)$`, 'i'), 'must be a number'],
  decimal: [new RegExp(`${numberPattern.source}|^nan$`, 'i'), 'must be a number'],
  uuid: [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be a UUID'],
  date: [new RegExp(`${datePattern.source}|${numberPattern.source}`, 'i'),
    'must be a time in UTC, such as 2026-01-31T12:00:00Z, or in local time, such as 2026-01-31 14:05'],
};

/** Returns what is wrong with a value; undefined if the page finds nothing. */
export function problemOf({ form, isOptional }, text) {
  if (text === null) return isOptional ? undefined : 'needs a value';
  if (form === 'json') {
    try {
      JSON.parse(text);
    } catch (error) {
      return error.message;
    }
  }
  const [pattern, message] = Object.hasOwn(patterns, form) ? patterns[form] : [];
  return pattern && !pattern.test(text) ? message : undefined;
}

/** Returns the number of bytes of data: that in the store has a short text, new data is in Base64. */
const byteCount = (text) =>
  text.startsWith('data:') ? Number(text.split(':')[1]) : Math.floor((text.replace(/=+$/, '').length * 3) / 4);

/** Returns a value as a cell like those that the server answers. */
export function cellOf(property, text) {
  if (text === null || text === undefined) return null;
  const { form, destination, cases } = property ?? {};
  if (form === 'relationship') {
    return { key: text, entity: destination, text: draft.label({ entity: destination, key: text }) };
  }
  if (form === 'enum') return { text: cases.find(({ value }) => value === text)?.name ?? text };
  if (form === 'data') return { text: '', isCut: true, bytes: byteCount(text) };
  return { text };
}
