// The views of further files that the command line names: another store, a schema, and a trace of statements.

import {
  button, focusPlace, go, make, number, oneLine, plural, properties, readState, request, rowLink, size, studio,
  timeNode, valueNode, visible,
} from './basics.js';

/** Makes a view with a title, a status, buttons, and a part that scrolls. */
function frame(view, title, ...buttons) {
  view.status = make('span', { class: 'soft', role: 'status' });
  view.failure = make('p', { class: 'failure', role: 'alert', hidden: '' });
  view.body = make('div', { class: 'scroller understand', tabindex: '-1' });
  view.element = make('section', { class: 'view', 'aria-label': title },
    make('header', { class: 'wide' }, make('h1', {}, title), ...buttons, view.status), view.failure, view.body);
}

/** Fetches an answer for a view. Returns nothing if the request failed, or if the studio needs a further file. */
async function fetchFor(view, path, values) {
  try {
    const answer = await request(path, values);
    view.failure.hidden = true;
    if (!answer.hint) return answer;
    view.body.replaceChildren(make('p', { class: 'message' }, answer.hint));
    for (const each of view.element.querySelectorAll('header button')) each.hidden = true;
  } catch (error) {
    view.failure.textContent = error.message;
    view.failure.hidden = false;
  }
  view.status.textContent = '';
  return undefined;
}

function table(titles, rows, attributes = {}) {
  const head = titles.map((title) => title instanceof Node ? title : make('th', { scope: 'col' }, title));
  return make('table', { class: 'results', ...attributes },
    make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...rows));
}

const cell = (...content) => make('td', {}, ...content);
const amount = (value) => make('td', { class: 'number' }, number(value));

/** Lists schema changes, as 'trellis diff' does. */
function schemaChanges(changes) {
  return table(['Effect', 'Change', 'Rule'], changes.map(({ effect, text, rule }) => make('tr', {},
    cell(make('span', { class: 'badge' }, effect)), cell(visible(text)), cell(rule ? `${rule.id} ${rule.name}` : ''))));
}

// MARK: Comparison

/** The schema and the rows of the store beside those of another store. */
export class ComparisonView {
  constructor() {
    this.again = button('Compare again', () => this.load(), { hidden: '' });
    frame(this, 'Comparison', this.again);
  }

  show() {
    return this.summary || this.isLoading ? undefined : this.load();
  }

  /** Comparing reads both stores, so it is not repeated by itself. */
  refresh() {
    if (this.summary) this.status.textContent = 'The store was changed after the comparison.';
  }

  async load() {
    if (this.isLoading) return;
    this.isLoading = true;
    this.again.hidden = true;
    this.status.textContent = 'Comparing…';
    this.summary = await fetchFor(this, 'comparison');
    if (this.summary) {
      this.showSummary();
      // One entity at a time: the numbers appear as soon as they are known.
      for (const each of this.summary.tables) await this.compare(each);
      this.status.textContent = '';
    }
    this.again.hidden = !this.summary && this.failure.hidden;
    this.isLoading = false;
  }

  showSummary() {
    const { store, other, areCopies, changes, tables } = this.summary;
    const side = (title, { path, schema, size: bytes }) => [make('dt', {}, title),
      make('dd', {}, visible(path), make('span', { class: 'soft' }, ` ${visible(schema)} · ${size(bytes)}`))];
    const schema = make('details', { class: 'compared' },
      make('summary', {}, 'Schema ', make('span', { class: 'soft' },
        changes.length > 0 ? plural(changes.length, 'change') : 'equal')));
    if (changes.length > 0) schema.append(schemaChanges(changes));
    schema.open = changes.length > 0 && changes.length <= 20;
    this.parts = new Map(tables.map((each) => [each.name, new ComparedRows(each)]));
    this.body.replaceChildren(
      make('dl', { class: 'sides' }, ...side('Here', store), ...side('There', other)),
      make('p', { class: areCopies ? 'soft' : 'failure' }, areCopies
        ? 'Both are copies of the same store. Rows with the same key are the same row, except for rows that both '
          + 'stores have inserted since they were copied.'
        : 'The stores have different identifiers. Rows with the same key are different rows, unless one store was '
          + 'imported from the other.'),
      schema, ...[...this.parts.values()].map(({ element }) => element));
  }

  async compare({ name }) {
    const part = this.parts.get(name);
    const answer = await request('differences', { entity: name }).catch((error) => error);
    part.show(answer);
  }
}

/** The text and color of the kinds of differences. */
const kinds = {
  onlyHere: ['only here', 'insert'], onlyThere: ['only there', 'delete'], changed: ['changed', 'update'],
};

