// What every page gains with scripts: local and relative times, copy and print buttons, and keyboard shortcuts. Pages work without it.
"use strict";

const steps = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60]];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

// showTime turns a time into the time zone of the reader, or into the time that has passed.
function showTime(element) {
  const at = new Date(element.dateTime);
  if (isNaN(at)) return;
  element.title = local.format(at);
  if (!("ago" in element.dataset)) {
    element.textContent = local.format(at);
    return;
  }
  const passed = (Date.now() - at) / 1000;
  const step = steps.find(([, seconds]) => Math.abs(passed) >= seconds);
  element.textContent = step ? relative.format(-Math.round(passed / step[1]), step[0]) : "just now";
}

// copy copies the text of a field. Pages without https have no clipboard of their own.
async function copy(button) {
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy");
  }
  button.textContent = "Copied";
}

// press follows a keyboard shortcut of one key, or of two keys after each other: the element with that data-key gets the focus,
// or its link is opened.
let before = "", at = 0;
function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const both = event.timeStamp - at < 1500 ? before + " " + event.key : "";
  before = event.key;
  at = event.timeStamp;
  const find = (key) => document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const target = (both && find(both)) || find(event.key);
  if (!target) return;
  event.preventDefault();
  if (target.tagName === "A") target.click();
  else target.focus();
}

for (const element of document.querySelectorAll("main time[datetime]")) showTime(element);
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
for (const button of document.querySelectorAll("button[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
for (const tab of document.querySelectorAll(".tabs [aria-current]")) { // on a phone, tabs stand in a row that scrolls
  const row = tab.closest("ul");
  row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}
document.addEventListener("keydown", press);
