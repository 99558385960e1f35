// The panel with one row, the history, the search in the whole store, and the diagram.

import {
  address, button, entityLink, focusPlace, formClass, go, hash, limit, loadAhead, make, oneLine, plural, properties,
  request, response, rowLink, searchField, studio, timeNode, valueNode, valueNotes, visible,
} from './basics.js';
import { canEdit, cellOf, draft, isNewKey } from './draft.js';
import { deleteRow, listButtons, listItems, showDeletion } from './edit.js';
import { focusEditor, rowForm } from './fields.js';

/** Larger values are not shown in the page; they can be downloaded. */
const largestShownValue = 5_000_000;

// MARK: The row

/** The panel with all properties of a row, its lists, and what refers to it. */
export class RowPanel {
  constructor(element) {
    this.element = element;
  }

  /** Shows a row, or hides the panel if the state has none. Returns whether another row was opened. */
  async show({ of, row }) {
    const isOther = of !== this.of || row !== this.key;
    Object.assign(this, { of, key: row });
    this.element.hidden = !row;
    if (!isOther || !row) return false;
    this.text = undefined;
    this.answer = undefined;
    /** The names of cut values that are shown completely. */
    this.expanded = new Set();
    this.element.replaceChildren(this.header(of, 'Loading…', row));
    this.element.scrollTop = 0;
    await this.refresh();
    return true;
  }

  async refresh() {
    const { of, key } = this;
    if (!key) return;
    const answer = await this.read(of, key).catch((error) => error);
    const text = answer instanceof Error ? answer.message : JSON.stringify(answer);
    // Another row may be open by now. If the server has ended, the row remains.
    if (of !== this.of || key !== this.key || text === this.text || (this.text && answer.isOffline)) return;
    Object.assign(this, { text, answer });
    this.render();
  }

  /** Returns a row, and if it is edited, all its values. */
  async read(entity, key) {
    if (isNewKey(key)) return draft.newRow({ entity, key });
    const answers = [request('row', { entity, key }), this.isEditing && request('editable', { entity, key })];
    const [answer, editable] = await Promise.all(answers);
    return { ...answer, values: editable?.values };
  }

  render() {
    const { of, key, answer } = this;
    const content = answer instanceof Error
      ? [this.header(of, '', key), make('p', { class: 'failure', role: 'alert' }, answer.message)]
      : this.content(answer);
    const restoreFocus = focusPlace(this.element);
    const isOpen = new Map([...this.element.querySelectorAll('details[id]')].map((each) => [each.id, each.open]));
    const { scrollTop } = this.element;
    this.element.replaceChildren(...content);
    for (const [id, value] of isOpen) document.getElementById(id)?.toggleAttribute('open', value);
    this.element.scrollTop = scrollTop;
    restoreFocus();
    const form = this.element.querySelector('.form');
    if (!form || this.wantedField === undefined) return;
    focusEditor(form, this.wantedField);
    this.wantedField = undefined;
  }

  // MARK: Editing

  /** Edits a row, and gives the focus to a property's editor, or to the first one. */
  edit({ entity, key }, name = '') {
    Object.assign(this, { isEditing: true, wantedField: name });
    if (key !== this.key || entity !== this.of) return go({ of: entity, row: key });
    this.text = undefined;
    this.refresh();
  }

  endEditing() {
    this.isEditing = false;
    this.element.querySelector('h2').focus();
    this.refresh();
  }

  /** Shows a change of the draft. A text that is being typed is in its field already. */
  showDraft(isTyped) {
    const { row } = this;
    if (!row) return;
    const change = draft.get(row);
    if (isNewKey(row.key) && !change) {
      go({ of: '', row: '' }, true);
    } else if (isTyped) {
      this.element.querySelector('h2').textContent = oneLine(row.label).trim() || `${row.entity} ${row.key}`;
      this.element.querySelector('.row-actions').replaceWith(this.actions(row, change));
    } else {
      this.render();
    }
  }

  /** The open row; undefined if there is none. */
  get row() {
    const { answer } = this;
    if (!answer || answer instanceof Error) return undefined;
    return { entity: answer.class, key: answer.key, label: draft.label({ ...answer, entity: answer.class }) };
  }

