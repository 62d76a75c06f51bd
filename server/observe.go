package server

import (
	"fmt"
	"os"

	"svc/server/domain/auditstream"
	"svc/server/platform/build"
	"svc/server/platform/outbound"
	"svc/server/platform/telemetry"
	"svc/store/observe"
)

// addObservation creates what watches the service from outside: traces and the audit stream. Both are off by default.
func (s *services) addObservation() error {
	if err := s.addTraces(); err != nil {
		return err
	}
	return s.addAuditStream()
}

func (s *services) addTraces() (err error) {
	if s.cfg.OTLPEndpoint == "" {
		return nil
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	s.exporter, err = telemetry.New(telemetry.Options{
		Endpoint: s.cfg.OTLPEndpoint, Headers: s.cfg.OTLPHeaders, Instance: fmt.Sprintf("%s:%d", host, os.Getpid()),
		Version: build.Read().Version, Logger: s.logger,
	})
	if err != nil {
		return err
	}
	s.tracer = observe.NewTracer(s.exporter, s.cfg.OTLPSampling)
	return nil
}

func (s *services) addAuditStream() error {
	o := auditstream.Options{Store: s.store, Logger: s.logger, File: s.cfg.AuditFile}
	if s.cfg.AuditURL != "" {
		allow, err := outbound.ParseAllowlist(s.cfg.WebhookAllow)
		if err != nil {
			return err
		}
		client := outbound.New(outbound.Options{Allow: allow, OwnURL: s.cfg.URL})
		o.HTTP, err = auditstream.NewHTTP(client, s.cfg.AuditURL, s.cfg.AuditHeader, "svc/"+build.Read().Version)
		if err != nil {
			return err
		}
	}
	var err error
	s.auditStream, err = auditstream.New(o)
	return err
}
