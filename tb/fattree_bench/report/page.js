"use strict";

// Copy: the text before the button.  Without a clipboard it is at least selected, ready for Ctrl+C.
function selectText(node) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const selection = window.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

async function copyText(node) {
  try {
    await navigator.clipboard.writeText(node.textContent);
    return true;
  } catch {
    selectText(node);
    return document.execCommand("copy");
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button.copy");
  if (!button) return;
  const copied = await copyText(button.previousElementSibling);
  button.textContent = copied ? "Copied" : "Selected: press Ctrl+C";
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
});

// A link to something folded away unfolds it; on paper nothing is folded but the long lists.
function unfold() {
  let node = location.hash && document.getElementById(location.hash.slice(1));
  if (!node) return;
  for (let up = node; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
  node.scrollIntoView();
}
window.addEventListener("hashchange", unfold);
unfold();
window.addEventListener("beforeprint", () => {
  document.querySelectorAll("details:not(.long)").forEach((details) => { details.open = true; });
});
