package present

import (
	"svc/gen"
	"svc/store/model"
)

// Application shows an application without its secret.
func Application(a model.OAuthApplication) gen.Application {
	return gen.Application{
		ID:              a.ID,
		ApplicationID:   a.UID,
		ApplicationName: a.Name,
		CallbackURL:     a.RedirectURI,
		Confidential:    a.Confidential,
	}
}

// ApplicationWithSecret shows an application with a new secret, which nobody can show again.
func ApplicationWithSecret(a model.OAuthApplication, secret string) gen.ApplicationWithSecret {
	return gen.ApplicationWithSecret{
		ID:              a.ID,
		ApplicationID:   a.UID,
		ApplicationName: a.Name,
		CallbackURL:     a.RedirectURI,
		Confidential:    a.Confidential,
		Secret:          secret,
	}
}
