// The widths of a table's columns: as the values need them, or as the user chooses.

import { make } from './basics.js';

/** Columns are wider than this only in space that would be free. */
const usualLimit = 352;

export class ColumnWidths {
  /** The widths that the user has chosen, by entity and column. */
  #chosen = new Map();
  /** The widths that the values need. */
  #needed = [];
  #names = [];
  #elements = make('colgroup');
  /** The width of the view that the columns were fitted to. */
  #fitted = 0;

  constructor(table, scroller) {
    Object.assign(this, { table, scroller });
    table.prepend(this.#elements);
    // The columns use new space. If the view becomes narrower, they stay in place.
    new ResizeObserver(() => {
      if (scroller.clientWidth > this.#fitted) this.#needed.length > 0 ? this.#fit() : this.measure();
    }).observe(scroller);
  }

  /** Prepares for other columns. */
  reset(entity, names) {
    if (!this.#chosen.has(entity)) this.#chosen.set(entity, new Map());
    this.chosen = this.#chosen.get(entity);
    this.#names = names;
    this.#needed = [];
    this.#fitted = 0;
    this.#release();
  }

  #release() {
    this.table.classList.remove('fixed');
    this.table.style.width = '';
    this.#elements.replaceChildren();
  }

  /** Makes room for values that need more. Once the user has chosen a width, all columns stay as they are. */
  measure() {
    const [head] = this.table.tHead.rows;
    const isSettled = this.#needed.length > 0 && this.chosen.size > 0;
    if (isSettled || !head || this.scroller.clientWidth === 0) return;
    const { scrollLeft } = this.scroller;
    this.#release();
    this.#needed = [...head.cells].map((cell, index) =>
      Math.max(Math.ceil(cell.getBoundingClientRect().width), this.#needed[index] ?? 0));
    this.#fit();
    this.scroller.scrollLeft = scrollLeft;
  }

  /** Sets the widths. Free space is for values that would be cut, in the last columns first. */
  #fit() {
    const chosen = this.#names.map((name) => this.chosen.get(name));
    const widths = this.#needed.map((width, index) => chosen[index] ?? Math.min(width, usualLimit));
    this.#fitted = this.scroller.clientWidth;
    let free = this.#fitted - widths.reduce((sum, width) => sum + width, 0);
    for (let index = widths.length - 1; index >= 0 && free > 0; index -= 1) {
      const more = chosen[index] === undefined ? Math.min(free, this.#needed[index] - widths[index]) : 0;
      widths[index] += more;
      free -= more;
    }
    this.#elements.replaceChildren(...widths.map(() => make('col')));
    widths.forEach((width, index) => this.#set(index, width));
    this.table.classList.add('fixed');
  }

  #set(index, width) {
    const columns = [...this.#elements.children];
    columns[index].style.width = `${width}px`;
    this.table.style.width = `${columns.reduce((sum, { style }) => sum + (parseFloat(style.width) || 0), 0)}px`;
  }

  /** Changes a column's width for as long as the page is open. */
  change(index, difference, from = this.#width(index)) {
    const width = Math.max(40, Math.round(from + difference));
    this.chosen.set(this.#names[index], width);
    this.#set(index, width);
  }

  #width(index) {
    return this.table.tHead.rows[0].cells[index].getBoundingClientRect().width;
  }

  /** Changes a column's width while the edge of its title is dragged. */
  resize(event) {
    const { target: grip, pointerId, clientX } = event;
    const index = grip.parentElement.cellIndex;
    const width = this.#width(index);
    event.preventDefault();
    grip.setPointerCapture(pointerId);
    grip.onpointermove = (move) => this.change(index, move.clientX - clientX, width);
    grip.onlostpointercapture = () => { grip.onpointermove = null; };
  }
}
