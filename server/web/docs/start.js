// Everything comes from this server: no fonts, validators or telemetry of others.
window.ui = SwaggerUIBundle({
  url: "/api/v4/openapi.yaml",
  dom_id: "#ui",
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  docExpansion: "list",
  filter: true,
  validatorUrl: null,
});