  /** What can be done with the row, and what is going to be done. */
  actions(row, change) {
    const isNew = isNewKey(row.key);
    const revert = () => draft.revert(row);
    if (change?.kind === 'delete') {
      return make('div', { class: 'actions row-actions deletion' }, make('span', {}, 'Deleted when you save'),
        button('Keep', revert));
    }
    const edit = this.isEditing ? button('Done', () => this.endEditing(), { title: 'Leave the form' })
      : button('Edit', () => this.edit(row), { title: 'e' });
    return make('div', { class: 'actions row-actions' }, !isNew && edit,
      change && !isNew && button('Revert', revert, { title: 'Take back all changes of this row' }),
      button(isNew ? 'Discard row' : 'Delete…', () => deleteRow(row), { class: 'danger', title: 'd' }));
  }

  header(name, label, key) {
    const entity = studio.entities.has(name) ? entityLink(name) : visible(name);
    const close = () => go({ of: '', row: '' });
    const isNew = isNewKey(key);
    const text = isNew ? make('span', { class: 'badge insert' }, 'new')
      : make('span', { class: 'soft code' }, oneLine(key));
    const history = hash({ view: 'history', historyOf: name, historyKey: key });
    return make('header', {}, make('div', {}, entity, ' ', text,
      !isNew && studio.store.hasHistory && [' · ', make('a', { href: history }, 'History')]),
      button('✕', close, { class: 'close', 'aria-label': 'Close the row' }),
      make('h2', { tabindex: '-1', dir: 'auto' }, oneLine(label).trim() || `${visible(name)} ${oneLine(key)}`));
  }

  content(answer) {
    const entity = studio.entities.get(answer.class) ?? studio.entities.get(answer.entity);
    const known = properties(entity);
    const { cells, toMany } = answer;
    const names = new Set([...known.keys(), ...Object.keys(cells)].filter((name) => Object.hasOwn(cells, name)));
    const referring = answer.referencedBy.filter(({ count }) => count > 0);
    const { row } = this;
    const change = draft.get(row);
    const hasForm = canEdit() && answer.values && change?.kind !== 'delete';
    const open = (other) => this.edit(other);
    const problems = draft.problemsOf(row, null);
    const owner = { owner: row.entity, ownerKey: row.key };
    return [
      this.header(answer.class, row.label, answer.key),
      canEdit() && this.actions(row, change),
      ...problems.map(({ message }) => make('p', { class: 'failure' }, visible(message))),
      hasForm ? rowForm({ ...answer, label: row.label }, open)
        : make('dl', { class: 'values' }, ...[...names].flatMap((name) => this.value(answer, name, known.get(name)))),
      toMany.length > 0 && make('h3', {}, 'Lists'),
      ...toMany.map((each) => {
        const property = known.get(each.name);
        const list = this.list(each.name, each.destination, each, { ...owner, list: each.name }, property, hasForm);
        if (hasForm) list.append(listButtons(row, property, each.rows, open));
        return list;
      }),
      referring.length > 0 && make('h3', {}, 'Referenced by'),
      ...referring.map((each) => {
        const through = `${each.entity}.${each.property}`;
        return this.list(through, each.entity, each, { ...owner, through });
      }),
      !canEdit() && make('h3', {}, 'If it is deleted'),
      !canEdit() && button('Show what a deletion takes with it…', () => showDeletion(row)),
    ].filter(Boolean);
  }

  value({ entity, key, cells }, name, property) {
    const change = draft.get({ entity, key })?.values.get(name);
    const cell = change ? cellOf(property, change.to) : cells[name];
    const place = { entity, key, property: name };
    const shown = make('div', { class: formClass(property) === 'code' ? 'code' : '' });
    const hasTree = property?.form === 'json' && cell && !cell.isCut;
    shown.append(hasTree ? tree(cell.text) : valueNode(cell, property, place, true));
    const isData = property?.form === 'data';
    const canLoad = cell && !change && (cell.isCut || isData);
    const show = () => {
      this.expanded.add(name);
      this.expand(shown, place, property);
      showButton.remove();
    };
    const showButton = button('Show all', show, { class: 'link' });
    const actions = canLoad && make('div', { class: 'actions' },
      !isData && cell.bytes <= largestShownValue && showButton,
      make('a', { href: address('value', place), download: name }, 'Download'));
    if (actions && this.expanded.has(name)) show();
    const notes = valueNotes(cell && { ...cell, problem: undefined }, property);
    return [
      make('dt', { title: visible(property?.documentation ?? '') || undefined }, name, ' ', typeNode(property)),
      make('dd', { class: change && 'changed' }, shown,
        cell?.problem && make('div', { class: 'problem' }, oneLine(cell.problem)),
        notes.length > 0 && make('div', { class: 'soft' }, notes.join(' · ')),
        change && make('div', { class: 'soft' }, 'was ', valueNode(cells[name], property, place)), actions),
    ];
  }

