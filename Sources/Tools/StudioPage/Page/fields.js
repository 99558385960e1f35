// The form of a row: an editor for each value, and dialogs.

import {
  address, button, field, formClass, localDate, make, oneLine, properties, request, rowLink, size, studio, valueNode,
  visible,
} from './basics.js';
import { cellOf, classesOf, datePattern, draft, isNewKey, isSame, problemOf, utcDate } from './draft.js';

// MARK: Dialogs

/** Shows a dialog. Returns the value of the pressed button, or '' if the dialog was closed. */
export function ask(title, content, buttons, attributes = {}) {
  const choices = buttons.map(([text, value, kind]) =>
    button(text, () => dialog.close(value), { class: kind, autofocus: kind !== undefined && '' }));
  const dialog = make('dialog', { 'aria-labelledby': 'dialog-title', ...attributes },
    make('h2', { id: 'dialog-title', dir: 'auto' }, title), make('div', { class: 'content' }, ...[content].flat()),
    make('div', { class: 'buttons' }, ...choices));
  // A link in the dialog opens a row behind it.
  dialog.addEventListener('click', (event) => event.target.closest('a.row-link') && dialog.close(''));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}

export const tell = (title, text) => ask(title, make('p', { class: 'whole' }, text), [['Close', '', 'main']]);

/** Lets the user choose a class if the entity has subclasses. Returns undefined if the dialog was closed. */
async function askClass(entity) {
  const classes = classesOf(entity);
  if (classes.length === 1) return entity;
  const select = make('select', { 'aria-label': 'Class', autofocus: '' },
    ...classes.map((name) => make('option', { value: name }, name)));
  const buttons = [['Cancel', ''], ['Continue', 'yes', 'main']];
  const isChosen = await ask('New row', make('label', {}, 'Class ', select), buttons);
  return isChosen ? select.value : undefined;
}

/**
 * Lets the user search for a row of an entity, among the new rows too. The row with the key 'present' is marked.
 * Returns the row, 'new' for a new one, or undefined if the dialog was closed.
 */
async function askRow(entity, title, omitted = [], present = undefined) {
  let chosen;
  const list = make('ul', { class: 'choices', 'aria-label': 'Rows' });
  const note = make('p', { class: 'soft', role: 'status' });
  const search = field({ type: 'search', 'aria-label': 'Search', placeholder: `Search in ${entity}`, autofocus: '' });
  const choose = (row, event) => {
    chosen = row;
    event.target.closest('dialog').close('yes');
  };
  const canChoose = (row) => draft.get(row)?.kind !== 'delete' && !omitted.some((each) => isSame(each, row));
  const load = async () => {
    const text = search.value.trim();
    const answer = await request('choices', { entity, text }).catch((error) => ({ rows: [], message: error.message }));
    if (text !== search.value.trim()) return;
    const fresh = draft.newRows(entity).map((each) => draft.link(each))
      .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
    const rows = [...fresh, ...answer.rows].filter(canChoose);
    list.replaceChildren(...rows.map((row) => {
      const badge = isNewKey(row.key) && [make('span', { class: 'badge insert' }, 'new'), ' '];
      const name = oneLine(row.label).trim() || `${entity} ${row.key}`;
      const isPresent = row.key === present;
      const attributes = { dir: 'auto', title: `${row.entity} ${row.key}`, 'aria-current': isPresent && 'true' };
      return make('li', {}, button([badge, name].flat(), (event) => choose(row, event), attributes));
    }));
    note.textContent = answer.message ?? (rows.length === 0 ? 'No rows match.'
      : answer.isComplete ? '' : 'There are more rows; search for text in them.');
  };
  let timer;
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(load, 200);
  });
  const chooseFirst = async () => {
    await load();
    if (search.value.trim()) list.querySelector('button')?.click();
  };
  const move = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const targets = [search, ...list.querySelectorAll('button')];
    if (step) {
      event.preventDefault();
      targets[targets.indexOf(event.target) + step]?.focus();
    } else if (event.key === 'Enter' && event.target === search) {
      event.preventDefault();
      chooseFirst();
    }
  };
  load();
  const result = await ask(title, make('div', { keydown: move }, search, list, note),
    [['Cancel', ''], [`New ${entity}…`, 'new']], { class: 'picker' });
  if (chosen) draft.remember(chosen);
  return result === 'new' ? 'new' : chosen;
}

/**
 * Lets the user choose a row, or makes one. 'use' gets the row; with a new row it is the same step for undo. Returns
 * the new row.
 */
export async function chooseRow(entity, title, use, omitted, present) {
  const row = await askRow(entity, title, omitted, present);
  if (row === 'new') return makeRow(entity, use);
  if (row) await use(row);
  return undefined;
}

/** Makes a new row of an entity or a subclass, and passes it to a closure. */
export async function makeRow(entity, use = () => {}) {
  const name = await askClass(entity);
  if (!name) return undefined;
  let row;
  draft.step(() => {
    row = draft.insert(name);
    use(row);
  });
  return row;
}

