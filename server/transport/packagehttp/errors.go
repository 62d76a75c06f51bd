package packagehttp

import (
	"errors"
	"net/http"

	"svc/server/platform/apierr"
	"svc/store"
)

// basicChallenge asks for a credential by Basic authentication. Some clients compare the realm, so it must be exactly this.
const basicChallenge = `Basic realm="GitLab Packages Registry"`

// explain turns an error into the response that the clients of the format understand. A project that an anonymous caller
// cannot see, or a role that they do not have, is a 401, because a credential may help.
func (c *call) explain(err error) error {
	if err == nil {
		return nil
	}
	if !c.reads() && !c.Response().Committed {
		c.Response().Header().Set("Connection", "close") // the rest of the body may still come, and must not be read as the next request
	}
	if store.IsNotFound(err) {
		err = apierr.NotFound("")
	}
	var e *apierr.Error
	if !errors.As(err, &e) {
		return err
	}
	refused := e.Status == http.StatusUnauthorized
	hidden := c.anonymous() && !c.refused && !c.seen && (e.Status == http.StatusNotFound || e.Status == http.StatusForbidden)
	switch {
	case c.format == "go" && refused: // Go asks the next proxy after a 404, and stops after a 401
		return apierr.NotFound("")
	case c.format == "go" || !refused && !hidden:
		return err
	case hidden:
		errors.As(apierr.Unauthorized(), &e)
	}
	challenged := *e
	challenged.Header = map[string]string{"WWW-Authenticate": basicChallenge}
	return &challenged
}