  /** Shows a cut value completely. */
  async expand(shown, place, property) {
    try {
      const text = await (await response('value', place)).text();
      const plain = () => make('span', { class: 'whole', dir: 'auto' }, visible(text));
      shown.replaceChildren(property?.form === 'json' ? tree(text) : plain());
    } catch (error) {
      shown.append(make('div', { class: 'failure', role: 'alert' }, error.message));
    }
  }

  /**
   * A list of rows with a heading that folds. Only the first rows of a long list are there; 'state' is that of the
   * table with all of them.
   */
  list(title, entity, { count, rows }, state, property, canChange = false) {
    const rest = count - rows.length;
    const item = (each) =>
      [each.entity !== entity && make('span', { class: 'soft' }, `${each.entity} `), rowLink(each)];
    const items = listItems(this.row, property, rows, canChange, item);
    const all = make('a', { href: hash({ entity, ...state }) }, `${plural(rest, 'more row')} in ${entity}`);
    const { added, removed } = property ? draft.members(this.row, property) : { added: [], removed: [] };
    const total = count + added.length - removed.length;
    const amount = make('span', { class: 'amount' }, plural(total, 'row'));
    const summary = make('summary', {}, title, ' ', typeNode(property), amount);
    const details = make('details', { id: `list ${title}`, class: 'list' }, summary,
      make('ul', {}, ...items, rest > 0 && make('li', { class: 'soft' }, 'and ', all)));
    details.open = canChange || (items.length > 0 && count <= 10);
    return details;
  }
}

/** Names the type of a property, and the delete rule and the limits of a relationship. */
function typeNode(property) {
  const { type, deleteRule, minimum, maximum } = property ?? {};
  const facts = [type, deleteRule, minimum > 0 && `at least ${minimum}`, maximum > 0 && `at most ${maximum}`];
  return make('span', { class: 'soft' }, facts.filter(Boolean).join(' · '));
}

// MARK: JSON

/** A number in JSON as it is written, since JavaScript rounds large numbers. */
class WrittenNumber {
  constructor(text) {
    this.text = text;
  }
}

/** Returns JSON text as a tree that folds, or the text itself if it is not JSON. */
function tree(text) {
  try {
    const keepNumber = (_, value, context) =>
      typeof value === 'number' ? new WrittenNumber(context?.source ?? String(value)) : value;
    return make('div', { class: 'tree' }, node(JSON.parse(text, keepNumber), undefined, 0));
  } catch {
    return make('span', { class: 'whole', dir: 'auto' }, visible(text));
  }
}

function node(value, name, depth) {
  const label = name !== undefined && make('span', { class: 'soft' }, `${oneLine(name)}: `);
  const isNumber = value instanceof WrittenNumber;
  if (value === null || typeof value !== 'object' || isNumber) {
    const text = isNumber ? value.text : JSON.stringify(value);
    return make('div', { class: 'leaf' }, label, make('span', { dir: 'auto' }, visible(text)));
  }
  const entries = Object.entries(value);
  const { length } = entries;
  const facts = Array.isArray(value) ? `[${plural(length, 'element')}]` : `{${plural(length, 'key')}}`;
  const details = make('details', {}, make('summary', {}, label, make('span', { class: 'soft' }, facts)));
  // Children are made when they are first shown, and at most 500 of them.
  const fill = () => {
    if (details.childElementCount > 1) return;
    details.append(...entries.slice(0, 500).map(([key, each]) => node(each, key, depth + 1)));
    if (length > 500) details.append(make('div', { class: 'leaf soft' }, `and ${length - 500} more`));
  };
  details.addEventListener('toggle', fill);
  details.open = depth < 2 && length <= 50;
  if (details.open) fill();
  return details;
}

// MARK: History

/** The transactions, the newest first: all of them, or those of an author or with a change of a row. */
export class HistoryView {
  constructor() {
    this.where = searchField('author', { 'aria-label': 'Author', placeholder: 'Author' });
    this.row = make('p', { class: 'owner', hidden: '' });
    this.list = make('ol', { class: 'history' });
    this.message = make('p', { class: 'message', role: 'status' });
    this.more = button('Load more', () => this.load(), { class: 'more', hidden: '' });
    this.scroller = make('div', { class: 'scroller', tabindex: '-1' }, this.list, this.message, this.more);
    this.element = make('section', { class: 'view', 'aria-label': 'History' },
      make('header', {}, make('h1', {}, 'History'), this.where), this.row, this.scroller);
    this.setHasMore = loadAhead(this.more, this.scroller);
    this.known = new Set();
  }

