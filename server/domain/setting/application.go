package setting

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"svc/server/platform/apierr"
	"svc/store/model"
	"svc/store/setting"
)

// Application returns all settings of the application by name.
func (s *Service) Application() (setting.Content, error) {
	now := s.store.Settings.Current()
	all, err := setting.All(now.Values)
	if err != nil {
		return nil, err
	}
	for _, more := range []map[string]string{fixed, keptDefaults} {
		for name, value := range more {
			all[name] = json.RawMessage(value)
		}
	}
	maps.Copy(all, now.Content(setting.ApplicationKind))
	all["default_branch_protection_defaults"], err = json.Marshal(branchProtection(now.DefaultBranchProtection))
	return all, err
}

// ChangeApplication changes settings of the application. If one value breaks a rule, nothing changes.
func (s *Service) ChangeApplication(ctx context.Context, given setting.Content) error {
	known, err := setting.All(s.store.Settings.Current().Values)
	if err != nil {
		return err
	}
	chosen, broken, count := setting.Content{}, fieldErrors{}, 0
	for name, value := range given {
		_, acts := known[name]
		if !acts && !isNamed(name) {
			continue // nobody knows the name
		}
		count++
		if wrong := refusal(name, value); !acts && wrong != "" {
			broken.add(name, wrong)
		} else if fixed[name] == "" {
			chosen[name] = value
		}
	}
	if count == 0 {
		return apierr.BadParameter("settings are missing, at least one parameter must be provided")
	}
	s.checkApplication(chosen, broken)
	if err := broken.err(); err != nil || len(chosen) == 0 {
		return err
	}
	return s.change(ctx, setting.ApplicationKind, chosen, s.Application, nil)
}

// refusal returns why a setting without an effect cannot have a value, or an empty text.
func refusal(name string, value json.RawMessage) string {
	always, isFixed := fixed[name]
	switch {
	case isFixed && same(value, json.RawMessage(always)):
		return ""
	case isFixed:
		return "cannot be changed on this instance: it is always " + strings.Trim(always, `"`)
	case isRefused(name):
		return "is not supported by this instance"
	case isSecret(name):
		return "is a secret of a service that this instance does not use"
	case len(value) > maxKept:
		return fmt.Sprintf("is too long (maximum is %d bytes)", maxKept)
	}
	return ""
}

// checkApplication checks the settings of the application as they would be after a change.
func (s *Service) checkApplication(chosen setting.Content, broken fieldErrors) {
	after, err := setting.Over(s.store.Settings.Current().Values, chosen)
	if err != nil {
		broken.add("base", "has a value of a wrong type")
		return
	}
	for _, rule := range rules {
		rule(&after, broken)
	}
}

// protectionRole is a role in what a level of branch protection means.
type protectionRole struct {
	AccessLevel model.Access `json:"access_level"`
}

// protection is what a level of branch protection means.
type protection struct {
	Push      []protectionRole `json:"allowed_to_push"`
	Force     bool             `json:"allow_force_push"`
	Merge     []protectionRole `json:"allowed_to_merge"`
	FirstPush bool             `json:"developer_can_initial_push"`
}

// branchProtection returns what a level of branch protection means.
func branchProtection(level int64) protection {
	role := func(r model.Access) []protectionRole { return []protectionRole{{r}} }
	switch level {
	case 0:
		return protection{Push: role(model.Developer), Force: true, Merge: role(model.Developer)}
	case 1:
		return protection{Push: role(model.Developer), Merge: role(model.Developer)}
	}
	return protection{Push: role(model.Maintainer), Merge: role(model.Maintainer), FirstPush: level == 3}
}
