package reference

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"svc/openapi/ordered"
)

// access writes who may call an operation.
func (w *writer) access(b *bytes.Buffer, o operation) {
	ability := o.op.Text("x-ability")
	who := fmt.Sprintf("[`%s`](../abilities.md)", ability)
	if w.WhoMay != nil {
		who = w.WhoMay(ability) + " (" + who + ")"
	}
	paragraph(b, "- Who may call it: "+who)
	if needed := credentials(o); len(needed) > 0 {
		paragraph(b, "- Needs: "+strings.Join(needed, "; or "))
	}
	if tier := o.op.Text("x-tier"); tier != "" {
		name := map[string]string{"premium": "premium and ultimate"}[tier]
		if name == "" {
			name = tier
		}
		paragraph(b, "- Tier: "+name)
	}
	if limit := o.op.Text("x-limit"); limit != "" {
		paragraph(b, fmt.Sprintf("- Rate limit: [`%s`](../limits.md#limits-of-single-operations)", limit))
	}
	if size := fmt.Sprint(o.op.Get("x-max-body")); o.op.Get("x-max-body") != nil {
		paragraph(b, "- Largest body: "+bytesOf(size))
	}
}

// credentials returns what a caller can send.
func credentials(o operation) []string {
	var found, scopes []string
	for _, alternative := range o.op.List("security") {
		kinds, _ := alternative.(*ordered.Object)
		if len(kinds.Names) == 0 {
			found = append(found, "nothing: anonymous callers are allowed")
			continue
		}
		switch kinds.Names[0] {
		case "oauth":
			scopes = append(scopes, scope(kinds.List("oauth")))
		case "jobToken":
			found = append(found, "the token of a job")
		case "runnerToken":
			found = append(found, "the token of a runner or its job")
		}
	}
	if len(scopes) > 0 {
		found = append([]string{"a token with " + strings.Join(scopes, " or ")}, found...)
	}
	return found
}

// scope names the scope of one alternative.
func scope(names []any) string {
	if len(names) == 0 {
		return "any scope"
	}
	return fmt.Sprintf("`%v`", names[0])
}

// bytesOf writes a number of bytes for a reader.
func bytesOf(size string) string {
	n, err := strconv.ParseInt(size, 10, 64)
	switch {
	case err != nil:
		return size
	case n >= 1<<40:
		return "as [a setting](../limits.md#size-of-requests) allows"
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return size + " bytes"
}
