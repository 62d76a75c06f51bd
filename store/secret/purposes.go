package secret

// The purposes for which secrets in the database are sealed. A purpose is a part of the key: its text must never change.
const (
	InstancePurpose      = "instance" // the value that the secret key is checked against
	SecondFactorPurpose  = "one-time passwords"
	AlertPurpose         = "alert integrations"
	ErrorTrackingPurpose = "error tracking"
	SiteKeyPurpose       = "keys of sites"
	ACMEAccountPurpose   = "accounts of authorities"
	FeatureFlagsPurpose  = "feature flags"
	TerraformPurpose     = "terraform states"
	SecureFilesPurpose   = "secure files"
	WebhookPurpose       = "webhooks"
	StatusCheckPurpose   = "external status checks"
	SigningKeyPurpose    = "oauth signing keys"
	HostKeyPurpose       = "ssh host keys"
	ImportPurpose        = "imports" // addresses of repositories on other servers
	MailPurpose          = "mail"    // mails that wait in the queue
)
