/// The page script. It contains no text from a schema.
enum PageScript {
  static let text = #"""
    (() => {
    'use strict';
    const svg = document.querySelector('svg.diagram');
    const root = document.documentElement;
    const theme = document.getElementById('theme');
    const themes = ['auto', 'light', 'dark'];
    const names = {auto: 'Theme: auto', light: 'Theme: light', dark: 'Theme: dark'};
    let chosenTheme = 'auto';
    // A page opened from a file may have no local storage.
    try { chosenTheme = localStorage.getItem('trellis-theme') || 'auto'; } catch (_) {}
    const showTheme = () => {
      if (chosenTheme === 'auto') root.removeAttribute('data-theme'); else root.setAttribute('data-theme', chosenTheme);
      theme.textContent = names[chosenTheme] || names.auto;
    };
    theme.addEventListener('click', () => {
      chosenTheme = themes[(themes.indexOf(chosenTheme) + 1) % themes.length];
      try { localStorage.setItem('trellis-theme', chosenTheme); } catch (_) {}
      showTheme();
    });
    showTheme();
    if (!svg) return;

    const whole = svg.getAttribute('viewBox').split(' ').map(Number);
    let view = {x: 0, y: 0, s: 1};  // left and top edges in page units, and page units per pixel
    const size = () => svg.getBoundingClientRect();
    const show = () => {
      const box = size();
      svg.setAttribute('viewBox', [view.x, view.y, box.width * view.s, box.height * view.s].join(' '));
      svg.classList.toggle('far', view.s > 2.4);
    };
    const fitTo = (x, y, w, h, most) => {
      const box = size();
      const s = Math.max(w / Math.max(box.width, 1), h / Math.max(box.height, 1), most);
      view = {s, x: x + w / 2 - box.width * s / 2, y: y + h / 2 - box.height * s / 2};
      show();
    };
    const fit = () => fitTo(0, 0, whole[2], whole[3], 0.8);
    const zoom = (factor, px, py) => {
      const box = size();
      const cx = px === undefined ? box.width / 2 : px - box.left;
      const cy = py === undefined ? box.height / 2 : py - box.top;
      const s = Math.min(Math.max(view.s / factor, 0.15), Math.max(40, whole[2] / 100));
      view = {s, x: view.x + cx * (view.s - s), y: view.y + cy * (view.s - s)};
      show();
    };
    const pan = (dx, dy) => { view.x += dx * view.s; view.y += dy * view.s; show(); };

    // Condense names that are too wide in the browser's font.
    for (const text of svg.querySelectorAll('text[data-w]')) {
      const room = Number(text.getAttribute('data-w')) + 2;
      try {
        if (text.getComputedTextLength() > room) {
          text.setAttribute('textLength', room);
          text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
        }
      } catch (_) {}
    }

    const cards = [...svg.querySelectorAll('.card')];
    const edges = [...svg.querySelectorAll('.edge')];
    const byId = new Map(cards.map((card) => [card.id.slice(1), card]));
    const neighbours = (card) => new Set((card.dataset.n || '').split(' ').filter(Boolean));
    let chosen = null;
    let hits = [];
    let current = -1;

    const paint = () => {
      const near = chosen ? neighbours(chosen) : null;
      const id = chosen ? chosen.id.slice(1) : '';
      const isSearching = search.value.trim() !== '';
      const here = hits[current];
      for (const card of cards) {
        const own = card.id.slice(1);
        const isAway = chosen ? card !== chosen && !near.has(own) : isSearching && !card.querySelector('.hit') && !card.classList.contains('hit');
        card.classList.toggle('away', isAway);
        card.classList.toggle('chosen', card === chosen);
        card.classList.toggle('current', Boolean(here && (here === card || here.parentNode === card)));
      }
      for (const edge of edges) {
        const touches = chosen && (edge.dataset.a === id || edge.dataset.b === id);
        const isHidden = chosen ? !touches : isSearching
          && byId.get(edge.dataset.a).classList.contains('away') && byId.get(edge.dataset.b).classList.contains('away');
        edge.classList.toggle('away', Boolean(isHidden));
        edge.classList.toggle('near', Boolean(touches));
      }
    };
    const choose = (card) => { chosen = chosen === card ? null : card; paint(); };

    const search = document.getElementById('search');
    const found = document.getElementById('found');
    const look = () => {
      const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
      hits = [];
      current = -1;
      chosen = null;
      for (const card of cards) {
        for (const part of [card, ...card.querySelectorAll('.row')]) {
          const text = part.dataset.q || '';
          const isHit = words.length > 0 && words.every((word) => text.includes(word));
          part.classList.toggle('hit', isHit);
          if (isHit) hits.push(part);
        }
      }
      found.textContent = words.length === 0 ? '' : hits.length === 0 ? 'not found' : hits.length + ' found';
      paint();
    };
    const boxOf = (card) => {
      const place = card.transform.baseVal.consolidate().matrix;
      const box = card.querySelector('.box');
      return {x: place.e, y: place.f, w: box.width.baseVal.value, h: box.height.baseVal.value};
    };
    const showCard = (card, zoomIn) => {
      const box = boxOf(card);
      const pad = 60;
      const page = size();
      const inside = box.x > view.x && box.y > view.y && box.x + box.w < view.x + page.width * view.s
        && box.y + box.h < view.y + page.height * view.s;
      if (zoomIn && view.s > 1.4) return fitTo(box.x - pad, box.y - pad, box.w + 2 * pad, box.h + 2 * pad, 1);
      if (inside) return;
      view.x = box.x + box.w / 2 - page.width * view.s / 2;
      view.y = box.y + box.h / 2 - page.height * view.s / 2;
      show();
    };
    const next = (step) => {
      if (hits.length === 0) return;
      current = current < 0 && step < 0 ? hits.length - 1 : (current + step + hits.length) % hits.length;
      const part = hits[current];
      showCard(part.classList.contains('card') ? part : part.parentNode, true);
      found.textContent = (current + 1) + ' of ' + hits.length;
      paint();
    };
    search.addEventListener('input', look);
    search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') { next(event.shiftKey ? -1 : 1); event.preventDefault(); }
      if (event.key === 'Escape') { search.value = ''; look(); search.blur(); event.stopPropagation(); }
    });

