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

  // In the calendar the arrows go from night to night.
  const ways = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  document.addEventListener("keydown", (e) => {
    const cell = e.target.closest(".grid td");
    const ends = cell && { Home: [0, 1 - cell.cellIndex], End: [0, cell.parentElement.cells.length - 1 - cell.cellIndex] };
    const way = ways[e.key] ?? ends?.[e.key];
    if (!cell || !way || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
    const row = cell.closest("table").rows[cell.parentElement.rowIndex + way[0]];
    const next = row?.cells[cell.cellIndex + way[1]]?.querySelector("a");
    if (next) { e.preventDefault(); next.focus(); }
  });

  // Whoever draws over nights of the calendar is asked what is to change of them.
  const grid = document.querySelector(".grid[data-change]");
  if (grid) {
    let from = null, to = null; // cells, between which somebody draws
    const place = (cell) => [cell.parentElement.rowIndex, cell.cellIndex];
    const chosen = () => {
      const [a, b] = [place(from), place(to)];
      const rows = [...grid.rows].slice(Math.min(a[0], b[0]), Math.max(a[0], b[0]) + 1);
      return rows.map((row) => [...row.cells].slice(Math.min(a[1], b[1]), Math.max(a[1], b[1]) + 1));
    };
    const show = () => {
      grid.querySelectorAll(".chosen").forEach((cell) => cell.classList.remove("chosen"));
      if (from && from !== to) chosen().flat().forEach((cell) => cell.classList.add("chosen"));
      grid.classList.toggle("choosing", from !== null && from !== to);
    };
    const done = () => {
      if (!from) return;
      from = to = null;
      show();
      grid.classList.remove("drawing");
      soon();
    };
    grid.addEventListener("dragstart", (e) => e.preventDefault());
    grid.addEventListener("pointerdown", (e) => {
      if (e.pointerType !== "mouse" || e.button !== 0) return;
      from = to = e.target.closest("td");
      grid.classList.toggle("drawing", from !== null);
    });
    grid.addEventListener("pointerover", (e) => {
      const cell = e.target.closest("td");
      if (from && !(e.buttons & 1)) done(); // let go outside of the window
      if (from && cell) { to = cell; show(); }
    });
    addEventListener("pointercancel", done);
    addEventListener("pointerup", () => {
      if (from === to) { done(); return; }
      const asked = new URL(grid.dataset.change, location.href);
      const links = chosen().map((row) => row.map((cell) => new URL(cell.querySelector("a").href)));
      const night = (link) => link.pathname.split("/").pop();
      asked.searchParams.set("from", night(links[0][0]));
      asked.searchParams.set("to", night(links[0].at(-1)));
      for (const [cell] of chosen()) asked.searchParams.append("line", cell.parentElement.id);
      location.assign(asked);
      from = to = null; // and the page stays as it is until it is left
    });
  }

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
