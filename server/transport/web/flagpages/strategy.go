package flagpages

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"svc/server/domain/featureflag"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// labels are the names of the strategies for people.
var labels = map[string]string{
	"default": "All users", "userWithId": "Named users", "gitlabUserList": "User list", "flexibleRollout": "Percent of users or requests",
	"gradualRolloutUserId": "Percent of users",
}

// strategyView is a strategy on a page.
type strategyView struct {
	ID, Label, Detail, Environments string
	Remove                          page.Button
}

// strategiesOf returns the strategies of a flag for people.
func strategiesOf(row model.FeatureFlagRow) []strategyView {
	var all []strategyView
	for _, s := range row.Strategies {
		var scopes []string
		for _, scope := range s.Scopes {
			scopes = append(scopes, scope.EnvironmentScope)
		}
		all = append(all, strategyView{
			ID: strconv.FormatInt(s.ID, 10), Label: labels[s.Name], Detail: detailOf(s), Environments: strings.Join(scopes, ", "),
		})
	}
	return all
}

// maxDetail is how many characters of the users of a strategy a page shows.
const maxDetail = 200

// detailOf returns the users or the percentage of a strategy.
func detailOf(s model.FeatureFlagStrategyRow) string {
	if s.UserList != nil {
		return s.UserList.Name
	}
	var parameters map[string]string
	if json.Unmarshal([]byte(s.Parameters), &parameters) != nil {
		return ""
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		switch value := []rune(parameters[name]); {
		case name == "rollout" || name == "percentage":
			parts = append(parts, string(value)+" %")
		case len(value) > maxDetail:
			parts = append(parts, string(value[:maxDetail])+"…")
		case name != "groupId" && string(value) != "default":
			parts = append(parts, string(value))
		}
	}
	return strings.Join(parts, ", ")
}

// strategyForm is the form that adds a strategy.
func strategyForm(action string, lists []model.FeatureFlagUserList) page.Form {
	var kinds []page.Option
	for _, name := range featureflag.Strategies() {
		kinds = append(kinds, page.Option{Value: name, Label: labels[name]})
	}
	chosen := []page.Option{{Value: "", Label: "No list"}}
	for _, list := range lists {
		chosen = append(chosen, page.Option{Value: strconv.FormatInt(list.ID, 10), Label: list.Name})
	}
	list := page.Select("user_list", "List", "", chosen...)
	list.Hint = "For “User list”."
	stickiness := page.Select("stickiness", "Decide by", "default", []page.Option{
		{Value: "default", Label: "User, session, or at random"},
		{Value: "userId", Label: "User"},
		{Value: "sessionId", Label: "Session"},
		{Value: "random", Label: "At random"},
	}...)
	stickiness.Hint = "For “Percent of users or requests”."
	return page.Form{Action: action, Submit: "Add the strategy", Fields: []page.Field{
		page.Select("strategy", "For whom the flag is on", "default", kinds...),
		{
			Name: "environments", Label: "Environments", Type: "text", Value: "*", Required: true, Hint: "Separated by commas. * " +
				"stands for any text.",
		},
		{Name: "percent", Label: "Percent", Type: "text", Mode: "numeric", Hint: "From 0 to 100, for the two strategies with percent."},
		stickiness,
		{
			Name: "users", Label: "Users", Type: "textarea",
			Hint: "IDs as the program knows them, separated by commas, for “Named users”.",
		},
		list,
	}}
}

// sentStrategy reads the form of a strategy.
func sentStrategy(v *page.Visit) (featureflag.StrategyChange, error) {
	name := v.Value("strategy")
	c := featureflag.StrategyChange{Name: &name, Parameters: map[string]any{}}
	switch name {
	case "gradualRolloutUserId":
		c.Parameters = map[string]any{"groupId": "default", "percentage": strings.TrimSpace(v.Value("percent"))}
	case "flexibleRollout":
		c.Parameters = map[string]any{
			"groupId": "default", "rollout": strings.TrimSpace(v.Value("percent")), "stickiness": v.Value("stickiness"),
		}
	case "userWithId":
		c.Parameters = map[string]any{"userIds": strings.Join(splitTexts(v.Value("users")), ",")}
	case "gitlabUserList":
		id, err := strconv.ParseInt(v.Value("user_list"), 10, 64)
		if err != nil {
			return c, apierr.Invalid("user_list", "must be chosen")
		}
		c.UserListID = &id
	}
	for _, scope := range splitTexts(v.Value("environments")) {
		c.Scopes = append(c.Scopes, featureflag.ScopeChange{Environment: &scope})
	}
	return c, nil
}

// splitTexts returns the texts between commas and line breaks, without spaces around them.
func splitTexts(text string) []string {
	var all []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' }) {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// addStrategy adds a strategy to a flag.
// POST /{project}/-/feature_flags/{name}/strategies
func (p *Pages) addStrategy(v *page.Visit) error {
	c, err := sentStrategy(v)
	if err == nil {
		_, err = p.apply(v, featureflag.Change{Strategies: []featureflag.StrategyChange{c}})
	}
	if err != nil {
		return p.refused(v, err)
	}
	return v.Done(flagAddress(v, v.Param("name"))+"/edit", "The strategy was added.")
}

// removeStrategy removes a strategy from a flag.
// POST /{project}/-/feature_flags/{name}/strategies/{id}/delete
func (p *Pages) removeStrategy(v *page.Visit) error {
	id, err := v.Number("id")
	if err != nil {
		return page.NotFound()
	}
	change := featureflag.Change{Strategies: []featureflag.StrategyChange{{ID: &id, Remove: true}}}
	if _, err := p.apply(v, change); err != nil {
		return page.Hide(err)
	}
	return v.Done(flagAddress(v, v.Param("name"))+"/edit", "The strategy was removed.")
}
