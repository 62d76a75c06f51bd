package doctor

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"svc/server/platform/keypair"
)

// checkCertificate checks the certificate of the service, if the service speaks TLS.
func (d *Doctor) checkCertificate(_ context.Context, r *Result) error {
	if !d.Config.TLS() {
		r.Note = "the service does not speak TLS"
		return nil
	}
	certificate, key := d.Config.TLSCert, d.Config.TLSKey
	repair := "Renew it; a running service takes the new files within a minute, or at once after systemctl reload svc."
	if d.Config.TLSACME {
		certificate = filepath.Join(d.Config.Data, "acme", d.Config.Hostname()+".pem")
		key = certificate
		repair = "Look at the log of the service: it says why the authority issues no certificate."
	}
	var files keypair.Files
	if _, err := files.Load(certificate, key); err != nil {
		r.problem(repair, "the certificate of the service: %v", err)
		return nil
	}
	current := files.Get()
	if text := keypair.Warning(current, d.Config.Hostname(), d.Now()); text != "" {
		r.problem(repair, "%s (%s, for %s, until %s)", text, certificate, d.Config.Hostname(), current.Leaf.NotAfter.Format(time.RFC3339))
	}
	r.Note = "the certificate is valid until " + current.Leaf.NotAfter.Format(time.RFC3339)
	info, err := os.Stat(key)
	if err == nil && info.Mode().Perm()&0o007 != 0 { // its group may read it: on some systems, a group is for that
		r.problem("chmod o= "+key, "all users of this machine can read %s (mode %04o)", key, info.Mode().Perm())
	}
	return err
}
