package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// requests returns the view by which the server validates requests: the published document without responses and prose,
// and with every reference replaced by its target. The server can read one operation from it alone, when it is first
// called, so that the start does not depend on the size of the document.
func requests(published []byte) ([]byte, error) {
	var doc map[string]any
	if err := json.Unmarshal(published, &doc); err != nil {
		return nil, err
	}
	paths := map[string]any{}
	for path, item := range doc["paths"].(map[string]any) {
		if isProtocol(item.(map[string]any)) {
			continue
		}
		kept := map[string]any{}
		for key, part := range item.(map[string]any) {
			switch key {
			case "summary", "description":
				continue
			case "servers":
				kept[key] = part
				continue
			case "parameters":
			default:
				part = request(part.(map[string]any))
			}
			plain, err := inline(doc, part, nil)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			kept[key] = plain
		}
		paths[path] = kept
	}
	return json.Marshal(map[string]any{"servers": doc["servers"], "paths": paths})
}

// request returns the parts of an operation that describe its request.
func request(op map[string]any) map[string]any {
	kept := map[string]any{}
	for key, part := range op {
		switch {
		case key == "requestBody":
			kept[key] = onlyJSON(part.(map[string]any))
		case key == "operationId", key == "security", key == "parameters", key == "deprecated", key == "tags",
			strings.HasPrefix(key, "x-") && key != "x-ability" && key != "x-tier":
			kept[key] = part
		}
	}
	return kept
}

// onlyJSON drops the other forms of a body that may be JSON: middleware turns them into JSON.
func onlyJSON(body map[string]any) map[string]any {
	content, _ := body["content"].(map[string]any)
	asJSON, ok := content["application/json"]
	if !ok {
		return body
	}
	return map[string]any{"required": body["required"] == true, "content": map[string]any{"application/json": asJSON}}
}

// inline replaces references and omits what only readers need. open are the references that contain the part.
func inline(doc map[string]any, part any, open []string) (any, error) {
	switch part := part.(type) {
	case map[string]any:
		if target, ok := part["$ref"].(string); ok {
			return follow(doc, target, open)
		}
		part = lastOf(part)
		out := make(map[string]any, len(part))
		for key, child := range part {
			if key == "properties" {
				child = named(child.(map[string]any))
			} else if isProse(key) {
				continue
			}
			plain, err := inline(doc, child, open)
			if err != nil {
				return nil, err
			}
			out[key] = plain
		}
		return out, nil
	case named:
		out := make(map[string]any, len(part))
		for name, child := range part {
			plain, err := inline(doc, child, open)
			if err != nil {
				return nil, err
			}
			out[name] = plain
		}
		return out, nil
	case []any:
		out := make([]any, len(part))
		for i, child := range part {
			plain, err := inline(doc, child, open)
			if err != nil {
				return nil, err
			}
			out[i] = plain
		}
		return out, nil
	}
	return part, nil
}

// named is a mapping whose keys are names of members: a member may be called description.
type named map[string]any

func isProse(key string) bool {
	return key == "description" || key == "example" || key == "examples" || key == "x-tier" || strings.HasPrefix(key, "x-go-")
}

func follow(doc map[string]any, target string, open []string) (any, error) {
	if slices.Contains(open, target) {
		return nil, fmt.Errorf("%s contains itself; a request cannot", target)
	}
	var at any = doc
	for _, step := range strings.Split(strings.TrimPrefix(target, "#/"), "/") {
		m, ok := at.(map[string]any)
		if !ok || m[step] == nil {
			return nil, fmt.Errorf("%s refers to nothing", target)
		}
		at = m[step]
	}
	return inline(doc, at, append(open[:len(open):len(open)], target))
}
