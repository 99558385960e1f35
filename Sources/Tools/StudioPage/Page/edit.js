// The bar with the draft, saving, deletion, and changing the lists of a row.

import {
  button, formClass, go, make, number, oneLine, plural, properties, readState, request, root, rowLink, send, studio,
  valueNode, visible,
} from './basics.js';
import { cellOf, draft, isNewKey, isSame } from './draft.js';
import { ask, chooseRow, fieldId, makeRow, tell } from './fields.js';

const propertyOf = (entity, name) => properties(studio.entities.get(entity)).get(name);

/** Returns a value of the draft in a single line. */
function valueOf(entity, name, text) {
  const property = propertyOf(entity, name);
  const kind = formClass(property) === 'code' ? 'code' : '';
  return make('span', { class: kind }, valueNode(cellOf(property, text), property));
}

/** Returns texts about problems, each with the rows that are its cause. */
const problemNodes = (problems) => problems.flatMap(({ message, others = [], count }) => [
  make('div', { class: 'problem whole' }, visible(message)),
  ...others.map((each) => make('div', {}, rowLink(each))),
  count > others.length && make('div', { class: 'soft' }, `and ${number(count - others.length)} more`),
].filter(Boolean));

/** Waits for an answer or an error. Until it is there, nothing can be changed. */
async function whileInert(answer) {
  const { activeElement } = document;
  document.body.inert = true;
  try {
    return await answer;
  } catch (error) {
    return error;
  } finally {
    document.body.inert = false;
    activeElement?.focus?.({ preventScroll: true });
  }
}

// MARK: The bar

const unsaved = 'Nothing was saved';

/** The bar with the number of changes. */
export class ChangesBar {
  /** 'refresh' reads the store again; 'openField' shows the editor of a row's property. */
  constructor(element, { refresh, openField }) {
    Object.assign(this, { element, refresh, openField });
    this.count = make('strong', { role: 'status' });
    this.problems = button('', () => this.showProblems('Problems', draft.problems), { class: 'link problem' });
    this.undoButton = button('Undo', () => draft.undo(), { title: 'Ctrl+Z' });
    this.redoButton = button('Redo', () => draft.redo(), { title: 'Ctrl+Shift+Z' });
    this.draftButtons = [
      button('Review', () => this.review()), button('Discard', () => draft.discard()),
      button('Save', () => this.save(), { class: 'main', title: 'Ctrl+S' }),
    ];
    const [review, discard, save] = this.draftButtons;
    element.append(this.count, this.problems, review, this.undoButton, this.redoButton, discard, save);
  }

  show() {
    const { size, canUndo, canRedo, problems } = draft;
    const isEmpty = size === 0 && !canUndo && !canRedo;
    if (!isEmpty) this.saved = '';
    this.element.hidden = isEmpty && !this.saved;
    this.count.textContent = this.saved || (size === 0 ? 'No changes' : plural(size, 'change'));
    for (const each of [this.undoButton, this.redoButton, ...this.draftButtons]) each.hidden = isEmpty;
    this.problems.textContent = plural(problems.length, 'problem');
    this.problems.hidden = problems.length === 0;
    this.undoButton.disabled = !canUndo;
    this.redoButton.disabled = !canRedo;
    for (const each of this.draftButtons) each.disabled = size === 0;
  }

  /** Says for a while what was saved. */
  showSaved(text) {
    clearTimeout(this.timer);
    this.saved = text;
    this.timer = setTimeout(() => this.showSaved(''), 4000);
    this.show();
  }

  // MARK: Saving

  /** Saves the draft. 'confirmed' is the fingerprint of the consequences that the user has accepted. */
  async save(confirmed = null) {
    if (draft.size === 0 || document.querySelector('dialog[open]')) return;
    const problems = draft.ownProblems();
    if (problems.length > 0) return this.showProblems(unsaved, problems);
    const answer = await whileInert(send('save', draft.message(confirmed, false)));
    const { outcome, keys, consequences, conflicts } = answer;
    if (answer instanceof Error) {
      await tell(unsaved, answer.message);
    } else if (outcome === 'saved') {
      await this.finish(new Map(Object.entries(keys ?? {})));
    } else if (outcome === 'invalid') {
      await this.showProblems(unsaved, answer.problems);
    } else if (outcome === 'confirm') {
      const title = consequences.deleted.length > 0 ? 'Save these deletions?' : 'Other rows lose a connection';
      if (await askDeletion(title, consequences, 'Save')) await this.save(consequences.fingerprint);
    } else if (outcome === 'conflict') {
      if (await askConflicts(conflicts)) await this.save(confirmed);
    }
  }

