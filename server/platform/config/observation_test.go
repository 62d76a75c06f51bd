package config

import (
	"strings"
	"testing"
)

func TestSettingsOfTracesAndTheAuditStreamAreChecked(t *testing.T) {
	t.Parallel()
	good := []string{
		"--otlp-endpoint=https://collector.example.com", "--otlp-headers=Authorization=Bearer x", "--otlp-sampling=0.1",
		"--audit-url=https://user:p4ss@audit.example.com/in", "--audit-header=Authorization: Bearer x", "--slow-request=1s",
	}
	cfg, err := Load(good, nil)
	if err != nil || cfg.OTLPSampling != 0.1 {
		t.Errorf("%v %v", cfg.OTLPSampling, err)
	}
	if shown := cfg.String(); strings.Contains(shown, "Bearer") || strings.Contains(shown, "p4ss") {
		t.Errorf("secrets are shown: %s", shown)
	}
	for _, bad := range []string{
		"--otlp-endpoint=collector:4318", "--otlp-endpoint=http://a:s3cret@b", "--otlp-headers=s3cret", "--otlp-sampling=2",
		"--otlp-sampling=-0.1", "--otlp-sampling=NaN", "--otlp-sampling=half", "--audit-url=ftp://x", "--audit-url=s3cret",
		"--audit-header=s3cret", "--audit-header=A: s3cret\x01", "--slow-request=-1s",
	} {
		if _, err := Load([]string{bad}, nil); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
