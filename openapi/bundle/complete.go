package main

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// complete adds what follows from the shape of an operation, so that the hand-written files need not repeat it.
func (j *joiner) complete(doc *yaml.Node) error {
	failed := describeTiers(doc)
	operations(doc, func(path, method string, item, op *yaml.Node) {
		if err := j.completeOperation(path, method, item, op); err != nil && failed == nil {
			failed = fmt.Errorf("%s %s: %w", strings.ToUpper(method), path, err)
		}
	})
	if failed != nil {
		return failed
	}
	for _, kind := range []string{"schemas", "parameters", "headers", "responses"} {
		if part := get(j.components, kind); part != nil {
			sortMapping(part)
		}
	}
	return nil
}

func (j *joiner) completeOperation(path, method string, item, op *yaml.Node) error {
	security := get(op, "security")
	if security == nil {
		return fmt.Errorf("security is missing")
	}
	secured := addCredentials(security)
	body := addForms(op)
	hasParams := get(item, "parameters") != nil || get(op, "parameters") != nil || body
	if secured {
		if err := j.addSudo(op); err != nil {
			return err
		}
	}

	responses := get(op, "responses")
	if hasParameter(item, op, "Page") {
		if err := j.addPageHeaders(get(responses, "200")); err != nil {
			return err
		}
	}
	var failed error
	common := func(when bool, status, name string) {
		if !when || get(responses, status) != nil {
			return
		}
		target, err := j.component(j.root, "responses.yaml#/"+name)
		if err != nil {
			failed = err
		}
		set(responses, status, ref(target))
	}
	isJSON := get(get(get(responses, "200"), "content"), "application/json") != nil
	common(method == "get" && strings.HasPrefix(path, "/projects/{id}"), "301", "Moved") // from a former path of the project
	common(method == "get" && isJSON, "304", "NotModified")
	common(hasParams || secured, "400", "BadRequest")
	common(true, "401", "Unauthorized") // a wrong credential is refused everywhere
	common(secured, "403", "Forbidden")
	common(strings.Contains(path, "{") || secured, "404", "NotFound") // also if the sudo user does not exist
	common(strings.Contains(path, "{") || hasParams, "405", "NotAllowed")
	common(hasParameter(item, op, "IfUnmodifiedSince"), "412", "PreconditionFailed")
	common(body, "413", "TooLarge")
	common(true, "414", "URITooLong")
	common(body, "415", "UnsupportedMediaType")
	common(true, "429", "TooManyRequests")
	common(true, "500", "ServerError")
	common(true, "503", "Unavailable")
	common(method != "get", "507", "NoSpace")
	sortMapping(responses)
	return failed
}

// hasParameter reports whether an operation or its path refers to a shared parameter.
func hasParameter(item, op *yaml.Node, name string) bool {
	for _, params := range []*yaml.Node{get(item, "parameters"), get(op, "parameters")} {
		if params == nil {
			continue
		}
		for _, p := range params.Content {
			if target := get(p, "$ref"); target != nil && target.Value == "#/components/parameters/"+name {
				return true
			}
		}
	}
	return false
}

// pageHeaders are the headers of every list, each with its name in headers.yaml.
var pageHeaders = [][2]string{
	{"Link", "Link"},
	{"X-Next-Page", "XNextPage"},
	{"X-Page", "XPage"},
	{"X-Per-Page", "XPerPage"},
	{"X-Prev-Page", "XPrevPage"},
	{"X-Total", "XTotal"},
	{"X-Total-Pages", "XTotalPages"},
}

// addPageHeaders adds the headers of pagination to the response of a list, after its description.
func (j *joiner) addPageHeaders(response *yaml.Node) error {
	if response == nil || get(response, "headers") != nil {
		return fmt.Errorf("a list needs a 200 response without headers of its own")
	}
	headers := &yaml.Node{Kind: yaml.MappingNode}
	for _, h := range pageHeaders {
		target, err := j.component(j.root, "headers.yaml#/"+h[1])
		if err != nil {
			return err
		}
		set(headers, h[0], ref(target))
	}
	content := get(response, "content")
	drop(response, func(key string, _ *yaml.Node) bool { return key != "content" })
	set(response, "headers", headers)
	set(response, "content", content)
	return nil
}

// addCredentials adds the other credentials beside a bearer token. An operation with only {} is open to all.
func addCredentials(security *yaml.Node) (secured bool) {
	for _, alternative := range security.Content {
		if get(alternative, "oauth") != nil {
			secured = true
		}
	}
	if !secured {
		return false
	}
	for _, scheme := range []string{"accessToken", "session"} {
		m := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
		set(m, scheme, list())
		security.Content = append(security.Content, m)
	}
	return true
}

// addSudo lets a client call every operation that accepts a token as another user.
func (j *joiner) addSudo(op *yaml.Node) error {
	target, err := j.component(j.root, "parameters/request.yaml#/Sudo")
	if err != nil {
		return err
	}
	params := get(op, "parameters")
	if params == nil {
		params = &yaml.Node{Kind: yaml.SequenceNode}
		set(op, "parameters", params)
	}
	params.Content = append(params.Content, ref(target))
	return nil
}

// addForms adds the form-encoded and multipart variants of a JSON body.
func addForms(op *yaml.Node) (has bool) {
	content := get(get(op, "requestBody"), "content")
	if content == nil {
		return false
	}
	if j := get(content, "application/json"); j != nil {
		for _, media := range []string{"application/x-www-form-urlencoded", "multipart/form-data"} {
			if get(content, media) == nil {
				set(content, media, clone(j))
			}
		}
	}
	return true
}
