// The interface for editing: the bar with the draft, saving, deletion, and the lists of a row.

import { button, formClass, go, make, oneLine, plural, properties, request, root, rowLink, send, studio,
  valueNode, visible } from './basics.js';
import { cellOf, draft, isNewKey, isSame } from './draft.js';
import { ask, chooseRow, makeRow, tell } from './fields.js';

const propertyOf = (entity, name) => properties(studio.entities.get(entity)).get(name);
const valueOf = (entity, name, text) => {
  const property = propertyOf(entity, name);
  return make('span', { class: formClass(property) === 'code' ? 'code' : '' }, valueNode(cellOf(property, text), property));
};

// MARK: The bar

/** The bar with the number of changes. */
export class ChangesBar {
  /** 'refresh' reads the store again; 'openField' shows the editor of a row's property. */
  constructor(element, { refresh, openField }) {
    Object.assign(this, { element, refresh, openField });
    this.count = make('strong', { role: 'status' });
    this.problems = button('', () => this.showProblems(), { class: 'link problem' });
    this.undoButton = button('Undo', () => draft.undo(), { title: 'Ctrl+Z' });
    this.redoButton = button('Redo', () => draft.redo(), { title: 'Ctrl+Shift+Z' });
    this.others = [
      button('Review', () => this.review()), button('Discard', () => draft.discard()),
      button('Save', () => this.save(), { class: 'main', title: 'Ctrl+S' }),
    ];
    const [review, discard, save] = this.others;
    element.append(this.count, this.problems, review, this.undoButton, this.redoButton, discard, save);
  }

  show() {
    const { size, canUndo, canRedo, problems } = draft;
    this.element.hidden = size === 0 && !canRedo;
    this.count.textContent = size === 0 ? 'No changes' : plural(size, 'change');
    this.problems.textContent = plural(problems.length, 'problem');
    this.problems.hidden = problems.length === 0;
    this.undoButton.disabled = !canUndo;
    this.redoButton.disabled = !canRedo;
    for (const each of this.others) each.disabled = size === 0;
  }

  // MARK: Saving

  /** Saves the draft. 'confirmed' is the fingerprint of the consequences that the user has accepted. */
  async save(confirmed = null) {
    if (draft.size === 0 || document.querySelector('dialog[open]')) return;
    const problems = draft.ownProblems();
    if (problems.length > 0) return this.showProblems(problems);
    const answer = await this.send(draft.message(confirmed, false)).catch((error) => error);
    const { outcome, keys, consequences, conflicts } = answer;
    if (answer instanceof Error) {
      await tell('Nothing was saved', answer.message);
    } else if (outcome === 'saved') {
      await this.finish(new Map(Object.entries(keys ?? {})));
    } else if (outcome === 'invalid') {
      await this.showProblems(answer.problems);
    } else if (outcome === 'confirm') {
      if (await askDeletion('Save these deletions?', consequences, 'Save')) await this.save(consequences.fingerprint);
    } else if (outcome === 'conflict') {
      if (await askConflicts(conflicts)) await this.save(confirmed);
    }
  }

  /** Sends a draft. Until the answer is there, nothing can be changed. */
  async send(message) {
    const { activeElement } = document;
    document.body.inert = true;
    try {
      return await send('save', message);
    } finally {
      document.body.inert = false;
      activeElement?.focus?.({ preventScroll: true });
    }
  }

  /** Shows the saved rows: a new row has its key now. */
  async finish(keys) {
    const { row } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    if (isNewKey(row)) go(keys.has(row) ? { row: keys.get(row) } : { of: '', row: '' }, true);
    draft.clear();
    await this.refresh();
  }

  /** Lists problems; each leads to its field. */
  async showProblems(problems = draft.problems) {
    draft.problems = problems;
    draft.changed(false);
    let chosen;
    const item = (problem) => {
      const { entity, property, message, others = [] } = problem;
      const name = [draft.label(problem) || `${entity} ${problem.key}`, property].filter(Boolean).join(' · ');
      const show = (event) => {
        chosen = problem;
        event.target.closest('dialog').close('');
      };
      return make('li', {}, button(oneLine(name), show, { class: 'link', dir: 'auto' }),
        make('div', { class: 'problem whole' }, visible(message)),
        ...others.slice(0, 20).map((each) => make('div', {}, rowLink(each))));
    };
    await ask('Nothing was saved', make('ul', { class: 'entries' }, ...problems.map(item)), [['Close', '', 'main']]);
    if (chosen) this.openField(chosen, chosen.property ?? undefined);
  }

  // MARK: Review

