// Starts the page: the list of entities, which view is shown, the keys, and noticing changes to the store.

import { focusPlace, go, hash, make, number, readState, request, size, studio, visible } from './basics.js';
import { canEdit, draft } from './draft.js';
import { ChangesBar, deleteRow } from './edit.js';
import { makeRow } from './fields.js';
import { TableView } from './table.js';
import { ComparisonView, MigrationView, StatementsView } from './understand.js';
import { DiagramView, HistoryView, RowPanel, SearchView } from './views.js';

const part = (id) => document.getElementById(id);
const [main, sidebar, banner, keys] = ['main', 'sidebar', 'banner', 'keys'].map(part);

/** Views are made when they are first shown, and kept. */
const makers = {
  table: TableView, history: HistoryView, search: SearchView, diagram: DiagramView,
  comparison: ComparisonView, migration: MigrationView, statements: StatementsView,
};
const views = new Map();
let view;
/** Views that were not visible when the store was changed. */
const outdated = new Set();
const panel = new RowPanel(part('panel'));
const edit = (row, property) => panel.edit(row, property);
const changes = new ChangesBar(part('changes'), {
  openField: edit,
  refresh: () => {
    version = undefined;
    return lookForChanges();
  },
});

// MARK: Views

/** Shows what the address says. */
async function showState() {
  if (!studio.store) return;
  const state = readState();
  const name = Object.hasOwn(makers, state.view ?? '') ? state.view : 'table';
  if (name === 'table' && !state.entity) {
    const first = studio.store.entities[0];
    if (first) go({ entity: first.name }, true);
    else part('start').textContent = 'The store has no entities.';
    return;
  }
  if (!views.has(name)) views.set(name, new makers[name]({ edit, add }));
  const previous = view;
  view = views.get(name);
  if (!view.element.isConnected) main.append(view.element);
  for (const each of main.children) each.hidden = each !== view.element;
  const title = name === 'table' ? state.entity : name[0].toUpperCase() + name.slice(1);
  document.title = `${visible(title)} – ${studio.store.name} – Trellis Studio`;
  part('place').textContent = visible(title);
  setMenu(false);
  markPlace(name, state.entity);
  if (name === 'search' && view !== previous) focusField(view.search);

  const hadRow = !panel.element.hidden;
  const hadFocus = panel.element.contains(document.activeElement);
  const row = panel.show(state);
  if (state.row && !hadRow) opener = document.activeElement;
  if (!state.row && hadRow && hadFocus) (view.focus ? view : opener?.isConnected ? opener : main).focus();
  await view.show(state);
  if (outdated.delete(view)) view.refresh();
  const wasOpened = await row;
  // A row that was opened with the keyboard gets the focus. After a click, the focus stays in the table.
  const { activeElement } = document;
  const isNeeded = usesKeyboard ? !isTyping(activeElement) : activeElement === document.body;
  if (wasOpened && isNeeded && !panel.element.contains(activeElement)) {
    panel.element.querySelector('h2')?.focus({ preventScroll: true });
  }
}

/** What had the focus when the row was opened. */
let opener;
let usesKeyboard = false;

function markPlace(name, entity) {
  for (const link of sidebar.querySelectorAll('a')) {
    const isCurrent = name === 'table' ? link.dataset.entity === entity : link.dataset.view === name;
    isCurrent ? link.setAttribute('aria-current', 'page') : link.removeAttribute('aria-current');
  }
}

// MARK: The list of entities

function showStore() {
  const { name, path, version, size: bytes, isReadOnly, hasHistory } = studio.store;
  part('store-name').textContent = visible(name);
  part('store').title = visible(path);
  const facts = [`Version ${visible(version)}`, size(bytes), isReadOnly && 'read\u2011only'];
  part('store-facts').textContent = facts.filter(Boolean).join(' · ');
  part('history-link').hidden = !hasHistory;
  part('edit-keys').hidden = isReadOnly;
  showEntities();
}

/** Lists the entities, each subclass below its superclass. The filter keeps the superclasses of what it finds. */
function showEntities() {
  const { entities } = studio.store;
  const wanted = part('entity-filter').value.trim().toLowerCase();
  const item = (entity) => {
    const below = entities.filter(({ superentity }) => superentity === entity.name).map(item).filter(Boolean);
    if (below.length === 0 && !entity.name.toLowerCase().includes(wanted)) return undefined;
    const { name, count, documentation } = entity;
    const attributes = { href: hash({ entity: name }), 'data-entity': name, title: visible(documentation) };
    return make('li', {},
      make('a', attributes, make('span', {}, name), make('span', { class: 'amount' }, count === undefined ? '…' : number(count))),
      below.length > 0 && make('ul', {}, ...below));
  };
  const restoreFocus = focusPlace(part('entities'));
  const top = entities.filter(({ superentity }) => !studio.entities.has(superentity)).map(item).filter(Boolean);
  const none = make('li', { class: 'soft' }, 'No entity has this name.');
  part('entities').replaceChildren(...(top.length > 0 ? top : [none]));
  restoreFocus();
  const { view: name = 'table', entity } = readState();
  markPlace(name, entity);
}

