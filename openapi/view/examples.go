package view

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"svc/openapi/examples"
	"svc/openapi/ordered"
)

// addExamples adds a call of each operation that a test has made.
func addExamples(root *ordered.Object) error {
	paths := root.Object("paths")
	for _, path := range paths.Names {
		item := paths.Object(path)
		for _, method := range item.Names {
			if methods[method] {
				if err := addExample(root, item.Object(method)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func addExample(root, op *ordered.Object) error {
	id := op.Text("operationId")
	e, ok := examples.Of(id)
	if !ok {
		return nil
	}
	request := op.Object("requestBody").Object("content")
	response := op.Object("responses").Object(strconv.Itoa(e.Status)).Object("content")
	if err := setExample(root, request, cmp.Or(e.ContentType, "application/json"), e.Request, e.RequestText); err != nil {
		return fmt.Errorf("%s: the request: %w", id, err)
	}
	if err := setExample(root, response, "application/json", e.Response, e.Text); err != nil {
		return fmt.Errorf("%s: the response: %w", id, err)
	}
	return nil
}

// setExample adds an example to the body of its media type; to the only one, if the body has just one.
func setExample(root, content *ordered.Object, mediaType string, body []byte, plain string) error {
	if content == nil || len(body) == 0 && plain == "" {
		return nil
	}
	if len(content.Names) == 1 {
		mediaType = content.Names[0]
	}
	media := content.Object(mediaType)
	if media == nil {
		return fmt.Errorf("there is no %s in the document", mediaType)
	}
	if plain == "" && media.Object("schema").Get("format") == "binary" {
		plain = string(body)
	}
	if plain != "" {
		media.Set("example", plain)
		return nil
	}
	value, err := ordered.Parse(body)
	if err != nil {
		return err
	}
	if strings.Contains(mediaType, "form") {
		value = typed(root, media.Object("schema"), value)
	}
	media.Set("example", value)
	return nil
}

// typed gives the fields of a form, which are texts, the types of the schema.
func typed(root, schema *ordered.Object, value any) any {
	form, ok := value.(*ordered.Object)
	if !ok {
		return value
	}
	if target, ok := schema.Get("$ref").(string); ok {
		schema = root.Object("components").Object("schemas").Object(strings.TrimPrefix(target, "#/components/schemas/"))
	}
	properties := schema.Object("properties")
	for _, name := range form.Names {
		field, isText := form.Get(name).(string)
		if !isText || properties.Object(name) == nil {
			continue
		}
		switch properties.Object(name).Get("type") {
		case "integer", "number":
			form.Set(name, json.Number(field))
		case "boolean":
			form.Set(name, field == "true" || field == "1")
		}
	}
	return form
}
