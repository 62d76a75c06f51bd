package server

import (
	"context"
	"errors"

	"svc/server/platform/config"
	"svc/server/platform/outbound"
)

// Reload puts those settings into force that may change while the service runs, and reads the files of certificates
// again. Requests and connections go on. After an error everything stays as it was.
func (s *Server) Reload(cfg config.Config) error {
	way, err := s.services.mailer.NewWay(cfg.SMTPURL, cfg.Sender())
	allow, wrong := outbound.ParseAllowlist(cfg.WebhookAllow)
	if err := errors.Join(err, wrong); err != nil {
		return err
	}
	ctx := context.Background()
	if err := s.services.putSettings(ctx, cfg); err != nil {
		return err
	}
	if s.certificate != nil {
		changed, err := s.certificate.load(cfg) // last, because it cannot be undone
		if err != nil {
			return errors.Join(err, s.services.putSettings(ctx, *s.services.live.Get()))
		}
		if changed {
			s.certificate.announce()
		}
	}
	s.services.mailer.Use(way)
	s.services.hookClient.SetAllowlist(allow)
	s.services.live.Set(cfg)
	if s.sites != nil {
		if err := s.sites.files.LoadCertificate(); err != nil {
			s.logger.Error("cannot reload the certificate of sites; keeping the old one", "error", err)
		}
	}
	return nil
}