function goToNeighbor(step) {
  const names = [...part('entities').querySelectorAll('a')].map(({ dataset }) => dataset.entity);
  const index = names.indexOf(readState().view ? undefined : readState().entity);
  const target = index < 0 ? names[step > 0 ? 0 : names.length - 1] : names[index + step];
  if (target) location.hash = hash({ entity: target });
}

function setMenu(isOpen) {
  document.body.classList.toggle('has-menu', isOpen);
  part('menu').setAttribute('aria-expanded', String(isOpen));
}

// MARK: Changes

let version;

studio.serverAnswered = (isThere) => {
  banner.hidden = isThere;
  if (isThere) return;
  banner.textContent = 'The studio has ended; start it again in the terminal.';
  // When it answers again, everything is read again.
  version = undefined;
};

/** Asks whether the store was changed, and if so, reads again what is shown. */
async function lookForChanges() {
  try {
    const answer = await request('change');
    if (version === answer.version) return;
    const isFirst = !studio.store;
    const store = await request('store');
    studio.store = store;
    studio.entities = new Map(store.entities.map((entity) => [entity.name, entity]));
    version = answer.version;
    showStore();
    if (isFirst) return await showState();
    for (const each of views.values()) if (each !== view) outdated.add(each);
    await Promise.all([view?.refresh(), panel.refresh()]);
  } catch (error) {
    if (!error.isOffline) banner.textContent = error.message;
    banner.hidden = false;
    if (!studio.store) part('start').textContent = error.message;
  }
}

async function watch() {
  if (!document.hidden) await lookForChanges();
  setTimeout(watch, 2000);
}

// MARK: Editing

draft.changed = (isTyped) => {
  changes.show();
  panel.showDraft(isTyped);
  for (const each of views.values()) each.showDraft?.();
};

/** Makes a new row of an entity, and shows its form. */
async function add(entity) {
  const row = await makeRow(entity);
  if (row) edit(row);
}

/** Returns the row that keys apply to: that of the active cell if the table has the focus, otherwise the open row. */
function selection() {
  const isInTable = view?.table?.contains(document.activeElement);
  return (isInTable && view.selection) || { row: panel.row };
}

/** Does something with the selected row. */
function withSelection(action) {
  const { row, property } = selection();
  if (row) action(row, property);
}

// The browser asks before it leaves the page.
addEventListener('beforeunload', (event) => { if (draft.size > 0) event.preventDefault(); });

// MARK: Events

const isTyping = (element) => element?.matches('input, textarea, select');

function focusField(input) {
  input?.focus();
  input?.select();
}

const actions = {
  '/': () => view?.search ? focusField(view.search) : go({ view: 'search' }),
  f: () => focusField(view?.where),
  '[': () => goToNeighbor(-1),
  ']': () => goToNeighbor(1),
  '?': () => keys.showModal(),
};

const editActions = {
  e: () => withSelection(edit),
  n: () => view?.entity && add(view.entity.name),
  d: () => withSelection(deleteRow),
  Delete: () => withSelection(deleteRow),
};

/** Handles the keys with Ctrl, or Command on a Mac, that change the draft. Text fields have their own undo. */
function commandKey(event) {
  const isText = event.target.matches('textarea, select, input:not([type="checkbox"], [type="file"])');
  const key = event.key.toLowerCase();
  const command = key === 's' ? () => changes.save() : isText ? undefined
    : key === 'z' ? () => event.shiftKey ? draft.redo() : draft.undo() : undefined;
  if (!command || !canEdit()) return;
  event.preventDefault();
  command();
}

function escape(event) {
  if (document.body.classList.contains('has-menu')) {
    setMenu(false);
  } else if (isTyping(event.target)) {
    // Some browsers would also clear the field.
    event.preventDefault();
    (view.focus ? view : main).focus();
  } else if (readState().row) {
    go({ of: '', row: '' });
  }
}

addEventListener('keydown', (event) => {
  // On some keyboards, the brackets need AltGr, which also counts as Ctrl and Alt.
  const hasModifier = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
  // While the draft is being saved, the page is inert.
  if (event.defaultPrevented || document.body.inert || document.querySelector('dialog[open]')) return;
  if (hasModifier) {
    if ((event.ctrlKey || event.metaKey) && !event.altKey) commandKey(event);
  } else if (event.key === 'Escape') {
    escape(event);
  } else if (event.target === document.body && event.key.startsWith('Arrow')) {
    view?.focus?.();
  } else if (!isTyping(event.target) && Object.hasOwn(actions, event.key)) {
    event.preventDefault();
    actions[event.key]();
  } else if (!isTyping(event.target) && canEdit() && Object.hasOwn(editActions, event.key)) {
    event.preventDefault();
    editActions[event.key]();
  }
});

// A click on a link to a row opens the row beside the current view.
addEventListener('click', (event) => {
  const link = event.target.closest?.('a.row-link');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go({ of: link.dataset.entity, row: link.dataset.key });
});

addEventListener('keydown', () => { usesKeyboard = true; }, true);
addEventListener('pointerdown', () => { usesKeyboard = false; }, true);
part('menu').addEventListener('click', () => setMenu(!document.body.classList.contains('has-menu')));
part('show-keys').addEventListener('click', () => keys.showModal());
part('entity-filter').addEventListener('input', () => studio.store && showEntities());
addEventListener('hashchange', showState);
document.addEventListener('visibilitychange', () => { if (!document.hidden) lookForChanges(); });
watch();