// MARK: The form

/**
 * Returns the form of a row: a list of names and editors. 'answer' is the row as the server answers it, with its
 * 'values'; 'open' shows another row.
 */
export function rowForm(answer, open) {
  const known = properties(studio.entities.get(answer.class));
  const stored = new Map(Object.entries(answer.values));
  const valueOf = (name) => {
    const change = draft.get(answer)?.values.get(name);
    return (change ? change.to : stored.get(name)) ?? null;
  };
  const shown = [...known.values()].filter(({ kind }) => kind !== 'toMany');
  return make('dl', { class: 'values form' }, ...shown.flatMap((property) =>
    formRow(answer, property, stored.get(property.name) ?? null, () => valueOf(property.name), open)));
}

/** Returns the identifier of a property's editor, or of the button that adds to a list. */
export const fieldId = (name) => `field ${name}`;

/** Gives the focus to the editor of a property, or to the first one. */
export function focusEditor(form, name) {
  const editor = (name && document.getElementById(fieldId(name))) || form?.querySelector('[id^="field "]');
  editor?.focus();
}

function formRow(answer, property, from, valueOf, open) {
  const { name, form, isOptional, documentation, type } = property;
  const row = { entity: answer.class, key: answer.key, label: answer.label };
  const value = valueOf();
  const id = fieldId(name);
  const note = make('div', { id: `note ${name}`, class: 'soft' });
  const isRequired = isNewKey(row.key) && !isOptional;
  const dd = make('dd', {});
  const commit = (to, isTyped = false) => {
    draft.set(row, name, from, to, isTyped);
    showNote();
  };
  /** Shows what is wrong, first what only the editor knows. */
  const showNote = (editorProblem) => {
    const change = draft.get(row)?.values.get(name);
    const isChanged = change !== undefined && !isNewKey(row.key);
    const text = change ? change.to : from;
    const own = (change || isNewKey(row.key)) && draft.problemsOf(row, name).length === 0 && !isMissing(row, text)
      ? problemOf(property, text) : undefined;
    const problems = [editorProblem, own, ...draft.problemsOf(row, name).map(({ message }) => message)].filter(Boolean);
    dd.classList.toggle('changed', isChanged);
    dd.querySelector('.nil-toggle')?.setAttribute('aria-pressed', String(text === null));
    const control = dd.querySelector('[aria-describedby]');
    control?.setAttribute('aria-invalid', String(problems.length > 0));
    if (control) control.placeholder = text === null ? 'nil' : '';
    note.replaceChildren(...problems.map((each) => make('div', { class: 'problem' }, visible(each))));
    if (isChanged) {
      const revert = () => draft.revertValue(row, name);
      note.append(make('div', { class: 'was' },
        button('Revert', revert, { class: 'link', 'aria-label': `Revert ${name}` }),
        ' was ', valueNode(cellOf(property, change.from), property)));
    }
  };
  const context = {
    row, property, value, commit, showNote, open, from, cell: answer.cells[name],
    attributes: { id, 'aria-describedby': note.id, 'aria-required': isRequired && 'true' },
  };
  const editor = !property.isEditable ? () => [valueNode(context.cell, property, undefined, true)]
    : Object.hasOwn(editors, form) ? editors[form] : line;
  const [main, ...others] = editor(context);
  const toggle = () => commit(valueOf() === null ? '' : null);
  const hasToggle = property.isEditable && isOptional && !plainNilForms.has(form);
  const nilButton = hasToggle && button('nil', toggle, { class: 'nil-toggle', 'aria-label': `${name} is nil` });
  dd.append(nilButton ? make('div', { class: 'line' }, main, nilButton) : main, ...others, note);
  showNote();
  const title = [type, visible(documentation)].filter(Boolean).join('\n');
  return [
    make('dt', { title }, make('label', { for: id }, name),
      isRequired && make('span', { class: 'required', title: 'required' }, ' *'), ' ',
      make('span', { class: 'soft' }, type)),
    dd,
  ];
}

/** Returns whether a new row has no value yet: that is a problem only when it is saved. */
const isMissing = (row, text) => text === null && isNewKey(row.key);

// MARK: Editors

/** These have a choice, a button or an empty field for nil. */
const plainNilForms = new Set(['boolean', 'enum', 'relationship', 'data', 'integer', 'real', 'decimal', 'duration',
  'date', 'uuid']);

/** A field with one line. For values other than texts, an empty field is nil. */
function line({ property, value, commit, attributes }) {
  const { form } = property;
  const input = field({
    type: 'text', ...attributes, class: formClass(property),
    inputmode: ['integer', 'duration'].includes(form) ? 'numeric' : form === 'url' ? 'url' : undefined,
    input: () => commit(input.value === '' && plainNilForms.has(form) ? null : input.value, true),
  });
  input.value = value ?? '';
  return form === 'duration' ? [input, make('span', { class: 'soft' }, ' nanoseconds')] : [input];
}

