// What all views share: the server's answers, the state in the address, elements, and the text of values.
//
// Everything from the store may be hostile. Elements are built by 'make', which adds strings as text, and store text
// gets into an address only through 'query', which escapes it.

/** What the page knows about the store. */
export const studio = {
  /** The answer to 'api/store'; null before it has arrived. */
  store: null,
  /** The store's entities by name. */
  entities: new Map(),
  /** Called with true after each answer of the server, and with false if it does not answer. */
  serverAnswered: () => {},
};

// MARK: The server

/** Returns names and values as the query of an address. Empty values are left out. */
function query(values) {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`)
    .join('&');
}

/** Returns the address of a part of the interface, for example 'api/rows?entity=Order'. */
export function address(path, values = {}) {
  const text = query(values);
  return text ? `api/${path}?${text}` : `api/${path}`;
}

/** Fetches an address. Throws an error with the server's text if there is no good answer. */
export async function response(path, values, options) {
  let answer;
  try {
    answer = await fetch(address(path, values), { cache: 'no-store', ...options });
  } catch {
    studio.serverAnswered(false);
    throw Object.assign(new Error('The studio does not answer.'), { isOffline: true });
  }
  studio.serverAnswered(true);
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => null);
  throw new Error(problem?.error || `The studio answered with status ${answer.status}.`);
}

/** Fetches an answer in JSON. */
export async function request(path, values, options) {
  const answer = await response(path, values, options);
  try {
    return await answer.json();
  } catch {
    throw new Error('The answer of the studio is incomplete.');
  }
}

/** Sends a value as JSON, and returns the answer. */
export const send = (path, value) => request(path, {}, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value),
});

// MARK: The state

/**
 * Returns the state, which is in the address: 'view' (table, history, diagram, search, comparison, migration or
 * statements), 'entity', 'sort', 'descending', 'where' and 'search' of the table, 'text' of the search, 'order' of the
 * statements, and the open row: its entity 'of', its key 'row'. A table with only the rows of another row's list has
 * that row, 'owner' and 'ownerKey', and the 'list', or for rows that refer to it, 'through' which relationship. The
 * history may have only the changes of a row, 'historyOf' and 'historyKey', and of an 'author'.
 */
export function readState() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

export const hash = (state) => `#${query(state)}`;

/** Changes parts of the state. A replacement, for example while someone types, adds no step for the back button. */
export function go(changes, isReplacement = false) {
  const target = hash({ ...readState(), ...changes });
  if (!isReplacement) {
    location.hash = target;
  } else if (target !== location.hash) {
    history.replaceState(null, '', target);
    dispatchEvent(new HashChangeEvent('hashchange'));
  }
}

// MARK: Elements

/** Makes an element. Functions among the attributes become event listeners, strings among the children text. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** Makes a link to a row. A click opens it beside the current view, see 'studio.js'; the address is for new tabs. */
export function rowLink({ entity, key, label }, attributes = {}) {
  const name = label?.trim() ? label : `${entity} ${key}`;
  const href = hash({ entity, of: entity, row: key });
  return make('a', { href, 'data-entity': entity, 'data-key': key, class: 'row-link', dir: 'auto', ...attributes },
    oneLine(name));
}

/** Returns what a view is limited to, a row between two texts, with a button that removes the limit. */
export function limit({ entity, key }, before, after, title, remove) {
  const link = rowLink({ entity, key });
  const show = ({ label }) => { if (label.trim()) link.textContent = oneLine(label); };
  request('row', { entity, key }).then(show).catch(() => {});
  return make('span', {}, before, link, after, ' ',
    button('✕', remove, { class: 'link', 'aria-label': title, title }));
}

export const entityLink = (name) => make('a', { href: hash({ entity: name }) }, name);

export const button = (text, click, attributes = {}) => make('button', { type: 'button', click, ...attributes }, text);

/** Makes a field for text that no browser corrects or completes. */
export const field = (attributes) =>
  make('input', { autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', ...attributes });

/** Makes a field for searched text, a part of the state. While someone types, the state follows after a short pause. */
export function searchField(name, attributes) {
  let timer;
  const input = field({ type: 'search', ...attributes, input: () => {
    clearTimeout(timer);
    // By then, the field may belong to another entity or view.
    const { entity, view } = readState();
    timer = setTimeout(() => {
      const state = readState();
      if (state.entity === entity && state.view === view) go({ [name]: input.value }, true);
    }, 300);
  } });
  return input;
}

/**
 * Prepares a button that loads more at the end of a part that scrolls, and is pressed by itself before it is reached.
 * Returns a function to call after each load, with whether there is more.
 */
export function loadAhead(button, root) {
  const observer = new IntersectionObserver((changes) => {
    if (changes.at(-1).isIntersecting) button.click();
  }, { root, rootMargin: '800px 0px' });
  return (hasMore) => {
    button.hidden = !hasMore;
    observer.disconnect();
    if (hasMore) observer.observe(button);
  };
}

/** Notes which element of a part has the focus. Returns a function that gives it to the same one in new content. */
export function focusPlace(part) {
  const reachable = () => [...part.querySelectorAll('a, button, input, textarea, select, summary, [tabindex]')];
  const { activeElement } = document;
  const index = reachable().indexOf(activeElement);
  const { id, selectionStart = null, selectionEnd } = activeElement;
  return () => {
    if (index < 0) return;
    const element = (id && document.getElementById(id)) || reachable()[index] || part;
    element.focus({ preventScroll: true });
    if (selectionStart !== null && element.selectionStart !== null) {
      element.setSelectionRange?.(selectionStart, selectionEnd);
    }
  };
}

// MARK: Text

export const number = (value) => value.toLocaleString('en');
export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** Returns a size as text, for example '4.8 MB'. */
export function size(bytes) {
  if (bytes < 1000) return plural(bytes, 'byte');
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), 4);
  const value = bytes / 1000 ** power;
  return `${value.toFixed(value < 10 ? 1 : 0)} ${['', 'KB', 'MB', 'GB', 'TB'][power]}`;
}

/** Shows control characters, and characters that change the direction of the text around them. */
export function visible(text) {
  return String(text ?? '')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (each) => String.fromCharCode(0x2400 + each.charCodeAt(0)))
    .replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (each) =>
      `\u27e8${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}\u27e9`);
}

