package conformance

import (
	"strings"
	"testing"
)

// Every operation of the contract is in the document, and has a good case and two refusals or more.
func TestEveryOperationOfTheContractHasCases(t *testing.T) {
	t.Parallel()
	good, refused := map[string]int{}, map[string]int{}
	for _, area := range Areas() {
		for _, scenario := range area.Scenarios {
			for _, c := range scenario.Cases {
				id := c.Operation
				if route := routeOf(c); route != nil {
					id = route.Op.OperationID
				}
				refused[id] += len(c.Refused)
				if kindOf(c.Status) == Refusal {
					refused[id]++
				} else if area.Name != "every operation" {
					good[id]++
				}
			}
		}
	}
	if len(Contract()) != 76 {
		t.Errorf("the contract has %d operations", len(Contract()))
	}
	for _, o := range Contract() {
		switch {
		case o.ID == "":
			t.Errorf("%s %s is not in the document", o.Method, o.Path)
		case good[o.ID] == 0 || refused[o.ID] < 2:
			t.Errorf("%s has %d good cases and %d refusals", o.ID, good[o.ID], refused[o.ID])
		}
	}
}

// A promise is a sentence that names its case; a request of a case can be sent.
func TestEveryCaseHasAPromiseAndARequest(t *testing.T) {
	t.Parallel()
	for _, area := range Areas() {
		scenarios := map[string]bool{}
		for _, scenario := range area.Scenarios {
			if scenarios[scenario.Name] || len(scenario.Cases) == 0 {
				t.Errorf("%s has two scenarios %q, or one without cases", area.Name, scenario.Name)
			}
			scenarios[scenario.Name] = true
			promises := map[string]bool{}
			for _, c := range scenario.Cases {
				if promises[c.Promise] || !strings.HasSuffix(c.Promise, ".") {
					t.Errorf("%s, %s: %q comes twice or is no sentence", area.Name, scenario.Name, c.Promise)
				}
				promises[c.Promise] = true
				if (c.Send == "") == (c.Do == nil) || (c.Send != "" && c.Status == 0 && c.Then == nil && c.Headers == nil) {
					t.Errorf("%s, %s: %q needs a request and what it expects", area.Name, scenario.Name, c.Promise)
				}
				if method, _, _ := strings.Cut(c.Send, " "); c.Reads && method != "GET" && method != "HEAD" && method != "OPTIONS" {
					t.Errorf("%s, %s: %q writes, but runs with --level read", area.Name, scenario.Name, c.Promise)
				}
			}
		}
	}
}

func TestCasesAreSelectedByAreaOperationAndPromise(t *testing.T) {
	t.Parallel()
	area, scenario := Area{Name: "jobs"}, Scenario{Name: "one"}
	c := Case{Promise: "A job is canceled.", Send: "POST /projects/<project>/jobs/<job>/cancel"}
	for word, want := range map[string]bool{
		"jobs": true, "Jobs": true, "cancelProjectJob": true, "is canceled": true, "one": true,
		"retryProjectJob": false, "job": true, "users": false,
	} {
		if Selects([]string{word}, area, scenario, c) != want {
			t.Errorf("%q selects it: %v", word, !want)
		}
	}
}
