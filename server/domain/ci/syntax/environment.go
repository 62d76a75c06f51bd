package syntax

import "strings"

const (
	maxEnvironment = 255
	maxURL         = 2048
)

// environment reads a name, or a dictionary.
func (d decoder) environment(path string, v *value) *Environment {
	env := &Environment{Action: "start"}
	if v.isScalar() {
		env.Name = v.text
		d.environmentName(path, env, v)
		return env
	}
	if v.kind != dict {
		d.fail(v.at, "%s config should be a hash or a string", path)
		return nil
	}
	d.object(path, v, fields{
		"name": func(v *value) { env.Name = d.text(path+" name", v) },
		"url": func(v *value) {
			if env.URL = d.text(path+" url", v); len(env.URL) > maxURL {
				d.fail(v.at, "%s url is too long (maximum is %d characters)", path, maxURL)
			}
		},
		"action": func(v *value) {
			env.Action = d.choice(path+" action", v, "start", "stop", "prepare", "verify", "access")
		},
		"on_stop": func(v *value) { env.OnStop = d.text(path+" on stop", v) },
		"auto_stop_in": func(v *value) {
			d.expiry(path+" auto stop in", v)
			env.AutoStopIn = v.text
		},
		"deployment_tier": func(v *value) {
			env.DeploymentTier = d.choice(path+" deployment tier", v, "production", "staging", "testing", "development", "other")
		},
		"kubernetes": func(v *value) {
			d.fail(v.at, "%s kubernetes is not supported: this service does not support Kubernetes clusters", path)
		},
	})
	d.environmentName(path, env, v)
	return env
}

func (d decoder) environmentName(path string, env *Environment, v *value) {
	switch {
	case env.Name == "":
		d.fail(v.at, "%s name can't be blank", path)
	case len(env.Name) > maxEnvironment:
		d.fail(v.at, "%s name is too long (maximum is %d characters)", path, maxEnvironment)
	}
}

// expiry checks a duration. The value may also be "never", or contain a variable that is set only in the job.
func (d decoder) expiry(subject string, v *value) {
	if v.kind == text && (v.text == "never" || strings.Contains(v.text, "$")) {
		return
	}
	d.duration(subject, v, maxDuration)
}
