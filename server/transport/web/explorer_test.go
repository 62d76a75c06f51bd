package web

import (
	"bytes"
	"strings"
	"testing"

	"svc/openapi/operations"
	"svc/server/transport/web/page"
)

// Texts of the document are never HTML, wherever they stand on the page.
func TestTheExplorerEscapesTheDocument(t *testing.T) {
	t.Parallel()
	const bad = `\"'><script>alert(1)</script>` + "`<b>`"
	document := strings.ReplaceAll(`{
		"servers": [{"url": "/api/v4"}],
		"tags": [{"name": "BAD", "description": "BAD"}],
		"paths": {"/things/{id}/BAD": {"post": {
			"operationId": "doIt", "summary": "BAD", "description": "BAD\n\nBAD", "tags": ["BAD"],
			"x-tier": "BAD", "x-ability": "BAD", "x-limit": "BAD", "deprecated": true,
			"security": [{"oauth": ["BAD"]}, {"accessToken": []}, {"session": []}],
			"parameters": [
				{"name": "id", "in": "path", "required": true, "example": "BAD", "description": "BAD", "schema": {"type": "string"}},
				{"name": "BAD", "in": "query", "description": "BAD", "schema": {"type": "string", "enum": ["BAD"], "maximum": "BAD"}},
				{"name": "list", "in": "query", "schema": {"type": "array", "items": {"type": "BAD"}, "example": ["BAD"]}},
				{"name": "BADheader", "in": "header", "required": true, "schema": {"type": "integer", "minimum": "BAD"}}
			],
			"requestBody": {"content": {"application/json": {"schema": {"required": ["BAD"], "properties": {
				"BAD": {"type": "string", "example": "BAD", "description": "BAD"},
				"file": {"type": "string", "format": "binary", "description": "BAD"}
			}}}}},
			"responses": {"BAD": {"description": "BAD", "content": {"BAD": {}}}}
		}}}
	}`, "BAD", bad)
	index, err := operations.Read([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	o, ok, err := index.Operation("doIt")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	one := operationPage{
		Operation: o, Base: "https://a", Needs: leastScopes(o), Required: o.Fields, Optional: o.Fields,
	}
	areas := operationsPage{Query: `"><script>alert(1)`, Areas: index.Areas(), Results: true, Found: 1}
	for name, data := range map[string]any{
		"operation": one, "explorer": areas,
	} {
		var html bytes.Buffer
		if err := page.NewTemplates(templates).Write(&html, page.View{Name: name, Title: "x", Data: data}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(html.String(), "<script>alert") || strings.Contains(html.String(), "<b>") ||
			strings.Contains(html.String(), `"'>`) || !strings.Contains(html.String(), "&lt;script&gt;alert(1)") {
			t.Errorf("%s: %s", name, html.String())
		}
	}
}
