// Keeps a page up to date: told by the server that something happened, it asks for
// itself again and puts in the place of each [data-fresh] piece what that is now.
"use strict";
(() => {
  const live = document.body.dataset.live;
  const offline = document.querySelector(".offline");
  let asked = false, busy = false, timer = 0;

  // A piece in which somebody is typing, has typed or has opened something is left alone, or
  // is just pressing something, and so is one to decide in while the mouse is on a button of it.
  const typed = (field) => {
    if (field.matches("select")) {
      const options = [...field.options];
      return options.some((o) => o.defaultSelected) ? options.some((o) => o.selected !== o.defaultSelected) : field.selectedIndex > 0;
    }
    return field.matches("[type=checkbox], [type=radio]") ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  };
  const details = (piece) => [...piece.querySelectorAll("details")];
  const inUse = (piece, now) => {
    const at = document.activeElement;
    const shut = details(now);
    return (at && piece.contains(at) && at.matches("input, select, textarea"))
      || piece.matches("details[open]") || details(piece).some((d, i) => d.open && !shut[i]?.open)
      || [...piece.querySelectorAll("input, select, textarea")].some(typed)
      || piece.querySelector(":active") !== null || (piece.matches("[data-steady]") && piece.querySelector("button:hover") !== null);
  };

  // What has the focus has it afterwards, where it is still there.
  const stops = (piece) => [...piece.querySelectorAll("a, button, summary")];
  const same = (a, b) => a.tagName === b.tagName && a.href === b.href && a.form?.action === b.form?.action && a.name === b.name && a.value === b.value && (a.href !== undefined || a.textContent === b.textContent);

  const put = (piece, now) => {
    if (piece.innerHTML === now.innerHTML || inUse(piece, now)) return;
    const at = document.activeElement;
    const alike = at && piece.contains(at) ? stops(piece).filter((e) => same(e, at)) : [];
    piece.innerHTML = now.innerHTML;
    if (alike.length) stops(piece).filter((e) => same(e, at))[alike.indexOf(at)]?.focus({ preventScroll: true });
  };

  // What somebody draws over stays as it is until that is done.
  const drawing = () => document.querySelector(".drawing") !== null;

  const lines = (page) => [...page.querySelectorAll(".grid tr[id]")].map((row) => row.id).join();

  const refresh = async () => {
    if (busy) { asked = true; return; }
    busy = true;
    asked = false;
    try {
      const url = new URL(location.href);
      url.searchParams.delete("done");
      const answer = await fetch(url, { headers: { Accept: "text/html" }, redirect: "manual" });
      if (answer.status === 401) { location.reload(); return; }
      const now = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.ok && !drawing()) {
        if (lines(now) !== lines(document)) { location.reload(); return; }
        for (const piece of document.querySelectorAll("[data-fresh]")) {
          const other = now.getElementById(piece.id);
          if (other) put(piece, other);
        }
        rove();
        document.documentElement.dataset.refreshed = String(Number(document.documentElement.dataset.refreshed || 0) + 1);
      }
    } catch { /* the stream tells when the server is there again */ }
    busy = false;
    if (asked) soon();
  };

  const soon = () => { clearTimeout(timer); timer = setTimeout(refresh, 250); };

  if (live && document.querySelector("[data-fresh]")) {
    const stream = new EventSource(live);
    stream.addEventListener("open", () => { offline.hidden = true; soon(); });
    stream.addEventListener("changed", soon);
    stream.addEventListener("error", () => { offline.hidden = false; });
    addEventListener("pagehide", () => stream.close());
    addEventListener("pageshow", (e) => { if (e.persisted) location.reload(); });
    setInterval(soon, 30000); // how old a thing is changes without anything happening
  }

  // The calendar is one stop of the tab key: the night that was looked at last.
  let stop = "";
  const rove = () => {
    const links = [...document.querySelectorAll(".grid td a")];
    const at = links.find((a) => a.href === stop) ?? links[0];
    for (const a of links) a.tabIndex = a === at ? 0 : -1;
  };
  document.addEventListener("focusin", (e) => {
    const link = e.target.closest(".grid td a");
    if (link) { stop = link.href; rove(); }
  });
  rove();

  // Whoever chooses nights of the calendar, by the mouse or by the keys, is asked what is to
  // change of them.
  const choosing = (grid) => {
    let from = null, to = null; // cells, between which nights are chosen
    let drawn = false; // the mouse draws, and it is not the keys that choose
    const place = (cell) => [cell.parentElement.rowIndex, cell.cellIndex];
    const rows = () => {
      const [a, b] = [place(from), place(to)];
      return [...grid.rows].slice(Math.min(a[0], b[0]), Math.max(a[0], b[0]) + 1)
        .map((row) => [...row.cells].slice(Math.min(a[1], b[1]), Math.max(a[1], b[1]) + 1));
    };
    const several = () => from !== null && from !== to;
    const show = () => {
      grid.querySelectorAll(".chosen").forEach((cell) => cell.classList.remove("chosen"));
      if (several()) rows().flat().forEach((cell) => cell.classList.add("chosen"));
      grid.classList.toggle("choosing", several());
      grid.classList.toggle("drawing", from !== null);
    };
    const done = () => {
      if (!from) return;
      from = to = null;
      drawn = false;
      show();
      soon();
    };
    const go = () => {
      const asked = new URL(grid.dataset.change, location.href);
      const nights = rows()[0].map((cell) => new URL(cell.querySelector("a").href).pathname.split("/").pop());
      asked.searchParams.set("from", nights[0]);
      asked.searchParams.set("to", nights.at(-1));
      for (const [cell] of rows()) asked.searchParams.append("line", cell.parentElement.id);
      location.assign(asked);
      from = to = null; // and the page stays as it is until it is left
    };

    grid.addEventListener("dragstart", (e) => e.preventDefault());
    grid.addEventListener("pointerdown", (e) => {
      if (e.pointerType !== "mouse" || e.button !== 0) return;
      done();
      from = to = e.target.closest("td");
      drawn = from !== null;
      show();
    });
    grid.addEventListener("pointerover", (e) => {
      const cell = e.target.closest("td");
      if (drawn && !(e.buttons & 1)) done(); // let go outside of the window
      if (drawn && cell) { to = cell; show(); }
    });
    addEventListener("pointercancel", () => { if (drawn) done(); });
    addEventListener("pointerup", () => {
      if (!drawn) return;
      if (several()) go(); else done();
    });

    // By the keys: from the night that has the focus to the one that it comes to. What is
    // chosen is said, and let go when the focus leaves.
    const said = document.getElementById("chosen");
    const name = (head) => [...head.childNodes].map((part) => part.textContent.trim()).filter(Boolean).join(" ");
    const say = () => {
      const [first, last] = [rows()[0][0], rows()[0].at(-1)].map((cell) => name(grid.rows[0].cells[cell.cellIndex]));
      const words = [rows()[0].length, first, last, rows().map(([cell]) => name(cell.parentElement.cells[0])).join(", ")];
      said.textContent = several() ? words.reduce((text, word, at) => text.replace(`{${at}}`, () => word), said.dataset.words) : "";
    };
    grid.addEventListener("focusout", (e) => {
      if (from && !drawn && !grid.contains(e.relatedTarget)) { said.textContent = ""; done(); }
    });
    return {
      extend: (cell, next) => { from ??= cell; to = next; show(); say(); },
      several,
      go,
      done: () => { if (from && !drawn) { said.textContent = ""; done(); } },
    };
  };
  const grid = document.querySelector(".grid[data-change]");
  const choice = grid && choosing(grid);

  // In the calendar the arrows go from night to night, and with the shift key choose nights.
  const ways = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  document.addEventListener("keydown", (e) => {
    const cell = e.target.closest(".grid td");
    if (!cell || e.altKey || e.ctrlKey || e.metaKey) return;
    if (choice?.several() && (e.key === "Enter" || e.key === "Escape")) {
      e.preventDefault();
      if (e.key === "Enter") choice.go(); else choice.done();
      return;
    }
    const ends = { Home: [0, 1 - cell.cellIndex], End: [0, cell.parentElement.cells.length - 1 - cell.cellIndex] };
    const way = ways[e.key] ?? ends[e.key];
    if (!way || (e.shiftKey && !choice)) return;
    const row = cell.closest("table").rows[cell.parentElement.rowIndex + way[0]];
    const next = row?.cells[cell.cellIndex + way[1]];
    const link = next?.querySelector("a");
    if (!link) return;
    e.preventDefault();
    link.focus();
    if (e.shiftKey) choice.extend(cell, next); else choice?.done();
  });

  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }

  // Whoever leaves the menu closes it.
  const menu = document.querySelector(".me");
  if (menu) {
    document.addEventListener("click", (e) => { if (!menu.contains(e.target)) menu.open = false; });
    document.addEventListener("keydown", (e) => { if (e.key === "Escape" && menu.open) { menu.open = false; menu.querySelector("summary").focus(); } });
  }
})();
