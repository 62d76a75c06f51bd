package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// variablePlaces returns the paths at which variables can be, each with an owner and the name used in its 404 message.
func variablePlaces(h *harness.H) map[string][2]any {
	owner := h.NewUser()
	group := h.Group()
	p := h.Project(*owner.User.NamespaceID)
	return map[string][2]any{
		fmt.Sprintf("/projects/%d/variables", p.ID):   {owner, "Variable"},
		fmt.Sprintf("/groups/%d/variables", group.ID): {h.Member(group, model.Owner), "GroupVariable"},
	}
}

func TestVariablesOfProjectsAndGroups(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for path, place := range variablePlaces(h) {
		owner, missing := place[0].(*harness.Caller), fmt.Sprintf(`{"message":"404 %s Not Found"}`, place[1])
		expect(t, owner.Send("GET", path, ""), 200, "[]")
		created := owner.JSON("POST", path,
			`{"key":"REGION","value":"eu","description":"where","variable_type":"file","protected":true,"raw":true}`)
		expect(t, created, 201, `{"variable_type":"file","key":"REGION","value":"eu","hidden":false,"protected":true,`+
			`"masked":false,"raw":true,"environment_scope":"*","description":"where"}`)
		expect(t, owner.Send("GET", path, ""), 200, "["+created.Body+"]")
		expect(t, owner.Send("GET", path+"/REGION", ""), 200, created.Body)
		expect(t, owner.JSON("POST", path, `{"key":"REGION","value":"us"}`), 400, `{"message":{"key":["(REGION) has already been taken"]}}`)
		expect(t, owner.JSON("POST", path, `{"key":"REGION","value":"us","environment_scope":"prod/*"}`), 201, "")
		const several = `{"message":"There are multiple variables with provided parameters. Please use 'filter[environment_scope]'"}`
		expect(t, owner.Send("GET", path+"/REGION", ""), 409, several)
		expect(t, owner.JSON("PUT", path+"/REGION", `{"value":"x"}`), 409, several)
		expect(t, owner.Send("DELETE", path+"/REGION", ""), 409, several)
		one := owner.Send("GET", path+"/REGION?filter[environment_scope]=prod%2F*", "")
		if expect(t, one, 200, ""); !strings.Contains(one.Body, `"value":"us"`) {
			t.Error(one.Body)
		}
		changed := owner.JSON("PUT", path+"/REGION", `{"value":"ap","filter":{"environment_scope":"prod/*"}}`)
		if expect(t, changed, 200, ""); !strings.Contains(changed.Body, `"value":"ap"`) ||
			!strings.Contains(changed.Body, `"environment_scope":"prod/*"`) {
			t.Error(changed.Body)
		}
		expect(t, owner.JSON("PUT", path+"/REGION?filter[environment_scope]=prod%2F*", `{"environment_scope":"*"}`),
			400, `{"message":{"key":["(REGION) has already been taken"]}}`)
		expect(t, owner.Send("DELETE", path+"/REGION?filter[environment_scope]=prod%2F*", "", "If-Unmodified-Since",
			"Mon, 02 Jan 2006 15:04:05 GMT"), 412, "")
		expect(t, owner.Send("DELETE", path+"/REGION?filter[environment_scope]=prod%2F*", ""), 204, "")
		expect(t, owner.Send("GET", path+"/REGION?filter[environment_scope]=prod%2F*", ""), 404, missing)
		expect(t, owner.Send("GET", path+"/NONE", ""), 404, missing)
		expect(t, owner.JSON("PUT", path+"/NONE", `{"value":"x"}`), 404, missing)
		expect(t, owner.Send("DELETE", path+"/NONE", ""), 404, missing)
		expect(t, h.NewUser().Send("GET", path, ""), 404, "")
	}
}

func TestRulesOfVariables(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for path, place := range variablePlaces(h) {
		owner := place[0].(*harness.Caller)
		for body, want := range map[string]string{
			`{"key":"A B","value":"x"}`:                         `{"message":{"key":["can contain only letters, digits and '_'."]}}`,
			`{"key":"A","value":"short","masked":true}`:         `{"message":{"value":["is invalid"]}}`,
			`{"key":"A","value":"short","masked_and_hidden":1}`: `{"message":{"value":["is invalid"]}}`,
			`{"key":"A","value":"x","environment_scope":"a|b"}`: `{"message":{"environment_scope":["can contain only ` +
				`letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces"]}}`,
			`{"key":"A","value":"x","variable_type":"other"}`: `{"error":"variable_type does not have a valid value"}`,
		} {
			expect(t, owner.JSON("POST", path, body), 400, want)
		}
		expect(t, owner.Send("GET", path, ""), 200, "[]")
		hidden := owner.JSON("POST", path, `{"key":"SECRET","value":"not-to-be-seen","masked_and_hidden":true}`)
		expect(t, hidden, 201, `{"variable_type":"env_var","key":"SECRET","value":null,"hidden":true,`+
			`"protected":false,"masked":true,"raw":false,"environment_scope":"*","description":null}`)
		expect(t, owner.Send("GET", path+"/SECRET", ""), 200, hidden.Body)
		expect(t, owner.JSON("PUT", path+"/SECRET", `{"masked":false}`), 400,
			`{"message":{"masked":["cannot be turned off for a hidden variable"]}}`)
		expect(t, owner.JSON("PUT", path+"/SECRET", `{"value":"short"}`), 400, `{"message":{"value":["is invalid"]}}`)
		expect(t, owner.JSON("PUT", path+"/SECRET", `{"value":"another-secret"}`), 200, hidden.Body)
		expect(t, owner.JSON("POST", path, `{"key":"PLAIN","value":"x"}`), 201, "")
		expect(t, owner.JSON("PUT", path+"/PLAIN", `{"masked":true}`), 400, `{"message":{"value":["is invalid"]}}`)
	}
}
