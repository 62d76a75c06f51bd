package main

import (
	"fmt"
	"slices"
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
	if err := j.addErrorCodes(doc); err != nil {
		return err
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
	if get(op, protocol) != nil {
		return nil
	}
	secured := addCredentials(security, method)
	body := addForms(op)
	hasParams := get(item, "parameters") != nil || get(op, "parameters") != nil || body
	if secured {
		if err := j.addSudo(op); err != nil {
			return err
		}
	}

	responses := get(op, "responses")
	if hasParameter(item, op, "Page") || hasParameter(item, op, "DeprecatedPage") {
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
	common(body, "408", "RequestTimeout")
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
	headers := headersOf(response)
	for _, h := range pageHeaders {
		target, err := j.component(j.root, "headers.yaml#/"+h[1])
		if err != nil {
			return err
		}
		set(headers, h[0], ref(target))
	}
	return nil
}

// errorCode is the header of every error response.
const errorCode = "X-Error-Code"

// addErrorCodes adds the header with the code to every error response.
func (j *joiner) addErrorCodes(doc *yaml.Node) error {
	target, err := j.component(j.root, "headers.yaml#/XErrorCode")
	if err != nil {
		return err
	}
	operations(doc, func(_, _ string, _, op *yaml.Node) {
		responses := get(op, "responses")
		for i := 0; i+1 < len(responses.Content); i += 2 {
			if status := responses.Content[i].Value; status < "400" {
				continue
			}
			response := responses.Content[i+1]
			if shared := get(response, "$ref"); shared != nil {
				response = get(get(j.components, "responses"), shared.Value[strings.LastIndex(shared.Value, "/")+1:])
			}
			set(headersOf(response), errorCode, ref(target))
		}
	})
	return nil
}

// headersOf returns the headers of a response. If it has none, they are put before its content.
func headersOf(response *yaml.Node) *yaml.Node {
	headers := get(response, "headers")
	if headers == nil {
		headers = &yaml.Node{Kind: yaml.MappingNode}
		content := get(response, "content")
		drop(response, func(key string, _ *yaml.Node) bool { return key != "content" })
		set(response, "headers", headers)
		if content != nil {
			set(response, "content", content)
		}
	}
	return headers
}

// addCredentials writes each scope that suffices as an alternative of its own, and adds the other credentials beside a
// bearer token. An operation with only {} is open to all.
func addCredentials(security *yaml.Node, method string) (secured bool) {
	var alternatives []*yaml.Node
	for _, alternative := range security.Content {
		least := get(alternative, "oauth")
		if least == nil {
			alternatives = append(alternatives, alternative)
			continue
		}
		secured = true
		for _, scope := range acceptedScopes(least, method) {
			alternatives = append(alternatives, credential("oauth", scope))
		}
		if len(least.Content) == 0 { // any scope
			alternatives = append(alternatives, alternative)
		}
	}
	if secured {
		alternatives = append(alternatives, credential("accessToken"), credential("session"))
	}
	security.Content = alternatives
	return secured
}

// acceptedScopes returns the scopes that suffice for an operation: api, read_api if the operation only reads, and its
// least scopes.
func acceptedScopes(least *yaml.Node, method string) []string {
	if len(least.Content) == 0 {
		return nil
	}
	accepted := []string{"api"}
	if method == "get" {
		accepted = append(accepted, "read_api")
	}
	for _, scope := range least.Content {
		if !slices.Contains(accepted, scope.Value) {
			accepted = append(accepted, scope.Value)
		}
	}
	return accepted
}

func credential(scheme string, scopes ...string) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	names := list()
	for _, scope := range scopes {
		names.Content = append(names.Content, text(scope))
	}
	set(m, scheme, names)
	return m
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
