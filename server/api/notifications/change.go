package notifications

import (
	"encoding/json"
)

// flagsFrom returns the event flags of a body: all its members that are true or false.
func flagsFrom(body any) (map[string]bool, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	given := map[string]any{}
	if err := json.Unmarshal(text, &given); err != nil {
		return nil, err
	}
	flags := map[string]bool{}
	for name, value := range given {
		if set, ok := value.(bool); ok {
			flags[name] = set
		}
	}
	return flags, nil
}
