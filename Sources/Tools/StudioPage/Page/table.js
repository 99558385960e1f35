// The table with an entity's rows: sorting, the filter, the pages of rows, and moving with the keyboard.

import {
  address, button, entityLink, field, formClass, go, limit, loadAhead, make, number, oneLine, plural, properties,
  readState, request, root, searchField, studio, timeZone, valueNode, valueNotes, visible,
} from './basics.js';
import { ColumnWidths } from './columns.js';
import { equation, examples, pathOf } from './conditions.js';
import { canEdit, cellOf, draft } from './draft.js';

export class TableView {
  /** 'edit' opens the form of a row at a property, 'add' makes a new row of an entity. */
  constructor({ edit, add }) {
    this.edit = edit;
    this.title = make('h1', { id: 'title' });
    this.count = make('span', { class: 'soft', role: 'status' });
    this.exports = make('span', { class: 'exports' });
    this.addButton = button('New row', () => add(this.entity.name), { hidden: '', title: 'n' });
    this.owner = make('p', { class: 'owner', hidden: '' });
    this.where = field({ id: 'where', type: 'text', class: 'code', 'aria-describedby': 'failure' });
    this.search = searchField('search', { id: 'search', placeholder: 'Text in any property' });
    this.clearButton = button('Clear', () => this.clear());
    const form = make('form', { class: 'filters', role: 'search', submit: (event) => this.apply(event) },
      make('label', { for: 'where' }, 'Filter'), this.where, make('button', {}, 'Apply'),
      make('label', { for: 'search' }, 'Search'), this.search, this.clearButton);
    this.failure = make('p', { id: 'failure', class: 'failure', role: 'alert', hidden: '' });
    this.propertyList = make('details', { class: 'fold', toggle: () => this.showProperties() },
      make('summary', {}, 'Properties'), make('div'));
    this.exampleList = make('details', { class: 'fold', toggle: () => this.showExamples() },
      make('summary', {}, 'Examples'), make('div'));
    this.sql = make('details', { class: 'fold' }, make('summary', {}, 'SQL'), make('div'));
    this.head = make('thead');
    this.table = make('table', {
      role: 'grid', keydown: (event) => this.keyDown(event), click: (event) => this.click(event),
      dblclick: (event) => this.editCell(event),
      focusin: (event) => this.point(event), mouseover: (event) => this.point(event),
    }, this.head);
    this.message = make('p', { class: 'message', hidden: '' });
    this.more = button('Load more', () => this.loadMore(), { class: 'more', hidden: '' });
    this.scroller = make('div', { class: 'scroller', tabindex: '-1' }, this.table, this.message, this.more);
    this.widths = new ColumnWidths(this.table, this.scroller);
    this.note = make('span', { class: 'note' });
    this.element = make('section', { class: 'view table-view', 'aria-labelledby': 'title' },
      make('header', {}, this.title, this.count, this.addButton, this.exports), this.owner, form, this.failure,
      make('div', { class: 'folds' }, this.propertyList, this.exampleList, this.sql), this.scroller,
      make('footer', { class: 'soft' }, this.note, make('span', {}, `Times are in ${timeZone}`)));

    // Rows far from the visible part are replaced by one row of the same height.
    this.pageObserver = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) {
        const page = this.pages.find(({ body }) => body === target);
        if (page) isIntersecting ? this.fill(page) : this.empty(page);
      }
    }, { root: this.scroller, rootMargin: '800px 0px' });
    this.setHasMore = loadAhead(this.more, this.scroller);
    /**
     * The pages, each with its rows, the index of the first row, and its part of the table: the new rows of the draft,
     * and the loaded pages.
     */
    this.pages = [];
    this.columns = [];
    /** The cell that the keys start from. Row -1 is the header. */
    this.active = { row: 0, column: 0 };
    /** Increases with each request, so that late answers to earlier requests are ignored. */
    this.ticket = 0;
  }

  // MARK: State

  /** Shows the table for a state. If only the open row changed, nothing is loaded. */
  async show(state) {
    const { entity, sort, descending, where, search, owner, ownerKey, list, through } = state;
    const query = { entity, sort, descending, where, search, of: owner, key: ownerKey, property: list, through };
    const wanted = JSON.stringify(Object.values(query));
    if (wanted === this.shown) return this.markOpenRow();
    this.shown = wanted;
    const old = this.query;
    this.query = query;
    const isOther = old?.entity !== entity;
    this.readSchema();
    if (isOther) this.reset();
    // Text that was typed but not applied yet remains.
    if (isOther || old.where !== where) this.where.value = where ?? '';
    if (isOther || old.search !== search) this.search.value = search ?? '';
    this.clearButton.hidden = !where && !search;
    const links = ['csv', 'json'].map((format) =>
      make('a', { href: address('export', { ...this.query, format }), download: `${entity}.${format}` }, format));
    this.exports.replaceChildren('Export ', links[0], ' ', links[1]);
    this.showOwner();
    if (this.entity) await this.load();
    else this.fail(new Error(`The store has no entity “${visible(entity)}”.`));
  }

  readSchema() {
    this.entity = studio.entities.get(this.query.entity);
    this.properties = properties(this.entity);
  }

  /** Prepares for another entity. */
  reset() {
    this.title.textContent = this.query.entity;
    this.columns = [];
    this.setPages([]);
    this.head.replaceChildren();
    this.scroller.scrollTo(0, 0);
    this.count.textContent = '';
    this.note.textContent = '';
    this.active = { row: 0, column: 0 };
    this.showMessage('Loading…');
    this.showProperties();
    this.showExamples();
    this.where.placeholder = examples(this.entity).slice(0, 2).join(' && ');
  }

  /** Shows whose rows the table is limited to. */
  showOwner() {
    const { of: entity, key, property, through } = this.query;
    this.owner.hidden = !entity;
    if (!entity) return;
    const remove = () => go({ owner: '', ownerKey: '', list: '', through: '' });
    this.owner.replaceChildren(limit({ entity, key }, `rows of ${visible(entity)} ‘`,
      `’${visible(property ? `.${property}` : ` through ${through}`)}`, 'Show all rows', remove));
  }

  apply(event) {
    event.preventDefault();
    go({ where: this.where.value.trim(), search: this.search.value });
  }

  clear() {
    this.where.value = '';
    this.search.value = '';
    go({ where: '', search: '' });
    this.where.focus();
  }

  addCondition(condition) {
    const text = this.where.value.trim();
    const others = text.includes('||') ? `(${text})` : text;
    this.where.value = others ? `${others} && ${condition}` : condition;
  }

  /** Limits the table to the rows with the active cell's value. */
  filterByCell() {
    const row = this.row(this.active.row);
    if (!row || row.isNew) return;
    const { name, index, property } = this.columns[this.active.column];
    const cell = row.cells[index];
    if (cell?.key !== undefined) {
      const { destination, inverse } = property;
      const isList = properties(studio.entities.get(destination)).get(inverse)?.kind === 'toMany';
      const place = isList ? { list: inverse, through: '' } : { list: '', through: `${this.entity.name}.${name}` };
      return go({ owner: cell.entity, ownerKey: cell.key, ...place });
    }
    const condition = property && equation(property, cell);
    if (condition) {
      this.addCondition(condition);
      go({ where: this.where.value });
    } else {
      this.note.textContent = 'A filter cannot contain this value.';
    }
  }

  sortBy({ name }) {
    const { sort, descending } = this.query;
    if (sort !== name) go({ sort: name, descending: '' });
    else go(descending ? { sort: '', descending: '' } : { descending: '1' });
  }

  // MARK: Loading

  /**
   * Loads the first page, or quietly again all pages up to the last visible one. A quiet load keeps the place, the
   * selection, the focus, and the elements of pages that are the same as before.
   */
  async load(isQuiet = false) {
    const ticket = ++this.ticket;
    const wanted = isQuiet ? this.visiblePageCount() : 1;
    const answers = [];
    if (!isQuiet) this.element.setAttribute('aria-busy', 'true');
    try {
      do {
        answers.push(await request('rows', { ...this.query, after: answers.at(-1)?.next }));
        if (ticket !== this.ticket) return;
      } while (answers.length < wanted && answers.at(-1).next);
      this.present(answers, isQuiet);
    } catch (error) {
      if (ticket === this.ticket && !(isQuiet && error.isOffline)) this.fail(error);
    }
    if (ticket === this.ticket) this.element.removeAttribute('aria-busy');
  }

  refresh() {
    this.readSchema();
    return this.entity ? this.load(true) : undefined;
  }

  async loadMore() {
    const { ticket } = this;
    const after = this.pages.at(-1)?.next;
    if (!after || this.isLoadingMore === ticket) return;
    this.isLoadingMore = ticket;
    try {
      const answer = await request('rows', { ...this.query, after });
      if (ticket !== this.ticket || after !== this.pages.at(-1)?.next) return;
      this.setPages([...this.loadedPages, this.page(answer)]);
      this.widths.measure();
      this.showFacts(answer);
    } catch (error) {
      this.note.textContent = error.message;
    }
    this.isLoadingMore = undefined;
  }

  present(answers, isQuiet) {
    const hadFocus = this.table.contains(document.activeElement);
    const activeKey = this.row(this.active.row)?.key;
    const names = answers[0].columns;
    const hasClasses = this.entity.subclasses.length > 0;
    const columns = names.map((name, index) => ({ name, index, property: this.properties.get(name) }));
    if (hasClasses) columns.unshift({ name: 'Class', isClass: true });
    const isSameTable = this.columns.map(({ name }) => name).join() === columns.map(({ name }) => name).join();
    this.columns = columns;
    this.failure.hidden = true;
    if (!isSameTable) this.makeHead();
    this.markSorting();

    const { loadedPages } = this;
    this.setPages(answers.map((answer, index) => {
      const old = isQuiet && isSameTable ? loadedPages[index] : undefined;
      const isSame = old?.text === JSON.stringify(answer.rows);
      return isSame ? Object.assign(old, { next: answer.next }) : this.page(answer);
    }), isSameTable);
    this.widths.measure();
    if (!isQuiet) this.scroller.scrollTop = 0;
    this.showFacts(answers[0]);

    // The active cell stays at its row, in case rows were added or removed before it.
    const isInHead = hadFocus && this.active.row < 0;
    const row = isQuiet ? this.indexOf(activeKey) ?? Math.min(this.active.row, this.rowCount - 1) : 0;
    this.activate(isInHead ? -1 : row, this.active.column, false);
    if (hadFocus) this.cell(this.active.row, this.active.column)?.focus({ preventScroll: true });
  }

  showFacts({ count = null, sql, plan, milliseconds }) {
    const hasMore = Boolean(this.pages.at(-1)?.next);
    const hasFilter = this.query.where || this.query.search || this.query.of;
    if (!hasFilter) count = this.entity.count ?? null;
    const text = count === null ? `${hasMore ? 'more than ' : ''}${plural(this.loadedRowCount, 'row')}`
      : hasFilter ? `${number(count)} of ${plural(this.entity.count, 'row')}` : plural(count, 'row');
    if (this.count.textContent !== text) this.count.textContent = text;
    const newCount = this.rowCount - this.loadedRowCount;
    this.table.setAttribute('aria-rowcount', count === null ? -1 : count + newCount + 1);
    this.table.setAttribute('aria-label', `Rows of ${this.entity.name}`);
    this.sql.hidden = false;
    this.sql.firstChild.textContent = `SQL · ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
    this.sql.lastChild.replaceChildren(make('pre', {}, visible(sql)),
      make('ul', { 'aria-label': 'Query plan' }, ...plan.map((line) => make('li', {}, visible(line)))));
    this.setHasMore(hasMore);
    this.addButton.hidden = !canEdit();
    const isEmpty = this.loadedRowCount === 0;
    this.showMessage(!isEmpty ? '' : hasFilter ? 'No rows match.' : 'This entity has no rows.');
  }

  showMessage(text) {
    this.message.textContent = text;
    this.message.hidden = !text;
  }

  fail(error) {
    this.setPages([]);
    this.failure.textContent = error.message;
    this.failure.hidden = false;
    this.count.textContent = '';
    this.note.textContent = '';
    this.sql.hidden = true;
    this.setHasMore(false);
    this.showMessage('');
  }

  // MARK: Pages

  get loadedPages() { return this.pages.filter(({ isNew }) => !isNew); }
  get loadedRowCount() { return this.loadedPages.reduce((sum, { rows }) => sum + rows.length, 0); }
  get rowCount() { return this.pages.reduce((sum, { rows }) => sum + rows.length, 0); }

  page({ rows, next }) {
    return { rows, next, text: JSON.stringify(rows), body: make('tbody'), isFilled: false };
  }

  /** Returns the page with the draft's new rows; undefined if there are none. */
  newPage(canKeep) {
    const rows = !this.entity || this.columns.length === 0 ? []
      : draft.newRows(this.entity.name).map(({ entity, key }) => ({ key, class: entity, cells: [], isNew: true }));
    if (rows.length === 0) return undefined;
    const page = Object.assign(this.page({ rows }), { isNew: true });
    const old = this.pages.find(({ isNew }) => isNew);
    return canKeep && old?.text === page.text ? old : page;
  }

  /** Shows the new rows and loaded pages. A page that is known and starts at another index is filled again. */
  setPages(loaded, canKeepNew = false) {
    const pages = [this.newPage(canKeepNew), ...loaded].filter(Boolean);
    let start = 0;
    for (const page of pages) {
      const hasMoved = page.start !== start;
      page.start = start;
      start += page.rows.length;
      if (hasMoved && page.isFilled) {
        page.isFilled = false;
        this.fill(page);
      }
    }
    for (const { body } of this.pages) {
      if (pages.every((page) => page.body !== body)) {
        this.pageObserver.unobserve(body);
        body.remove();
      }
    }
    const known = new Set(this.pages);
    this.pages = pages;
    pages.forEach((page, index) => {
      if (known.has(page)) return;
      this.fill(page);
      const previous = index > 0 ? pages[index - 1].body : this.head;
      previous.after(page.body);
      this.pageObserver.observe(page.body);
    });
  }

  fill(page) {
    if (page.isFilled) return;
    page.isFilled = true;
    page.changes = page.rows.map((row) => this.changeOf(row));
    page.body.replaceChildren(...page.rows.map((row, index) => this.rowElement(row, page.start + index)));
    const { row, column } = this.active;
    if (this.pageAt(row) === page) page.body.rows[row - page.start]?.cells[column]?.setAttribute('tabindex', '0');
  }

  empty(page) {
    // Without a height, the view is hidden.
    const height = page.body.offsetHeight;
    if (!page.isFilled || height === 0 || page.body.contains(document.activeElement)) return;
    const spacer = make('td', { colspan: this.columns.length });
    spacer.style.height = `${height}px`;
    page.isFilled = false;
    page.body.replaceChildren(make('tr', { class: 'spacer', 'aria-hidden': 'true' }, spacer));
  }

  /** Shows a change of the draft. */
  showDraft() {
    if (!this.entity || this.pages.length + this.columns.length === 0) return;
    const hadFocus = this.table.contains(document.activeElement) && this.active.row >= 0;
    const activeKey = this.row(this.active.row)?.key;
    const [first] = this.pages;
    this.setPages(this.loadedPages, true);
    // The badge of a new row needs room.
    if (this.pages[0]?.isNew && this.pages[0] !== first) this.widths.measure();
    for (const page of this.pages.filter(({ isFilled }) => isFilled)) {
      page.rows.forEach((row, index) => {
        const change = this.changeOf(row);
        if (change === page.changes[index]) return;
        page.changes[index] = change;
        page.body.rows[index].replaceWith(this.rowElement(row, page.start + index));
      });
    }
    const row = this.indexOf(activeKey) ?? Math.min(this.active.row, this.rowCount - 1);
    this.activate(row, this.active.column, false);
    if (hadFocus) this.focus();
  }

  changeOf(row) {
    return draft.get({ entity: this.classOf(row), key: row.key });
  }

  visiblePageCount() {
    const end = this.scroller.getBoundingClientRect().bottom;
    return Math.max(1, this.loadedPages.filter(({ body }) => body.getBoundingClientRect().top < end).length);
  }

  pageAt(index) {
    return index < 0 ? undefined : this.pages.findLast(({ start }) => start <= index);
  }

  row(index) {
    const page = this.pageAt(index);
    return page?.rows[index - page.start];
  }

  indexOf(key) {
    for (const { rows, start } of this.pages) {
      const index = rows.findIndex((row) => row.key === key);
      if (index >= 0) return start + index;
    }
    return undefined;
  }

  // MARK: Elements

  makeHead() {
    const cells = this.columns.map((column) => {
      const { name, property } = column;
      const facts = [property?.type, visible(property?.documentation), !property?.isSortable && 'cannot be sorted'];
      return make('th', { scope: 'col', class: formClass(property), title: facts.filter(Boolean).join('\n') },
        property?.isSortable ? button(name, () => this.sortBy(column), { tabindex: '-1', class: 'plain' })
          : make('span', { tabindex: '-1' }, name),
        make('div', { class: 'grip', 'aria-hidden': 'true', pointerdown: (event) => this.widths.resize(event) }));
    });
    this.head.replaceChildren(make('tr', { 'aria-rowindex': 1 }, ...cells));
    this.active.column = Math.min(this.active.column, Math.max(0, cells.length - 1));
    this.widths.reset(this.entity.name, this.columns.map(({ name }) => name));
  }

  markSorting() {
    const { sort, descending } = this.query;
    this.columns.forEach(({ name, property }, index) => {
      const cell = this.head.rows[0].cells[index];
      if (name === sort) cell.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      else if (property?.isSortable) cell.setAttribute('aria-sort', 'none');
    });
  }

  rowElement(row, index) {
    const change = this.changeOf(row);
    const badge = row.isNew && [make('span', { class: 'badge insert' }, 'new'), ' '];
    const cells = this.columns.map(({ name, index, property, isClass }, column) => {
      const mark = column === 0 && badge;
      if (isClass) return make('td', { class: 'soft', tabindex: '-1' }, mark, row.class);
      const value = change?.values.get(name);
      const cell = value ? cellOf(property, value.to) : row.cells[index];
      const place = { entity: this.classOf(row), key: row.key, property: name };
      const notes = valueNotes(cell, property);
      if (cell?.text?.length > 30) notes.unshift(oneLine(cell.text, 1000));
      const isChanged = value && !row.isNew;
      if (isChanged) notes.push(`was ${oneLine(row.cells[index]?.text ?? 'nil')}`);
      const kinds = [formClass(property), cell?.problem && 'has-problem', isChanged && 'changed'];
      const title = notes.join('\n') || undefined;
      return make('td', { class: kinds.filter(Boolean).join(' '), tabindex: '-1', title }, mark,
        valueNode(cell, property, place));
    });
    const kind = row.isNew ? 'new' : change?.kind === 'delete' && 'deleted';
    const attributes = { class: kind, 'aria-rowindex': index + 2, 'aria-selected': `${this.isOpen(row)}` };
    return make('tr', attributes, ...cells);
  }

  classOf(row) {
    return studio.entities.has(row.class) ? row.class : this.entity.name;
  }

  isOpen(row) {
    const { of, row: key } = readState();
    return key === row.key && root(of) === root(this.entity.name);
  }

  markOpenRow() {
    for (const page of this.pages.filter(({ isFilled }) => isFilled)) {
      page.rows.forEach((row, index) => page.body.rows[index].setAttribute('aria-selected', this.isOpen(row)));
    }
    // The panel may have covered the cell.
    const { activeElement } = document;
    if (this.table.contains(activeElement)) activeElement.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** Lists the properties with what the schema says about them. A click on a name adds it to the filter. */
  showProperties() {
    if (!this.propertyList.open || !this.entity) return;
    const rows = [...this.properties.values()].map((each) => {
      const facts = [
        each.isIndexed && 'indexed', each.deleteRule && `delete rule ${each.deleteRule}`,
        each.inverse && `inverse ${each.destination}.${each.inverse}`,
        each.cases.map(({ name, value }) => `${name} = ${value}`).join(', '),
      ].filter(Boolean).join(' · ');
      const insert = () => {
        this.where.setRangeText(pathOf(each), this.where.selectionStart, this.where.selectionEnd, 'end');
        this.where.focus();
      };
      const isList = each.kind === 'toMany';
      const type = each.destination ? [isList ? 'to many ' : 'to one ', entityLink(each.destination)] : [each.type];
      if (each.isOptional && !isList && !each.type.endsWith('?')) type.push(', optional');
      return make('tr', {},
        make('td', {}, button(each.name, insert, { class: 'link', title: 'Add to the filter' })), make('td', {}, type),
        make('td', {}, visible(facts)), make('td', { class: 'soft' }, visible(each.documentation)));
    });
    this.propertyList.lastChild.replaceChildren(
      make('p', {}, visible(this.entity.documentation)), make('table', { class: 'facts' }, make('tbody', {}, ...rows)));
  }

  /** Lists conditions for this entity. A click puts one into the filter. */
  showExamples() {
    if (!this.exampleList.open || !this.entity) return;
    const use = (condition) => {
      this.addCondition(condition);
      this.where.focus();
    };
    this.exampleList.lastChild.replaceChildren(make('ul', {}, ...examples(this.entity).map((each) =>
      make('li', {}, button(each, () => use(each), { class: 'link', title: 'Put into the filter' })))));
  }

  // MARK: The active cell

  /** Returns what has the focus for a cell: the cell, or in the header its button. */
  cell(row, column) {
    if (row < 0) return this.head.rows[0]?.cells[column]?.firstElementChild;
    const page = this.pageAt(row);
    if (page) this.fill(page);
    return page?.body.rows[row - page.start]?.cells[column];
  }

  activate(row, column, hasFocus = true) {
    this.table.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
    const cell = this.cell(row, column) ?? this.cell(-1, column);
    this.active = { row: this.cell(row, column) ? row : -1, column };
    cell?.setAttribute('tabindex', '0');
    if (hasFocus) cell?.focus({ preventScroll: true });
    if (hasFocus) cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (row > this.rowCount - 20) this.loadMore();
  }

  placeOf(target) {
    const cell = target.closest('td, th');
    const row = cell?.closest('tr');
    if (!row || row.classList.contains('spacer')) return undefined;
    return { row: Number(row.getAttribute('aria-rowindex')) - 2, column: cell.cellIndex };
  }

  /** Tells below the table what is to be known about the cell that gets the focus or is under the pointer. */
  point({ target, type }) {
    const { row, column } = this.placeOf(target) ?? {};
    if (row === undefined) return;
    const isNew = row !== this.active.row || column !== this.active.column;
    if (type === 'focusin' && isNew) this.activate(row, column, false);
    const { name, index, property } = this.columns[column];
    const title = property ? `${name}: ${property.type}` : name;
    this.note.textContent = [title, ...valueNotes(this.row(row)?.cells[index], property)].join(' · ');
  }

  click(event) {
    const place = this.placeOf(event.target);
    if (!place || place.row < 0 || event.target.closest('a') || getSelection().toString()) return;
    this.activate(place.row, place.column);
    this.open(place.row);
  }

  open(index) {
    const row = this.row(index);
    if (row) go({ of: this.classOf(row), row: row.key });
  }

  /** The row and the property of the active cell; undefined in the header. */
  get selection() {
    const row = this.row(this.active.row);
    return row && { row: { entity: this.classOf(row), key: row.key },
      property: this.columns[this.active.column]?.property?.name };
  }

  editCell({ target }) {
    const { row, column } = this.placeOf(target) ?? {};
    if (!canEdit() || !(row >= 0) || target.closest('a')) return;
    this.activate(row, column, false);
    const { row: selected, property } = this.selection;
    this.edit(selected, property);
  }

  focus() {
    this.cell(this.active.row, this.active.column)?.focus();
  }

  keyDown(event) {
    if (event.altKey || event.metaKey) return;
    const { row, column } = this.active;
    const lastRow = this.rowCount - 1;
    const lastColumn = this.columns.length - 1;
    const moves = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      PageUp: [Math.max(0, row - 20), column], PageDown: [Math.min(lastRow, row + 20), column],
      Home: event.ctrlKey ? [0, column] : [row, 0], End: event.ctrlKey ? [lastRow, column] : [row, lastColumn],
    };
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (row < 0 && event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      this.widths.change(column, event.key === 'ArrowLeft' ? -16 : 16);
    } else if (move) {
      const [toRow, toColumn] = move;
      if (toRow >= -1 && toRow <= lastRow && toColumn >= 0 && toColumn <= lastColumn) this.activate(toRow, toColumn);
    } else if (event.key === 'Enter' && row >= 0) {
      const link = event.shiftKey && this.cell(row, column).querySelector('a');
      if (link) link.click();
      else this.open(row);
    } else if (event.key === '=' && !event.ctrlKey) {
      this.filterByCell();
    } else {
      return;
    }
    event.preventDefault();
  }
}