    const pointers = new Map();
    let moved = 0;
    let pressed = null;
    svg.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
      if (pointers.size === 1) { moved = 0; pressed = event.target.closest('.card'); }
    });
    addEventListener('pointermove', (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      const here = {x: event.clientX, y: event.clientY};
      moved += Math.abs(here.x - last.x) + Math.abs(here.y - last.y);
      if (pointers.size === 1) {
        pan(last.x - here.x, last.y - here.y);
      } else {
        const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
        const before = Math.hypot(last.x - other.x, last.y - other.y);
        const after = Math.hypot(here.x - other.x, here.y - other.y);
        pan((last.x - here.x) / 2, (last.y - here.y) / 2);
        if (before > 0) zoom(after / before, (here.x + other.x) / 2, (here.y + other.y) / 2);
      }
      pointers.set(event.pointerId, here);
      svg.classList.toggle('moving', moved > 4);
    });
    const release = (event) => {
      if (!pointers.delete(event.pointerId)) return;
      svg.classList.remove('moving');
      if (event.type !== 'pointerup' || moved > 4 || pointers.size > 0) return;
      if (pressed) choose(pressed); else if (chosen) choose(chosen);
    };
    addEventListener('pointerup', release);
    addEventListener('pointercancel', release);
    svg.addEventListener('wheel', (event) => {
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      // Scrolling with two fingers pans; a mouse wheel or a pinch zooms.
      if (event.ctrlKey || event.metaKey || (event.deltaX === 0 && Math.abs(event.deltaY * unit) >= 50)) {
        zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0016)), event.clientX, event.clientY);
      } else {
        pan(event.deltaX * unit, event.deltaY * unit);
      }
    }, {passive: false});

    addEventListener('keydown', (event) => {
      if (event.target === search || event.ctrlKey || event.metaKey || event.altKey) return;
      const card = event.target.closest && event.target.closest('.card');
      if (card && (event.key === 'Enter' || event.key === ' ')) { choose(card); event.preventDefault(); return; }
      const step = 60;
      const keys = {
        '+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(0.8), '0': fit, '/': () => search.focus(),
        ArrowLeft: () => pan(-step, 0), ArrowRight: () => pan(step, 0), ArrowUp: () => pan(0, -step),
        ArrowDown: () => pan(0, step), Escape: () => { chosen = null; paint(); },
      };
      if (event.key in keys) { keys[event.key](); event.preventDefault(); }
    });
    svg.addEventListener('focusin', (event) => {
      const card = event.target.closest('.card');
      if (card && card.matches(':focus-visible')) showCard(card, false);
    });
    document.getElementById('in').addEventListener('click', () => zoom(1.25));
    document.getElementById('out').addEventListener('click', () => zoom(0.8));
    document.getElementById('fit').addEventListener('click', fit);
    addEventListener('beforeprint', () => svg.setAttribute('viewBox', whole.join(' ')));
    addEventListener('afterprint', show);
    let width = 0;
    new ResizeObserver(() => {
      const box = size();
      if (width === 0) fit(); else show();
      width = box.width;
    }).observe(svg);
    fit();
    })();
    """#
}
