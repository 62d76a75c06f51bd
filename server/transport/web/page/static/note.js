// Leads to a note that is on another page of the timeline: the part of an address after # never reaches the server.
"use strict";

const wanted = /^#note_(\d{1,18})$/.exec(location.hash);
if (wanted && !document.getElementById("note_" + wanted[1]) && !new URLSearchParams(location.search).has("page")) {
  location.replace(location.pathname + "?note=" + wanted[1]);
}