  show({ historyOf: entity, historyKey: key, author }) {
    const query = { entity, key, author };
    const wanted = JSON.stringify(query);
    if (wanted === this.shown) return this.known.size > 0 ? undefined : this.load();
    Object.assign(this, { shown: wanted, query });
    if (this.where.value !== (author ?? '')) this.where.value = author ?? '';
    this.row.hidden = !key;
    const remove = () => go({ historyOf: '', historyKey: '' });
    if (key) {
      this.row.replaceChildren(limit({ entity, key }, `changes of ${visible(entity)} ‘`, '’', 'Show all', remove));
    }
    return this.reload();
  }

  reload() {
    this.known.clear();
    this.next = undefined;
    this.list.replaceChildren();
    this.setHasMore(false);
    return this.load();
  }

  /** Loads the next transactions. */
  async load() {
    const { query } = this;
    if (this.loading === query) return;
    this.loading = query;
    this.message.textContent = this.known.size === 0 ? 'Loading…' : '';
    try {
      const answer = await request('history', { ...query, before: this.next });
      if (query !== this.query) return;
      const { next, transactions, isComplete } = answer;
      this.next = next;
      this.list.append(...this.items(transactions));
      this.setHasMore(Boolean(next) && isComplete !== false);
      // A search that takes long goes on when the user wants it.
      this.more.hidden = !next;
      const none = query.key || query.author ? 'No transactions match.' : 'The history has no transactions.';
      this.message.textContent = next && isComplete === false ? 'Older transactions were not searched yet.'
        : this.known.size > 0 ? '' : none;
    } catch (error) {
      if (query === this.query) this.message.textContent = error.message;
    }
    if (this.loading === query) this.loading = undefined;
  }

  /** Adds new transactions above the known ones, without moving those. */
  async refresh() {
    const { query } = this;
    const { transactions = [] } = await request('history', query).catch(() => ({}));
    if (query !== this.query) return;
    const firstKnown = transactions.findIndex(({ id }) => this.known.has(id));
    if (firstKnown >= 0) {
      const { scrollTop, scrollHeight } = this.scroller;
      this.list.prepend(...this.items(transactions.slice(0, firstKnown)));
      if (scrollTop > 0) this.scroller.scrollTop = scrollTop + this.scroller.scrollHeight - scrollHeight;
    } else if (transactions.length > 0 || this.known.size === 0) {
      // It was empty or failed, too many transactions are new, or old ones were deleted.
      await this.reload();
    }
  }

  items(transactions) {
    const fresh = transactions.filter(({ id }) => !this.known.has(id));
    for (const { id } of fresh) this.known.add(id);
    return fresh.map(({ date, author, changes, omitted, problem }) => {
      const list = make('ul', {}, ...changes.slice(0, 10).map(changeItem));
      const rest = omitted > 0 ? make('li', { class: 'change soft' }, `and ${plural(omitted, 'more change')}`) : [];
      const showRest = () => list.lastChild.replaceWith(...changes.slice(10).map(changeItem), ...[rest].flat());
      if (changes.length > 10) {
        const title = `Show ${plural(changes.length - 10, 'more change')}`;
        list.append(make('li', { class: 'change' }, button(title, showRest, { class: 'link' })));
      }
      if (problem) list.append(make('li', { class: 'change soft' }, problem));
      return make('li', {}, make('div', { class: 'heading' }, timeNode(date), ' ',
        author ? make('strong', { dir: 'auto' }, oneLine(author)) : make('span', { class: 'nil' }, 'no author'), ' ',
        make('span', { class: 'soft' }, plural(changes.length + omitted, 'change'))), list);
    });
  }
}

function changeItem(change) {
  const { kind, entity, label, properties, tombstone } = change;
  const names = { insert: 'inserted', update: 'updated', delete: 'deleted' };
  const preserved = Object.entries(tombstone ?? {}).flatMap(([name, value]) =>
    [make('dt', {}, name), make('dd', { dir: 'auto' }, oneLine(String(value ?? 'nil')))]);
  return make('li', { class: 'change' },
    make('span', { class: `kind ${kind in names ? kind : ''}` }, names[kind] ?? kind), ' ', entityLink(entity), ' ',
    kind === 'delete' ? make('span', { dir: 'auto' }, label?.trim() ? oneLine(label) : change.key) : rowLink(change),
    kind === 'update' && properties.length > 0 && make('span', { class: 'soft' }, ` ${properties.join(', ')}`),
    preserved.length > 0 && make('dl', { class: 'tombstone', 'aria-label': 'Preserved values' }, ...preserved));
}

