// The table of all tests: a row stays if it holds every word and fits every choice; a column's
// title sorts by it, a second time the other way.
const table = document.querySelector("#all-tests");
if (table) {
  const body = table.tBodies[0], rows = [...body.rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const words = document.querySelector("#filter"), shown = document.querySelector("#shown");
  const choices = [...document.querySelectorAll("select[data-column]")];
  const cell = (row, column) => row.cells[column].textContent.trim();

  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, i) => {
      row.hidden = !wanted.every((word) => texts[i].includes(word))
        || choices.some((one) => one.value && cell(row, one.dataset.column) !== one.value);
      count += !row.hidden;
    });
    shown.textContent = `${count} of ${rows.length} shown`;
  };

  // Numbers by size, whatever they look like (data-key); other cells by their text.
  const key = (row, column) => row.cells[column].dataset.key ?? cell(row, column);
  const compared = (one, other) => (Number(one) - Number(other)
    || String(one).localeCompare(String(other), "en", { numeric: true }));
  const sort = (head) => {
    const way = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    const column = head.cellIndex;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
    const keys = new Map(rows.map((row) => [row, key(row, column)]));
    body.append(...[...rows].sort((a, b) => way * compared(keys.get(a), keys.get(b))));
  };

  for (const one of choices) {
    const known = new Set(rows.map((row) => cell(row, one.dataset.column)));
    for (const value of [...known].sort()) one.add(new Option(value, value));
    one.hidden = known.size < 2;
    one.addEventListener("change", apply);
  }
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(head));
    head.append(button);
  }
  words.addEventListener("input", apply);
  words.closest(".filter").hidden = false;
  apply();
}
