// Who is signed in to the pages and gives no token calls the API by the session, which writes only with its CSRF token.
const reads = ["GET", "HEAD", "OPTIONS"];
async function withCSRF(request) {
  const headers = request.headers || {};
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const own = ["authorization", "private-token", "job-token"].some((name) => names.includes(name));
  if (own || reads.includes((request.method || "GET").toUpperCase())) return request;
  if (new URL(request.url, window.location.href).origin !== window.location.origin) return request;
  const answer = await fetch("/-/docs/csrf.json", { credentials: "same-origin" });
  const { token } = answer.ok ? await answer.json() : {};
  if (token) request.headers = { ...headers, "X-CSRF-Token": token };
  return request;
}
// Everything comes from this server: no fonts, validators or telemetry of others.
window.ui = SwaggerUIBundle({
  url: "/api/v4/openapi.json",
  dom_id: "#ui",
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  docExpansion: "list",
  filter: true,
  validatorUrl: null,
  requestInterceptor: withCSRF,
  oauth2RedirectUrl: new URL("/-/docs/oauth2-redirect.html", window.location.href).href,
});
// The explorer is an application like any other: it has no secret and signs in with PKCE.
window.ui.initOAuth({
  clientId: "c5ffb0ba1ac4c3ff4e0f9d2a8b8e6f4d5f7a1e3c9b2d4860e1f3a5b7c9d0e2f4",
  scopes: "api",
  usePkceWithAuthorizationCodeGrant: true,
});