  /** Lists all changes. */
  async review() {
    const list = make('ul', { class: 'entries' });
    const fill = () => list.replaceChildren(...draft.all.map((change) => changeEntry(change, fill)));
    fill();
    if (await ask('Changes', list, [['Close', ''], ['Save', 'save', 'main']], { class: 'wide' })) await this.save();
  }
}

const kindNames = { insert: 'new', update: 'changed', delete: 'deleted' };

/** A changed row with its old and new values. 'update' is called when something was taken back. */
function changeEntry(change, update) {
  const { kind, entity, values, lists } = change;
  const revertButton = (title, revert) => button('Revert', () => {
    revert();
    update();
  }, { class: 'link', 'aria-label': `Revert ${title}` });
  const link = draft.link(change);
  const inOrder = [...properties(studio.entities.get(entity)).keys()].filter((name) => values.has(name));
  const valueItems = inOrder.map((name) => [name, values.get(name)]).flatMap(([name, { from, to }]) => [
    make('dt', {}, name),
    make('dd', {}, kind === 'update' && [make('del', {}, valueOf(entity, name, from)), ' → '], valueOf(entity, name, to), ' ',
      kind === 'update' && revertButton(name, () => draft.revertValue(change, name))),
  ]);
  const memberItems = [...lists].flatMap(([name, { add, remove }]) => [
    make('dt', {}, name),
    make('dd', {}, ...[[add, '+ '], [remove, '− ']].flatMap(([rows, sign]) => rows.map((row) => make('div', {}, sign,
      rowLink(draft.link(row)), ' ', revertButton(`${name} ${draft.label(row)}`, () =>
        draft.setMember(change, propertyOf(entity, name), row, rows === remove)))))),
  ]);
  return make('li', {}, make('span', { class: `kind ${kind}` }, kindNames[kind]), ' ', entity, ' ', rowLink(link), ' ',
    revertButton(link.label, () => draft.revert(change)),
    values.size + lists.size > 0 && make('dl', {}, ...valueItems, ...memberItems));
}

// MARK: Conflicts

/** Lets the user choose for each value that another program has changed. Returns whether the draft is to be saved. */
async function askConflicts(conflicts) {
  const radios = [];
  const choice = (index, value, content) => {
    const radio = make('input', { type: 'radio', name: `conflict-${index}`, value });
    radio.checked = value === 'theirs';
    radios.push(radio);
    return make('td', {}, make('label', {}, radio, ' ', content));
  };
  const rows = conflicts.map((conflict, index) => {
    const { entity, property: name, from, theirs } = conflict;
    const change = draft.get(conflict);
    const text = (value) => valueOf(change?.entity ?? entity, name, value);
    const row = make('td', {}, rowLink(conflict), ' ', make('strong', {}, name ?? ''));
    if (name === null) {
      return make('tr', {}, row, make('td', { colspan: 3 }, 'was deleted by another program; your changes to it are lost'));
    }
    return make('tr', {}, row, make('td', {}, text(from)), choice(index, 'theirs', text(theirs)),
      choice(index, 'mine', text(change?.values.get(name)?.to)));
  });
  const setAll = (value) => radios.forEach((each) => { each.checked = each.value === value; });
  const head = ['Row', 'Before', 'Theirs', 'Mine'].map((name) => make('th', { scope: 'col' }, name));
  const isChosen = await ask('Another program has changed these values', [
    make('div', { class: 'actions' }, button('All theirs', () => setAll('theirs')), button('All mine', () => setAll('mine'))),
    make('table', { class: 'results' }, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...rows)),
  ], [['Cancel', ''], ['Save', 'yes', 'main']], { class: 'wide' });
  if (!isChosen) return false;
  const mine = new Set(radios.filter(({ checked, value }) => checked && value === 'mine').map(({ name }) => name));
  draft.step(() => conflicts.forEach((each, index) => draft.resolve(each, mine.has(`conflict-${index}`))));
  return true;
}

// MARK: Deletion

