// The provider sends the browser here with its answer. The explorer that opened this window waits for it, under a name that
// Swagger UI has chosen.
(() => {
  const waiting = window.opener && window.opener.swaggerUIRedirectOauth2;
  const answer = new URLSearchParams(window.location.search);
  const tell = (text) => {
    document.getElementById("told").textContent = text;
  };
  if (!waiting) {
    tell("No explorer waits for this answer. Open it again and sign in from there.");
    return;
  }
  const fail = (text) => {
    waiting.errCb({ authId: waiting.auth.name, source: "auth", level: "error", message: text });
    tell(text);
  };
  if (answer.get("state") !== waiting.state) {
    fail("This is the answer to another question.");
    return;
  }
  if (!answer.get("code")) {
    fail(answer.get("error_description") || answer.get("error") || "There is no code in the answer.");
    return;
  }
  delete waiting.auth.state;
  waiting.auth.code = answer.get("code");
  waiting.callback({ auth: waiting.auth, redirectUrl: waiting.redirectUrl });
  window.close();
})();
