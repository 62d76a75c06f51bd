package config

import (
	"reflect"
	"sync/atomic"
)

// Live holds the settings in force, for the parts of the service that follow changes while it runs.
type Live struct{ current atomic.Pointer[Config] }

// NewLive returns the settings of a service that starts.
func NewLive(cfg Config) *Live {
	l := &Live{}
	l.Set(cfg)
	return l
}

// Get returns the settings in force. Callers must not change them.
func (l *Live) Get() *Config { return l.current.Load() }

// Set puts settings in force.
func (l *Live) Set(cfg Config) { l.current.Store(&cfg) }

// Reload compares the settings with a later version of them. It returns the settings with everything that may change
// while the service runs, the keys of what changed, and the keys of changes that wait for a restart.
func (c Config) Reload(next Config) (merged Config, changed, restart []string) {
	merged = c
	before, after, into := reflect.ValueOf(c), reflect.ValueOf(next), reflect.ValueOf(&merged).Elem()
	for _, s := range settings() {
		if reflect.DeepEqual(before.Field(s.index).Interface(), after.Field(s.index).Interface()) {
			continue
		}
		if !s.reload || switchesTLS(s.key, c, next) {
			restart = append(restart, s.key)
			continue
		}
		changed = append(changed, s.key)
		into.Field(s.index).Set(after.Field(s.index))
	}
	return merged, changed, restart
}

// switchesTLS reports whether a change of a setting turns TLS on or off, or lets another side provide the certificate.
// That needs a restart.
func switchesTLS(key string, before, after Config) bool {
	switch key {
	case "tls-cert", "tls-key", "hsts":
		return (before.TLSCert == "") != (after.TLSCert == "") || before.TLSACME != after.TLSACME
	default:
		return false
	}
}