/** Returns text for a single line. */
export function oneLine(text, limit = 300) {
  const start = text?.length > limit ? `${text.slice(0, limit).toWellFormed()}…` : text ?? '';
  return visible(start.replace(/\r\n|[\r\n\u2028\u2029]/g, ' ↵ '));
}

/** Returns a date in the local time zone, or the text itself if the browser does not know the date. */
export function localDate(text) {
  const date = new Date(text);
  const year = date.getFullYear();
  if (!(year >= 0 && year <= 9999)) return text;
  const two = (value) => String(value).padStart(2, '0');
  const fraction = /\.\d*[1-9]/.exec(text)?.[0] ?? '';
  return `${String(year).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())} `
    + `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}${fraction}`;
}

export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'the local time zone';

export const timeNode = (text) => make('time', { datetime: text, title: text }, localDate(text));

// MARK: Values

const rightForms = new Set(['integer', 'real', 'decimal', 'duration']);
const codeForms = new Set(['uuid', 'data', 'json']);

/** Returns the class of cells with a property's values: numbers are at the right, code has a fixed width. */
export function formClass(property) {
  if (rightForms.has(property?.form)) return 'number';
  return codeForms.has(property?.form) ? 'code' : '';
}

/** Returns the properties of an entity by name, first those of its topmost class. */
export function properties(entity) {
  const classes = [];
  for (let each = entity; each; each = studio.entities.get(each.superentity)) classes.unshift(each);
  return new Map(classes.flatMap((each) => each.properties).map((each) => [each.name, each]));
}

/** Returns the name of an entity's topmost class. A row has the same key in all its classes. */
export function root(name) {
  const above = studio.entities.get(name)?.superentity;
  return above ? root(above) : name;
}

/** Returns what is to be known about a value beside its text: the stored form, the size, the problem. */
export function valueNotes(cell, property) {
  const { text, raw, bytes, problem } = cell ?? {};
  return [
    property?.form === 'date' && text, raw !== undefined && `stored as ${oneLine(String(raw))}`,
    bytes !== undefined && size(bytes), problem && oneLine(problem),
  ].filter(Boolean);
}

/**
 * Returns the content of a cell: for the row's panel as a whole, for the table in a single line. 'place' has the
 * entity, the key and the property, for the address of an image.
 */
export function valueNode(cell, property, place, isWhole = false) {
  if (!cell) return make('span', { class: 'nil' }, 'nil');
  const value = plainValue(cell, property, place, isWhole);
  if (!cell.problem) return value;
  return make('span', {}, make('span', { class: 'problem', role: 'img', 'aria-label': 'Problem' }, '⚠'), ' ', value);
}

function plainValue(cell, property, place, isWhole) {
  if (cell.isImage) {
    return make('img', { src: address('value', place), loading: 'lazy', alt: `Image, ${size(cell.bytes ?? 0)}` });
  }
  if (cell.key !== undefined) {
    return rowLink({ entity: cell.entity, key: cell.key, label: cell.text }, isWhole ? {} : { tabindex: '-1' });
  }
  if (cell.text.trim() === '' && !cell.isCut) {
    const isData = property?.form === 'data';
    return make('span', { class: 'nil' }, isData ? 'no bytes' : JSON.stringify(visible(cell.text)));
  }
  if (property?.form === 'date') return make('time', { datetime: cell.text }, localDate(cell.text));
  if (property?.form === 'enum') return make('span', { class: 'badge' }, oneLine(cell.text));
  const text = isWhole ? visible(cell.text) : oneLine(cell.text);
  const rest = cell.isCut && make('span', { class: 'nil' }, isWhole ? ' …' : ` … ${size(cell.bytes ?? 0)}`);
  return make('span', { dir: 'auto', class: isWhole ? 'whole' : '' }, text, rest);
}