/** A field with several lines, which grows with its text. The browser changes all line ends, so they are put back. */
function lines({ property, value, commit, attributes }) {
  const ends = new Set((value ?? '').match(/\r\n|\r|\n/g) ?? ['\n']);
  const [end] = ends;
  const area = make('textarea', {
    ...attributes, class: formClass(property), spellcheck: 'false',
    rows: Math.min(12, (value ?? '').split('\n').length),
    input: () => commit(area.value.replaceAll('\n', end), true),
  });
  area.value = value ?? '';
  const note = ends.size > 1 && make('div', { class: 'soft' }, 'If it is edited, all its line ends become the same.');
  return [area, note].filter(Boolean);
}

function select(options, { value, commit, attributes }) {
  const element = make('select', { ...attributes, change: () => {
    commit(element.selectedOptions[0].dataset.isNil ? null : element.value);
  } }, ...options.map(([text, each]) => make('option',
    each === null ? { value: '', 'data-is-nil': '1' } : { value: each }, text)));
  element.selectedIndex = options.findIndex(([, each]) => each === value);
  return [element];
}

const editors = {
  text: lines,
  json: lines,

  boolean(context) {
    const { property, value, commit, attributes } = context;
    if (property.isOptional) return select([['nil', null], ['true', 'true'], ['false', 'false']], context);
    const box = make('input', { type: 'checkbox', ...attributes, change: () => commit(String(box.checked)) });
    box.checked = value === 'true';
    return [box];
  },

  enum(context) {
    const { property: { cases, isOptional }, value } = context;
    const options = cases.map((each) => [each.name, each.value]);
    if (value !== null && !cases.some((each) => each.value === value)) options.unshift([oneLine(value), value]);
    if (isOptional || value === null) options.unshift([isOptional ? 'nil' : '', null]);
    return select(options, context);
  },

  /**
   * A field in local time, and one with the text in UTC, which is also changed to UTC from local time. The first
   * changes no fraction of a second.
   */
  date(context) {
    const { property, commit, showNote } = context;
    const [text] = line({ ...context, commit: (to, isTyped) => commit(to && utcDate(to), isTyped) });
    text.classList.add('code');
    text.addEventListener('change', () => { text.value = utcDate(text.value); });
    const check = () => showNote(local.validity.badInput ? 'the time is incomplete' : undefined);
    const local = make('input', {
      type: 'datetime-local', step: '1', 'aria-label': `${property.name} in local time`, blur: check,
      input: () => {
        if (!local.value) return check();
        const fraction = datePattern.exec(text.value)?.[2] ?? '';
        text.value = new Date(local.value).toISOString().replace(/\.\d+Z$/, `${fraction}Z`);
        commit(text.value, true);
      },
    });
    const follow = () => {
      const utc = utcDate(text.value);
      local.value = datePattern.test(utc) ? localDate(utc).slice(0, 19) : '';
    };
    text.addEventListener('input', follow);
    follow();
    const now = () => commit(new Date().toISOString());
    return [make('div', { class: 'actions' }, local, button('Now', now)), text];
  },

  uuid(context) {
    const renew = () => context.commit(crypto.randomUUID().toUpperCase());
    const renewButton = button('New', renew, { 'aria-label': `New ${context.property.name}` });
    return [make('div', { class: 'line' }, ...line(context), renewButton)];
  },

  data({ row, property, value, from, commit, attributes }) {
    const input = make('input', { type: 'file', ...attributes, change: () => {
      const [file] = input.files;
      if (file) base64(file).then(commit, (error) => tell('The file cannot be read', error.message));
    } });
    const place = { entity: row.entity, key: row.key, property: property.name };
    const facts = value === null ? make('span', { class: 'nil' }, 'nil')
      : make('span', { class: 'soft' }, size(cellOf(property, value).bytes), value === from ? '' : ', not saved yet');
    const isStored = value === from && value !== null;
    return [facts, make('div', { class: 'actions' }, input,
      isStored && make('a', { href: address('value', place), download: property.name }, 'Download'),
      property.isOptional && value !== null && button('nil', () => commit(null), { 'aria-label': 'Set to nil' }))];
  },

  relationship({ row, property, value, cell, commit, open, attributes }) {
    const { name, destination, isOptional } = property;
    if (cell) draft.remember({ entity: cell.entity, key: cell.key, label: cell.text });
    const shown = cellOf(property, value);
    const choose = async () => {
      const made = await chooseRow(destination, `Choose ${name}`, ({ key }) => commit(key), [], value);
      if (made) open(made);
    };
    const link = shown ? rowLink({ entity: shown.entity, key: shown.key, label: shown.text })
      : make('span', { class: 'nil' }, 'none');
    return [link, make('div', { class: 'actions' }, button('Choose…', choose, attributes),
      isOptional && value !== null && button('None', () => commit(null), { 'aria-label': `No ${name}` }))];
  },
};

/** Returns a file's bytes in Base64. */
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(file.size === 0 ? '' : reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
