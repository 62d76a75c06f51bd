package quickaction

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"svc/server/platform/apierr"
)

// explainRefusal turns the refusal of a planned change into one message. It returns failures of the service as they are.
func explainRefusal(err error) error {
	if why, refused := refusal(err); refused {
		return apierr.Refused(why)
	}
	return err
}

// refusal returns the message for a caller whose quick action was refused, or false if the error is a failure of the
// service.
func refusal(err error) (string, bool) {
	var answer *apierr.Error
	if !errors.As(err, &answer) || answer.Status >= http.StatusInternalServerError {
		return "", false
	}
	switch m := answer.Body.Message.(type) {
	case []string:
		return strings.Join(m, ", "), true
	case map[string][]string:
		var all []string
		for _, name := range slices.Sorted(maps.Keys(m)) {
			all = append(all, name+" "+strings.Join(m[name], ", "))
		}
		return strings.Join(all, ", "), true
	}
	return answer.Error(), true
}
