package present

import (
	"svc/gen"
	"svc/store/model"
)

// Application presents an application without its secret.
func Application(a model.OAuthApplication) gen.Application {
	return gen.Application{
		ID:              a.ID,
		ApplicationID:   a.UID,
		ApplicationName: a.Name,
		CallbackURL:     a.RedirectURI,
		Confidential:    a.Confidential,
	}
}

// ApplicationWithSecret presents an application with a new secret, which the service cannot show again.
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
