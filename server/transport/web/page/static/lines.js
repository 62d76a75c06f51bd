// Links to lines of a long file, which has several pages: #L1234 opens the page that has the line. #L3-7 marks several lines.
"use strict";

function show() {
  const code = document.getElementById("code");
  const wanted = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash);
  for (const line of document.querySelectorAll(".code .on")) line.classList.remove("on");
  if (!code || !wanted) return;
  const first = Number(wanted[1]), last = Math.min(Number(wanted[2] || first), first + 5000);
  const starts = code.dataset.starts.split(" ").map(Number);
  let page = 0;
  while (page + 1 < starts.length && starts[page + 1] <= first) page++;
  if (!document.getElementById("L" + first) && first >= 1) {
    const address = new URL(location.href);
    if (address.searchParams.get("page") === String(page + 1)) return;
    address.searchParams.set("page", page + 1);
    location.replace(address);
    return;
  }
  for (let n = first; n <= last; n++) document.getElementById("L" + n)?.classList.add("on");
  document.getElementById("L" + first)?.scrollIntoView({ block: "center" });
}

show();
addEventListener("hashchange", show);
