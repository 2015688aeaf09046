"use strict";
(() => {
  const root = document.documentElement;
  const chunks = [...document.querySelectorAll(".chunk")];
  const bars = [...document.querySelectorAll(".c-chart a")];
  const search = document.getElementById("search");
  const status = document.getElementById("status");
  const theme = document.getElementById("theme");
  const header = document.querySelector("header");
  const views = [...document.querySelectorAll("input[name=view]")];
  const singleKeys = document.getElementById("single-keys");
  const keys = document.querySelector(".keys");
  const searched = (chunk) => [...chunk.querySelectorAll("h2, .notes li, .text, .rendered")];
  const lower = (text) => text.toLowerCase().replace(/\s+/g, " ");
  let texts = null;
  let current = null;

  const store = {
    get(name) { try { return localStorage.getItem("mdchunk-" + name); } catch { return null; } },
    set(name, value) { try { localStorage.setItem("mdchunk-" + name, value); } catch { /* private window, file */ } },
  };

  // The header covers what is scrolled to: tell the style how much.
  const measure = () => {
    const covers = getComputedStyle(header).position === "sticky" ? header.offsetHeight : 0;
    root.style.setProperty("--head", covers + 12 + "px");
  };
  new ResizeObserver(measure).observe(header);

  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const setTheme = (name) => {
    if (name === "dark" || name === "light") root.dataset.theme = name;
    theme.setAttribute("aria-pressed", String(isDark()));
  };
  const toggleTheme = () => {
    setTheme(isDark() ? "light" : "dark");
    store.set("theme", root.dataset.theme);
  };

  const setView = (name) => {
    const kept = current && current.getBoundingClientRect().top;
    root.dataset.view = name;
    for (const input of views) input.checked = input.value === name;
    if (current) scrollBy(0, current.getBoundingClientRect().top - kept);
  };

  const mark = (chunk) => {
    if (current === chunk) return;
    current = chunk;
    const href = "#" + chunk.id;
    for (const bar of bars) bar.classList.toggle("here", bar.getAttribute("href") === href);
  };
  const go = (chunk) => {
    if (!chunk) return;
    mark(chunk);
    chunk.focus({ preventScroll: true });
    chunk.scrollIntoView({ block: "start" });
    // What was not laid out before has its true height only now.
    requestAnimationFrame(() => chunk.scrollIntoView({ block: "start" }));
  };
  const shown = () => chunks.filter((chunk) => !chunk.hidden);
  const firstInView = (list) => {
    const edge = parseFloat(root.style.getPropertyValue("--head")) || 0;
    return list.findIndex((chunk) => chunk.getBoundingClientRect().bottom > edge + 4);
  };
  const step = (by) => {
    const list = shown();
    const focused = list.indexOf(document.activeElement.closest(".chunk"));
    const at = focused >= 0 ? focused : firstInView(list) - (by > 0 ? 1 : 0);
    go(list[Math.max(0, Math.min(list.length - 1, at + by))]);
  };

  const highlight = (wanted) => {
    if (!globalThis.CSS || !CSS.highlights) return;
    CSS.highlights.delete("found");
    if (!wanted) return;
    const ranges = [];
    for (const part of shown().flatMap(searched)) {
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() && ranges.length < 5000) {
        const node = walker.currentNode;
        const text = node.data.toLowerCase();
        if (text.length !== node.data.length) continue; // letters whose lower case is longer
        for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + wanted.length);
          ranges.push(range);
        }
      }
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  };
  const find = () => {
    const wanted = lower(search.value).trim();
    texts ||= chunks.map((chunk) => lower(searched(chunk).map((part) => part.textContent).join(" ")));
    let count = 0;
    chunks.forEach((chunk, index) => {
      const is = !wanted || texts[index].includes(wanted);
      chunk.hidden = !is;
      bars[index].classList.toggle("out", !is);
      count += is;
    });
    for (const gap of document.querySelectorAll(".gap")) gap.hidden = Boolean(wanted);
    const noun = count === 1 ? " chunk" : " chunks";
    status.textContent = wanted ? (count ? count + " of " + chunks.length + noun + " shown" : "No chunk has this text") : "";
    highlight(wanted);
  };
  const clear = () => {
    search.value = "";
    find();
  };
  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(find, chunks.length > 300 ? 120 : 0);
  });
  search.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") {
      clearTimeout(waiting);
      find();
      go(shown()[0]);
    } else if (event.key === "Escape") {
      if (search.value) clear();
      else search.blur();
    } else return;
    event.preventDefault();
  });

  const actions = {
    j: () => step(1),
    k: () => step(-1),
    g: () => go(shown()[0]),
    G: () => go(shown().at(-1)),
    "/": () => { search.focus(); search.select(); },
    v: () => setView(views[(views.findIndex((input) => input.checked) + 1) % views.length].value),
    t: toggleTheme,
  };
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && keys.open) { keys.open = false; return; }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (event.target.closest("input[type=search]") || !singleKeys.checked) return;
    if (event.key === "Escape" && search.value) clear();
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (action) {
      event.preventDefault();
      action();
    }
  });

  for (const input of views) input.addEventListener("change", () => setView(input.value));
  theme.addEventListener("click", toggleTheme);
  singleKeys.addEventListener("change", () => store.set("keys", singleKeys.checked ? "on" : "off"));
  addEventListener("click", (event) => {
    if (!event.target.closest(".keys")) keys.open = false;
    const link = event.target.closest('a[href^="#"]');
    const target = link && !link.closest(".rendered") && document.getElementById(link.getAttribute("href").slice(1));
    if (!target || !main.contains(target)) return;
    event.preventDefault();
    if (target.closest("[hidden]")) clear();
    const chunk = target.closest(".chunk");
    if (chunk && chunk !== target) {
      mark(chunk);
      target.focus({ preventScroll: true });
      chunk.scrollIntoView({ block: "start" });
      requestAnimationFrame(() => target.scrollIntoView({ block: "start" }));
    } else if (chunk) go(chunk);
    else target.focus();
    history.replaceState(null, "", link.getAttribute("href"));
  });
  const main = document.querySelector("main");

  // Which chunk is read: its bar is marked while the page is scrolled.
  let drawing = false;
  addEventListener("scroll", () => {
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      const list = shown();
      const at = firstInView(list);
      if (at >= 0) mark(list[at]);
    });
  }, { passive: true });
  addEventListener("beforeprint", () => { for (const gap of document.querySelectorAll(".gap")) gap.open = true; });

  document.querySelector(".controls").hidden = false;
  measure();
  setTheme(store.get("theme"));
  singleKeys.checked = store.get("keys") !== "off";
  if (!("other" in root.dataset) && innerWidth < 768) setView("source");
  const start = /^#c\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
  if (start) go(start);
  else if (chunks.length) mark(chunks[0]);
})();
