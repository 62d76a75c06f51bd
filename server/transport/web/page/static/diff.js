// Shows changes that the page has left out, without leaving the page. Without this file, links show them alone.
"use strict";

async function load(link) {
  const section = link.closest("section");
  try {
    const answer = await fetch(link.href, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = answer.ok && page.getElementById(section.id);
    if (!next) throw new Error("the answer does not have the file");
    document.adoptNode(next);
    if ("load" in link.dataset) {
      section.replaceWith(next);
      next.querySelector(".lines")?.focus();
      return;
    }
    section.querySelector(".lines").append(...next.querySelector(".lines").children);
    const further = next.querySelector("a[data-more]");
    if (further) link.replaceWith(further);
    else link.parentNode.remove();
  } catch {
    location.href = link.href;
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-load], a[data-more]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  load(link);
});

// choose fills in the form for a comment with the line whose number was clicked, and moves the form below the line.
function choose(form, number) {
  const lines = number.closest(".lines"), files = form.elements.file, path = lines.dataset.file;
  if (!number.textContent) return;
  if (![...files.options].some((option) => option.value === path)) files.add(new Option(path, path));
  files.value = path;
  form.elements.line.value = number.textContent;
  form.elements.side.value = number.previousElementSibling ? "new" : "old";
  number.parentElement.after(form);
  form.elements.body.focus();
}

document.addEventListener("click", (event) => {
  const form = document.getElementById("line-comment");
  if (form && event.target.matches(".diff .lines > div > i")) choose(form, event.target);
});