/** Adds the deletion of a row to the draft, after the user has seen what it takes with it. */
export async function deleteRow(row) {
  if (isNewKey(row.key)) return draft.delete(row);
  const { entity, key } = row;
  const message = { updates: [], inserts: [], deletes: [{ entity, key }], confirmed: null, isTrial: true };
  const answer = await send('save', message).catch((error) => error);
  if (answer instanceof Error) return tell('The row cannot be deleted', answer.message);
  const { outcome, problems, consequences } = answer;
  if (outcome === 'invalid') {
    const items = problems.map(({ message: text, others = [] }) => make('li', {},
      make('div', { class: 'problem whole' }, visible(text)), ...others.map((each) => make('div', {}, rowLink(each)))));
    return ask('The row cannot be deleted', make('ul', { class: 'entries' }, ...items), [['Close', '', 'main']]);
  }
  if (outcome === 'conflict') return tell('The row cannot be deleted', 'Another program has deleted it.');
  const self = consequences.deleted.flatMap(({ rows }) => rows).find((each) => isSame(each, row)) ?? row;
  const name = oneLine(self.label).trim() || `${entity} ${key}`;
  if (await askDeletion(`Delete “${name}”?`, consequences, 'Delete', row)) draft.delete({ entity, key, label: name });
}

/** Shows what a deletion takes with it. Returns whether the user accepts it. */
async function askDeletion(title, { deleted, cleared }, verb, row) {
  const links = (count, rows) => make('ul', {}, ...rows.map((each) => make('li', {}, rowLink(each))),
    count > rows.length && make('li', { class: 'soft' }, `and ${plural(count - rows.length, 'more row')}`));
  const others = deleted.map(({ entity, count, rows }) => {
    // The row itself is in the title.
    const rest = rows.filter((each) => !row || !isSame(each, row));
    return { entity, rows: rest, count: count - (row && root(entity) === root(row.entity) && rest.length < rows.length ? 1 : 0) };
  }).filter(({ count }) => count > 0);
  const parts = [
    ...others.map(({ entity, count, rows }) => [make('h3', {}, `${row ? 'Also deletes' : 'Deletes'} ${plural(count, 'row')} of ${entity}`),
      links(count, rows)]),
    ...cleared.map(({ entity, property, count, rows }) => [
      make('h3', {}, `Removes the row from ${entity}.${property} of ${plural(count, 'row')}`), links(count, rows)]),
  ].flat();
  const none = make('p', { class: 'soft' }, 'No other rows change.');
  const note = row && make('p', { class: 'soft' }, 'The row is deleted when you save.');
  return Boolean(await ask(title, [...(parts.length > 0 ? parts : [none]), note].filter(Boolean),
    [['Cancel', ''], [verb, 'yes', 'main danger']]));
}

// MARK: Lists

/** Adds a row to a list, or removes it. If the inverse is to-one, this changes the value of the other row. */
async function setMember(owner, property, member, isMember) {
  const inverse = property.inverse && propertyOf(property.destination, property.inverse);
  if (inverse?.kind !== 'toOne') return draft.setMember(owner, property, member, isMember);
  let from = draft.get(member)?.values.get(inverse.name)?.from ?? (isMember ? null : owner.key);
  if (isMember && !isNewKey(member.key) && !draft.get(member)?.values.has(inverse.name)) {
    const { entity, key } = member;
    from = new Map(Object.entries((await request('editable', { entity, key })).values)).get(inverse.name) ?? null;
  }
  draft.remember(owner);
  draft.set(member, inverse.name, from, isMember ? owner.key : from === owner.key ? null : from);
}

/** Returns the rows of a list with the changes of the draft, as items; with buttons if the list can be changed. */
export function listItems(owner, property, rows, isEditing, itemOf) {
  const { added, removed } = property ? draft.members(owner, property) : { added: [], removed: [] };
  const isIn = (list, row) => list.some((each) => isSame(each, row));
  const item = (row, kind, isMember) => {
    const toggle = () => setMember(owner, property, row, !isMember).catch((error) => tell('Nothing was changed', error.message));
    const title = isMember ? `Remove ${oneLine(row.label)}` : `Put back ${oneLine(row.label)}`;
    const isDeleted = draft.get(row)?.kind === 'delete';
    return make('li', { class: isDeleted ? 'deleted' : kind }, ...itemOf(row),
      isEditing && !isDeleted && button(isMember ? '✕' : 'Put back', toggle,
        { id: `${property.name} ${row.key}`, class: 'link member', 'aria-label': title, title }));
  };
  return [
    ...rows.filter((row) => !isIn(added, row)).map((row) => isIn(removed, row) ? item(row, 'deleted', false) : item(row, '', true)),
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
    const row = await result.catch((error) => tell('Nothing was changed', error.message));
    if (row) open(row);
  };
  const add = () => openResult(chooseRow(destination, `Add to ${name}`, use, members));
  const create = () => openResult(makeRow(destination, use));
  return make('div', { class: 'actions' }, button('Add…', add, { id: `add ${name}`, 'aria-label': `Add to ${name}` }),
    button('New…', create, { 'aria-label': `New row in ${name}` }));
}