  /** Shows the saved rows: a new row has its key now, and a deleted row is closed. */
  async finish(keys) {
    const { of, row } = readState();
    if (keys.has(row)) go({ row: keys.get(row) }, true);
    else if (row && draft.get({ entity: of, key: row })?.kind === 'delete') go({ of: '', row: '' }, true);
    const text = `Saved ${plural(draft.size, 'change')}`;
    draft.clear();
    this.showSaved(text);
    await this.refresh();
  }

  /** Lists problems; each leads to its field. */
  async showProblems(title, problems) {
    draft.problems = problems;
    draft.changed(false);
    let chosen;
    const item = (problem) => {
      const { entity, key, property } = problem;
      const name = [draft.label(problem) || `${entity} ${key}`, property].filter(Boolean).join(' · ');
      const show = (event) => {
        chosen = problem;
        event.target.closest('dialog').close('');
      };
      return make('li', {}, button(oneLine(name), show, { class: 'link', dir: 'auto' }), ...problemNodes([problem]));
    };
    await ask(title, make('ul', { class: 'entries' }, ...problems.map(item)), [['Close', '', 'main']]);
    if (chosen) this.openField(chosen, chosen.property ?? undefined);
  }

  // MARK: Review

  /** Lists all changes, and what is wrong with them. */
  async review() {
    const list = make('ul', { class: 'entries' });
    const none = make('li', { class: 'soft' }, 'No changes.');
    const fill = () => {
      const entries = draft.all.map((change) => changeEntry(change, update));
      list.replaceChildren(...(entries.length > 0 ? entries : [none]));
    };
    const update = async () => {
      fill();
      await this.check();
      fill();
    };
    update();
    if (await ask('Changes', list, [['Close', ''], ['Save', 'save', 'main']], { class: 'wide' })) await this.save();
  }

  /** Looks for problems without saving. */
  async check() {
    const { all } = draft;
    const { problems = [] } = await send('save', draft.message(null, true)).catch(() => ({}));
    const isSameDraft = draft.all.length === all.length && draft.all.every((each, index) => each === all[index]);
    if (!isSameDraft) return;
    const isNamed = (own) => problems.some((each) => isSame(each, own) && each.property === own.property);
    draft.problems = [...problems, ...draft.ownProblems().filter((each) => !isNamed(each))];
    draft.changed(false);
  }
}

const kindNames = { insert: 'new', update: 'changed', delete: 'deleted' };

/** A changed row with its old and new values. 'update' is called when something was taken back. */
function changeEntry(change, update) {
  const { kind, entity, values, lists } = change;
  const problems = (name) => problemNodes(draft.problemsOf(change, name));
  const revertButton = (title, revert) => button('Revert', () => {
    revert();
    update();
  }, { class: 'link member', 'aria-label': `Revert ${title}` });
  const link = draft.link(change);
  const value = (name) => {
    const { from, to } = values.get(name);
    const old = kind === 'update' && [make('del', {}, valueOf(entity, name, from)), ' → '];
    return [old, valueOf(entity, name, to), ' ',
      kind === 'update' && revertButton(name, () => draft.revertValue(change, name))].flat();
  };
  const members = (name, rows, sign) => rows.map((row) => {
    const revert = () => draft.setMember(change, propertyOf(entity, name), row, sign === '−');
    const other = draft.link(row);
    return make('div', {}, `${sign} `, rowLink(other), ' ', revertButton(`${name} ${other.label}`, revert));
  });
  const list = (name) => [...members(name, lists.get(name).add, '+'), ...members(name, lists.get(name).remove, '−')];
  // A property without a change can have a problem, for example a list that needs a row.
  const items = [...properties(studio.entities.get(entity)).keys()].map((name) =>
    [name, [values.has(name) && value(name), lists.has(name) && list(name), problems(name)].flat().filter(Boolean)]);
  return make('li', {}, make('span', { class: `kind ${kind}` }, kindNames[kind]), ' ', entity, ' ', rowLink(link), ' ',
    revertButton(link.label, () => draft.revert(change)), problems(null),
    make('dl', {}, ...items.filter(([, nodes]) => nodes.length > 0).flatMap(([name, nodes]) =>
      [make('dt', {}, name), make('dd', {}, ...nodes)])));
}

