// Shows the entries that hold all typed words, and sorts a list in the report's order.
{
  const lists = [...document.querySelectorAll(".filtered")];
  const search = document.getElementById("words");
  if (search && lists.length > 0) {
    document.querySelector(".with-script").hidden = false;
    const entries = lists.flatMap((list) => [...list.querySelectorAll("li[id], tbody > tr:not(:has(.group))")]);
    const texts = new Map();
    const show = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const entry of entries) {
        if (words.length > 0 && !texts.has(entry)) texts.set(entry, entry.textContent.toLowerCase());
        entry.hidden = words.some((word) => !texts.get(entry).includes(word));
      }
    };
    search.addEventListener("input", show);
    show();
    document.getElementById("by-number")?.addEventListener("change", ({ target }) => {
      const number = (entry) => Number(entry.dataset.number ?? Infinity);
      const own = entries.filter((entry) => entry.parentNode === lists[0]);
      lists[0].append(...(target.checked ? own.toSorted((a, b) => number(a) - number(b)) : own));
    });
  }
}

// Says that monitoring has stopped if a page is read too late.
{
  const time = (where) => Date.parse(document.querySelector(`${where} time`)?.dateTime ?? "");
  const late = time("[data-stale]");
  const seen = document.querySelector("[data-last-check]") ? time("[data-last-check]") : time("[data-written]");
  const notice = document.getElementById("stopped");
  const now = Date.now();
  if (notice && now > late) {
    const days = Math.floor((now - seen) / 86_400_000);
    const age = notice.querySelector("[data-age]");
    if (age && days >= 0) age.textContent = days === 1 ? "1 day" : `${days} days`;
    notice.hidden = false;
  }
}
