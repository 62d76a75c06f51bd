"use strict";
// A link to a line of a log that is not on the page opens the part of the log with that line.
(function () {
  function jump() {
    var line = /^#L([1-9]\d{0,9})$/.exec(location.hash), log = document.getElementById("log");
    if (!line || !log || document.getElementById("L" + line[1])) return;
    if (!log.dataset.lines || Number(line[1]) > Number(log.dataset.lines)) return;
    location.replace(location.pathname + "?lines=" + line[1] + location.hash);
  }
  window.addEventListener("hashchange", jump);
  jump();
})();