// MARK: Conflicts

const elsewhere = 'Another program or window';

/** Lets the user choose for each value that was changed elsewhere. Returns whether the draft is to be saved. */
async function askConflicts(conflicts) {
  const radios = [];
  const choice = (index, value, content) => {
    const radio = make('input', { type: 'radio', name: `conflict-${index}`, value });
    radio.checked = value === 'theirs';
    radios.push(radio);
    return make('td', {}, make('label', {}, radio, ' ', content));
  };
  const rows = conflicts.map((conflict, index) => {
    const { entity, property: name = null, from, theirs } = conflict;
    const change = draft.get(conflict);
    const text = (value) => valueOf(change?.entity ?? entity, name, value);
    const row = make('td', {}, rowLink(conflict), ' ', make('strong', {}, name ?? ''));
    const note = `${elsewhere} has deleted the row; your changes to it are lost.`;
    if (name === null) return make('tr', {}, row, make('td', { colspan: 3 }, note));
    return make('tr', {}, row, make('td', {}, text(from)), choice(index, 'theirs', text(theirs)),
      choice(index, 'mine', text(change?.values.get(name)?.to)));
  });
  const setAll = (value) => radios.forEach((each) => { each.checked = each.value === value; });
  const head = ['Row', 'Before', 'Theirs', 'Mine'].map((name) => make('th', { scope: 'col' }, name));
  const save = (event) => {
    if (event.key === 'Enter' && event.target.matches('input')) event.target.closest('dialog').close('yes');
  };
  const hasChoice = radios.length > 0;
  const isChosen = await ask(`${elsewhere} has ${hasChoice ? 'changed these values' : 'deleted these rows'}`, [
    hasChoice && make('div', { class: 'actions' }, button('All theirs', () => setAll('theirs')),
      button('All mine', () => setAll('mine'))),
    make('table', { class: 'results', keydown: save }, make('thead', {}, make('tr', {}, ...head)),
      make('tbody', {}, ...rows)),
  ].filter(Boolean), [['Cancel', ''], ['Save', 'yes', 'main']], { class: 'wide' });
  if (!isChosen) return false;
  const mine = new Set(radios.filter(({ checked, value }) => checked && value === 'mine').map(({ name }) => name));
  draft.step(() => conflicts.forEach((each, index) => draft.resolve(each, mine.has(`conflict-${index}`))));
  return true;
}

// MARK: Deletion

/** Adds the deletion of a row to the draft, after the user has seen what it takes with it. */
export const deleteRow = (row) =>
  isNewKey(row.key) ? draft.delete(row) : showDeletion(row, (found) => draft.delete(found));

/** Shows what the deletion of a row takes with it, or what prevents it. 'use' gets the row if the user accepts that. */
export async function showDeletion(row, use) {
  const { entity, key } = row;
  const answer = await whileInert(request('consequences', { entity, key }));
  if (answer instanceof Error) return tell('The deletion cannot be shown', answer.message);
  const { outcome, problems, consequences } = answer;
  if (outcome === 'invalid') {
    return ask('The row cannot be deleted', problemNodes(problems), [['Close', '', 'main']]);
  }
  const self = consequences.deleted.flatMap(({ rows }) => rows).find((each) => isSame(each, row)) ?? row;
  const label = oneLine(self.label).trim() || `${entity} ${key}`;
  const title = use ? `Delete “${label}”?` : `If “${label}” is deleted`;
  if (await askDeletion(title, consequences, use && 'Delete', row)) use({ entity, key, label });
}