/** The differences between an entity's rows in both stores. */
class ComparedRows {
  constructor({ name, subclasses, omitted }) {
    this.name = name;
    this.counts = make('span', { class: 'soft' }, 'comparing…');
    const also = subclasses.length > 0 && make('span', { class: 'soft' }, ` with ${subclasses.join(', ')} `);
    this.rows = make('tbody');
    this.table = table(['Status', 'Row', 'Differences: there → here'], [], { hidden: '' });
    this.table.tBodies[0].replaceWith(this.rows);
    this.more = button('Load more', () => this.load(), { class: 'more', hidden: '' });
    this.note = make('p', { class: 'soft' });
    if (omitted.length > 0) this.note.append(`Not compared, because the schemas differ: ${omitted.join(', ')}.`);
    this.element = make('details', { class: 'compared' },
      make('summary', {}, name, also, ' ', this.counts), this.note, this.table, this.more);
  }

  /** Shows the first answer. */
  show(answer) {
    if (answer instanceof Error) {
      this.counts.replaceChildren(make('span', { class: 'problem' }, oneLine(answer.message)));
      return;
    }
    const { onlyHere, onlyThere, changed, equal, isComplete } = answer;
    const count = (value, text, kind) =>
      value > 0 && make('span', { class: `kind ${kind}` }, `${number(value)} ${text}`);
    const parts = [count(onlyHere, 'only here', 'insert'), count(onlyThere, 'only there', 'delete'),
      count(changed, 'changed', 'update'), make('span', {}, `${number(equal)} equal`)].filter(Boolean);
    this.counts.replaceChildren(...parts.flatMap((part, index) => index > 0 ? [' · ', part] : [part]));
    if (!isComplete) {
      this.counts.append(make('span', { class: 'problem' },
        ' Stopped after 20 seconds: there are more rows, which are not counted.'));
    }
    this.add(answer);
    const differences = onlyHere + onlyThere + changed;
    this.element.open = differences > 0 && differences <= 20;
  }

  add({ rows, next }) {
    this.next = next;
    this.more.hidden = !next;
    this.rows.append(...rows.map((row) => this.row(row)));
    this.table.hidden = this.rows.childElementCount === 0;
  }

  row({ key, label, kind, values }) {
    const [text, color] = kinds[kind] ?? [kind, ''];
    const known = properties(studio.entities.get(this.name));
    const link = { entity: this.name, key, label };
    const isInBoth = kind === 'changed';
    const nodes = values.map(({ property, here, there }) => {
      const node = (value) => valueNode(value, known.get(property), { entity: this.name, key, property });
      const both = isInBoth ? [node(there), ' → ', node(here)] : [node(here ?? there)];
      return make('div', { class: 'difference' }, make('span', { class: 'soft' }, `${property} `), ...both);
    });
    const isLong = !isInBoth && nodes.length > 6;
    const fold = isLong && make('details', {}, make('summary', {}, plural(nodes.length, 'value')), ...nodes);
    return make('tr', {}, cell(make('span', { class: `kind ${color}` }, text)),
      cell(kind === 'onlyThere' ? make('span', { dir: 'auto' }, oneLine(label)) : rowLink(link)),
      cell(...(fold ? [fold] : nodes)));
  }

  async load() {
    this.more.disabled = true;
    try {
      this.add(await request('differences', { entity: this.name, after: this.next }));
    } catch (error) {
      this.more.after(make('p', { class: 'failure', role: 'alert' }, error.message));
    }
    this.more.disabled = false;
  }
}

// MARK: Migration

/** The effects of opening the store with the current schema. */
export class MigrationView {
  constructor() {
    frame(this, 'Migration', button('Read again', () => this.load()));
  }

  show() {
    return this.isShown ? undefined : this.load();
  }

  refresh() {
    return this.load();
  }

  async load() {
    if (!this.isShown) this.status.textContent = 'Counting rows…';
    const answer = await fetchFor(this, 'migration');
    if (!answer) return;
    this.isShown = true;
    const { path, preflight, isClean, changes } = answer;
    const { way, findings } = preflight;
    this.status.textContent = `${visible(preflight.schema)} · ${visible(path)}`;
    const steps = way.slice(1).map((to, index) => ({ from: way[index], to }));
    const restoreFocus = focusPlace(this.body);
    this.body.replaceChildren(
      this.verdict(preflight, isClean),
      ...steps.flatMap((step) => this.step(step, findings)),
      ...(changes.length > 0 ? [make('h3', {}, 'Schema changes'), schemaChanges(changes)] : []));
    restoreFocus();
  }

  verdict({ problem, way, findings, strayColumns }, isClean) {
    const open = findings.filter(({ handling, rows }) => handling === 'open' && rows !== 0).length;
    const reasons = [
      problem && `${visible(problem)}.`,
      ...strayColumns.map((column) => `The column ${visible(column)} belongs to no version; the migration fails until `
        + 'it is removed.'),
      open > 0 && `${plural(open, 'change')} of rows ${open === 1 ? 'has' : 'have'} no step in the schema yet.`,
    ].filter(Boolean);
    const affected = findings.filter(({ rows }) => rows !== 0).length;
    const text = way.length < 2 ? 'The store has the current version: opening it changes nothing.'
      : affected === 0 ? 'The migration can run. It affects no values of rows.'
        : `The migration can run. ${plural(affected, 'change')} ${affected === 1 ? 'affects' : 'affect'} rows.`;
    return isClean ? make('p', { class: 'verdict' }, text)
      : make('p', { class: 'failure' }, ['The store cannot be opened with this schema.', ...reasons].join('\n'));
  }