// MARK: Search

/** Finds text in all entities. */
export class SearchView {
  constructor() {
    this.search = searchField('text', { 'aria-label': 'Text', placeholder: 'Text in any entity' });
    const submit = (event) => {
      event.preventDefault();
      go({ text: this.search.value });
    };
    this.count = make('span', { class: 'soft', role: 'status' });
    this.body = make('tbody');
    const head = ['Entity', 'Row', 'Property', 'Text'].map((name) => make('th', { scope: 'col' }, name));
    this.table = make('table', { class: 'results', hidden: '' }, make('thead', {}, make('tr', {}, ...head)), this.body);
    this.element = make('section', { class: 'view', 'aria-label': 'Search' },
      make('header', {}, make('h1', {}, 'Search'), this.count),
      make('form', { class: 'filters', role: 'search', submit }, this.search, make('button', {}, 'Search')),
      make('div', { class: 'scroller', tabindex: '-1' }, this.table));
  }

  async show({ text = '' }) {
    if (text === this.text) return;
    this.text = text;
    this.answer = undefined;
    if (this.search.value !== text) this.search.value = text;
    await this.refresh();
  }

  async refresh() {
    const { text } = this;
    if (this.answer === undefined && text) this.count.textContent = 'Searching…';
    const answer = text ? await request('search', { text }).catch((error) => error) : {};
    const { results = [], isComplete, message } = answer;
    if (text !== this.text || this.answer === JSON.stringify(answer)) return;
    this.answer = JSON.stringify(answer);
    this.table.hidden = results.length === 0;
    const count = plural(results.length, 'result');
    this.count.textContent = message ?? (!text ? '' : isComplete ? count : `The first ${count}; there are more`);
    const restoreFocus = focusPlace(this.body);
    this.body.replaceChildren(...results.map((each) => make('tr', {}, make('td', {}, entityLink(each.entity)),
      make('td', {}, rowLink(each)), make('td', { class: 'soft' }, each.property),
      make('td', {}, make('span', { dir: 'auto' }, ...marked(oneLine(each.text), text))))));
    restoreFocus();
  }
}

/** Returns text with the first place of a searched text marked. */
function marked(text, searched) {
  const start = text.toLowerCase().indexOf(searched.toLowerCase());
  const end = start + searched.length;
  return start < 0 ? [text] : [text.slice(0, start), make('mark', {}, text.slice(start, end)), text.slice(end)];
}

// MARK: Diagram

/** The schema as an image, fitted to the page or in its actual size. */
export class DiagramView {
  constructor() {
    const failure = make('p', { class: 'failure', role: 'alert', hidden: '' }, 'The diagram cannot be loaded.');
    this.image = make('img', {
      alt: 'Diagram of the entities and their relationships',
      error: () => { failure.hidden = false; }, load: () => { failure.hidden = true; },
    });
    const scale = button('Actual size', () => {
      scale.setAttribute('aria-pressed', String(this.scroller.classList.toggle('actual-size')));
    }, { 'aria-pressed': 'false' });
    const download = make('a', { href: address('diagram'), download: 'diagram.svg' }, 'Download');
    this.figure = make('div', {}, this.image);
    this.scroller = make('div', { class: 'scroller diagram', tabindex: '0', 'aria-label': 'Diagram' }, this.figure);
    this.element = make('section', { class: 'view', 'aria-label': 'Diagram' },
      make('header', {}, make('h1', {}, 'Diagram'), scale, download), failure, this.scroller);
  }

  async show() {
    if (this.image.hasAttribute('src') && this.image.naturalWidth > 0) return;
    this.image.src = address('diagram');
    const places = await request('places').catch(() => []);
    this.figure.replaceChildren(this.image, ...places.map((place) => this.link(place)));
  }

  /** A link to a model's table on its card. */
  link({ model, ...place }) {
    const link = make('a', { href: hash({ entity: model }), 'aria-label': visible(model), title: visible(model) });
    const percent = (value) => `${value * 100}%`;
    Object.assign(link.style, {
      left: percent(place.x), top: percent(place.y), width: percent(place.width), height: percent(place.height),
    });
    return link;
  }

  refresh() {}
}
