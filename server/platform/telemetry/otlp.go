package telemetry

import (
	"encoding/hex"
	"encoding/json"
	"strconv"

	"svc/store/observe"
)

// The types follow the JSON form of OTLP 1: ids are hexadecimal, and 64-bit numbers are texts.
type (
	request struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource   resource     `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	resource struct {
		Attributes []attribute `json:"attributes"`
	}
	scopeSpans struct {
		Scope scope  `json:"scope"`
		Spans []span `json:"spans"`
	}
	scope struct {
		Name string `json:"name"`
	}
	span struct {
		TraceID           string      `json:"traceId"`
		SpanID            string      `json:"spanId"`
		ParentSpanID      string      `json:"parentSpanId,omitempty"`
		Name              string      `json:"name"`
		Kind              int         `json:"kind"`
		StartTimeUnixNano string      `json:"startTimeUnixNano"`
		EndTimeUnixNano   string      `json:"endTimeUnixNano"`
		Attributes        []attribute `json:"attributes,omitempty"`
		Status            *status     `json:"status,omitempty"`
	}
	status struct {
		Code    int    `json:"code"`
		Message string `json:"message,omitempty"`
	}
	attribute struct {
		Key   string `json:"key"`
		Value value  `json:"value"`
	}
	value struct {
		StringValue *string `json:"stringValue,omitempty"`
		IntValue    string  `json:"intValue,omitempty"`
	}
)

// statusError is the code of a span that failed.
const statusError = 2

func newResource(instance, version string) resource {
	return resource{Attributes: []attribute{
		text("service.name", "svc"), text("service.version", version), text("service.instance.id", instance),
	}}
}

func newRequest(from resource, batch []observe.Span) request {
	spans := make([]span, len(batch))
	for i := range batch {
		spans[i] = newSpan(&batch[i])
	}
	return request{[]resourceSpans{{from, []scopeSpans{{scope{"svc"}, spans}}}}}
}

func newSpan(s *observe.Span) span {
	shown := span{
		TraceID: hex.EncodeToString(s.Trace[:]), SpanID: hex.EncodeToString(s.ID[:]), Name: s.Name, Kind: int(s.Kind),
		StartTimeUnixNano: strconv.FormatInt(s.Start.UnixNano(), 10), EndTimeUnixNano: strconv.FormatInt(s.End.UnixNano(), 10),
	}
	if s.Parent != [8]byte{} {
		shown.ParentSpanID = hex.EncodeToString(s.Parent[:])
	}
	for _, a := range s.Attributes {
		if a.IsNumber {
			shown.Attributes = append(shown.Attributes, attribute{a.Key, value{IntValue: strconv.FormatInt(a.Number, 10)}})
		} else {
			shown.Attributes = append(shown.Attributes, text(a.Key, a.Text))
		}
	}
	if s.Failed {
		shown.Status = &status{statusError, s.Message}
	}
	return shown
}

func text(key, of string) attribute { return attribute{key, value{StringValue: &of}} }

// rejectedSpans reads how many spans the collector has rejected. It may write the number as a text or as a number.
func rejectedSpans(answer []byte) int64 {
	var read struct {
		PartialSuccess struct {
			RejectedSpans json.Number `json:"rejectedSpans"`
		} `json:"partialSuccess"`
	}
	if json.Unmarshal(answer, &read) != nil {
		return 0
	}
	n, err := read.PartialSuccess.RejectedSpans.Int64()
	if err != nil {
		return 0
	}
	return max(n, 0)
}