  step({ from, to }, findings) {
    const own = findings.filter((each) => each.from === from && each.to === to);
    const rows = own.map(({ rule, name, text, rows: count, handling }) => {
      const isOpen = handling === 'open' && count !== 0;
      return make('tr', { class: count === 0 ? 'soft' : '' }, cell(visible(text)),
        make('td', { class: 'number' }, count === undefined ? 'unknown' : number(count)),
        make('td', { class: isOpen ? 'problem' : '' }, isOpen ? 'no step yet' : handling), cell(`${rule} ${name}`));
    });
    return [make('h3', {}, `${visible(from)} → ${visible(to)}`),
      own.length > 0 ? table(['Change', 'Rows', 'Handling', 'Rule'], rows, { class: 'results handled' })
        : make('p', { class: 'soft' }, 'No change can affect rows.')];
  }
}

// MARK: Statements

const orders = {
  count: 'Runs', total: 'Total', mean: 'Mean', longest: 'Longest', rows: 'Rows', last: 'Statement',
};

/** The statements in a trace file: grouped by text, or the latest. */
export class StatementsView {
  constructor() {
    this.byText = button('By text', () => go({ order: '' }));
    this.byTime = button('Latest', () => go({ order: 'latest' }));
    frame(this, 'Statements', this.byText, this.byTime);
  }

  /** Shows the groups in an order, or the latest statements. */
  show({ order }) {
    this.isLatest = order === 'latest';
    this.order = Object.hasOwn(orders, order ?? '') ? order : 'total';
    this.known = undefined;
    this.byText.setAttribute('aria-pressed', String(!this.isLatest));
    this.byTime.setAttribute('aria-pressed', String(this.isLatest));
    return this.follow();
  }

  refresh() {}

  /** Reads new statements every second while the view is visible. */
  async follow() {
    clearTimeout(this.timer);
    if (this.element.hidden || !this.element.isConnected) return;
    if (!document.hidden) await this.read();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.follow(), 1000);
  }

  async read() {
    const { order, isLatest } = this;
    const answer = await fetchFor(this, 'statements', { order, known: this.known });
    // Another order may be shown by now.
    if (!answer || order !== this.order || isLatest !== this.isLatest || !answer.groups) return;
    const { version, path, isThere, count, kept, invalid, groups, omitted, latest } = answer;
    this.known = version;
    this.status.textContent = [
      visible(path), plural(count, 'statement'), kept < count && `the last ${number(kept)} are shown`,
      invalid > 0 && plural(invalid, 'line without a statement', 'lines without a statement'),
    ].filter(Boolean).join(' · ');
    const restoreFocus = focusPlace(this.body);
    const content = count === 0
      ? [make('p', { class: 'message' }, isThere ? 'The file has no statements yet.' : 'The file does not exist yet.')]
      : isLatest ? [this.latest(latest)]
        : [this.groups(groups), omitted > 0 && make('p', { class: 'soft' }, `and ${plural(omitted, 'more text')}`)];
    this.body.replaceChildren(...content.filter(Boolean));
    restoreFocus();
  }

  groups(groups) {
    const titles = Object.entries(orders).map(([order, title]) => make('th', {
      scope: 'col', class: order === 'last' ? '' : 'number',
      'aria-sort': order === this.order ? 'descending' : undefined,
    }, button(title, () => go({ order }), { class: 'plain' })));
    return table(titles, groups.map(({ sql, purposes, count, rows, total, longest }) => make('tr', {},
      amount(count), duration(total), duration(total / count), duration(longest), amount(rows),
      statement(sql, purposes))), { class: 'results statements' });
  }

  latest(statements) {
    const rows = statements.map(({ sql, seconds, rows: count, purpose, store, time }) => make('tr', {},
      cell(time === undefined ? '' : timeNode(dateText(time))), duration(seconds),
      make('td', { class: 'number' }, count === undefined ? '' : number(count)),
      statement(sql, [purpose, store].filter((each) => each !== undefined))));
    return table(['Time', 'Duration', 'Rows', 'Statement'], rows, { class: 'results statements' });
  }
}

function statement(sql, notes) {
  return cell(...notes.map((each) => [make('span', { class: 'badge' }, oneLine(each)), ' ']).flat(),
    make('span', { class: 'code whole' }, visible(sql)));
}

/** Returns a cell with seconds as text, for example '12.3 ms'. */
function duration(seconds) {
  const [value, unit] = seconds < 1e-3 ? [seconds * 1e6, 'µs'] : seconds < 1 ? [seconds * 1e3, 'ms'] : [seconds, 's'];
  return make('td', { class: 'number' }, `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`);
}

/** Returns seconds since 1970 as a date, or as they are written if there is no such date. */
function dateText(seconds) {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}
