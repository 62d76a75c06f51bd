"use strict";
// A page that shows something which is not done yet: a job changes and its log grows, a pipeline is drawn anew.
(function () {
  var log = document.getElementById("log");
  if (log && log.dataset.from !== undefined && window.EventSource) followLog(log);
  var live = document.getElementById("live");
  if (live && live.dataset.refresh) refresh(live);

  function followLog(log) {
    var follow = document.getElementById("follow");
    var way = [log], lines = log.querySelectorAll(".l"), latest = lines[lines.length - 1];
    log.querySelectorAll("details[data-going]").forEach(function (section) { way.push(section); });
    var source = new EventSource(location.pathname + "/log?from=" + log.dataset.from);
    source.addEventListener("lines", function (event) {
      JSON.parse(event.data).forEach(show);
      if (follow && follow.checked) log.scrollTop = log.scrollHeight;
    });
    source.addEventListener("state", function (event) {
      var next = JSON.parse(event.data), state = document.getElementById("state"), waiting = document.getElementById("waiting");
      if (state.textContent === next.text && (waiting ? waiting.textContent : "") === next.waiting) return;
      state.className = "state " + next.status;
      state.textContent = next.text;
      if (waiting) waiting.textContent = next.waiting;
      facts();
    });
    source.addEventListener("done", function () {
      source.close();
      facts();
      if (follow) follow.parentNode.remove();
    });

    // What else the page says about the job (times, runner, buttons) comes from the page as it would be now.
    function facts() {
      fetch(location.href, { headers: { Accept: "text/html" } }).then(function (answer) { return answer.ok ? answer.text() : ""; }).then(function (text) {
        var next = text && new DOMParser().parseFromString(text, "text/html").getElementById("facts");
        var old = document.getElementById("facts");
        if (next) old.replaceWith(document.adoptNode(next));
      }, function () {});
    }

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
        var inScript = last.parentElement.closest("details");
        if (!inScript && !["step_script", "build_script"].includes(last.dataset.section)) last.open = false;
        way.pop();
      } else {
        if (latest && latest.id === "L" + e.line) { // the line goes on
          latest.lastChild.innerHTML = e.html || "";
          return;
        }
        var line = latest = document.createElement("div");
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