/** Shows what a deletion takes with it. Returns whether the user accepts it; without a verb, there is no choice. */
async function askDeletion(title, { deleted, cleared }, verb, row) {
  const links = (count, rows) => make('ul', {}, ...rows.map((each) => make('li', {}, rowLink(each))),
    count > rows.length && make('li', { class: 'soft' }, `and ${plural(count - rows.length, 'more row')}`));
  const part = (text, count, rows) => [make('h3', {}, text, plural(count, 'row')), links(count, rows)];
  const parts = [
    ...deleted.flatMap(({ entity, count, rows }) => {
      // The row itself is in the title.
      const others = rows.filter((each) => !row || !isSame(each, row));
      const rest = count - rows.length + others.length;
      return rest > 0 ? part(`${row ? 'Also deleted' : 'Deleted'} from ${entity}: `, rest, others) : [];
    }),
    ...cleared.flatMap(({ entity, property, count, rows }) =>
      part(`Removed from ${entity}.${property}: `, count, rows)),
  ];
  const none = make('p', { class: 'soft' }, 'No other rows change.');
  const note = row && verb && make('p', { class: 'soft' }, 'The row is deleted when you save.');
  const buttons = verb ? [['Cancel', ''], [verb, 'yes', 'main danger']] : [['Close', '', 'main']];
  return Boolean(await ask(title, [...(parts.length > 0 ? parts : [none]), note].filter(Boolean), buttons));
}

// MARK: Lists

const tellFailure = (error) => tell('Nothing was changed', error.message);

/** Adds a row to a list, or removes it. If the inverse is to-one, this changes the value of the other row. */
async function setMember(owner, property, member, isMember) {
  const inverse = property.inverse && propertyOf(property.destination, property.inverse);
  if (inverse?.kind !== 'toOne') return draft.setMember(owner, property, member, isMember);
  const change = draft.get(member)?.values.get(inverse.name);
  const from = change ? change.from : isNewKey(member.key) ? null
    : isMember ? await storedValue(member, inverse.name) : owner.key;
  draft.remember(owner);
  draft.set(member, inverse.name, from, isMember ? owner.key : from === owner.key ? null : from);
}

async function storedValue({ entity, key }, name) {
  const { values } = await request('editable', { entity, key });
  return new Map(Object.entries(values)).get(name) ?? null;
}

/** Returns the rows of a list with the changes of the draft, as items; with buttons if the list can be changed. */
export function listItems(owner, property, rows, isEditing, itemOf) {
  const { added, removed } = property ? draft.members(owner, property) : { added: [], removed: [] };
  const isIn = (list, row) => list.some((each) => isSame(each, row));
  const item = (row, kind, isMember) => {
    const toggle = () => setMember(owner, property, row, !isMember).catch(tellFailure);
    const title = isMember ? `Take ${oneLine(row.label)} out of ${property?.name}; the row is kept`
      : `Put back ${oneLine(row.label)}`;
    const isDeleted = draft.get(row)?.kind === 'delete';
    return make('li', { class: isDeleted ? 'deleted' : kind }, ...itemOf(row),
      isEditing && !isDeleted && button(isMember ? '✕' : 'Put back', toggle,
        { id: `${property.name} ${row.key}`, class: 'link member', 'aria-label': title, title }));
  };
  return [
    ...rows.filter((row) => !isIn(added, row))
      .map((row) => isIn(removed, row) ? item(row, 'deleted', false) : item(row, '', true)),
    ...added.map((row) => item(draft.link(row), 'changed', true)),
  ];
}

/** Returns the buttons that add a row to a list. 'open' shows a new row. */
export function listButtons(owner, property, rows, open) {
  const { name, destination } = property;
  const { added, removed } = draft.members(owner, property);
  const members = [...rows.filter((row) => !removed.some((each) => isSame(each, row))), ...added];
  const use = (row) => setMember(owner, property, row, true);
  const openResult = async (result) => {
    const row = await result.catch(tellFailure);
    if (row) open(row);
  };
  const add = () => openResult(chooseRow(destination, `Add to ${name}`, use, members));
  const create = () => openResult(makeRow(destination, use));
  return make('div', { class: 'actions' }, ...problemNodes(draft.problemsOf(owner, name)),
    button('Add…', add, { id: fieldId(name), 'aria-label': `Add to ${name}` }),
    button('New…', create, { 'aria-label': `New row in ${name}` }));
}
