"use strict";
// A page that shows something which is not done yet: the log of a job grows, a pipeline is drawn anew.
(function () {
  var log = document.getElementById("log");
  if (log && log.dataset.from !== undefined && window.EventSource) followLog(log);
  var live = document.getElementById("live");
  if (live && live.dataset.refresh) refresh(live);

  function followLog(log) {
    var follow = document.getElementById("follow");
    var way = [log];
    log.querySelectorAll("details[data-going]").forEach(function (section) { way.push(section); });
    var source = new EventSource(location.pathname + "/log?from=" + log.dataset.from);
    source.addEventListener("lines", function (event) {
      JSON.parse(event.data).forEach(show);
      if (follow && follow.checked) log.scrollTop = log.scrollHeight;
    });
    source.addEventListener("done", function () { source.close(); location.reload(); });

    function show(e) {
      var last = way[way.length - 1];
      if (e.open) {
        var section = document.createElement("details");
        section.dataset.section = e.open;
        section.open = !e.fold;
        section.appendChild(document.createElement("summary")).innerHTML = e.html || "";
        last.appendChild(section);
        way.push(section);
      } else if (e.close) {
        if (way.length < 2) return;
        if (e.took) {
          var took = document.createElement("span");
          took.className = "took";
          took.textContent = " " + e.took;
          last.querySelector("summary").appendChild(took);
        }
        if (last.dataset.section !== "step_script") last.open = false;
        way.pop();
      } else {
        var line = document.createElement("div");
        line.className = "l";
        line.id = "L" + e.line;
        var number = line.appendChild(document.createElement("a"));
        number.href = "#" + line.id;
        number.textContent = e.line;
        number.setAttribute("aria-label", "Line " + e.line);
        line.appendChild(document.createElement("span")).innerHTML = e.html || "";
        last.appendChild(line);
      }
    }
  }

  function refresh(live) {
    setTimeout(function () {
      fetch(location.href, { headers: { Accept: "text/html" } }).then(function (answer) { return answer.ok ? answer.text() : ""; }).then(function (text) {
        var next = text && new DOMParser().parseFromString(text, "text/html").getElementById("live");
        if (!next) return refresh(live);
        if (next.innerHTML !== live.innerHTML && !live.contains(document.activeElement)) live.innerHTML = next.innerHTML;
        if (next.dataset.refresh) refresh(live);
      }, function () { refresh(live); });
    }, Number(live.dataset.refresh));
  }
})();
