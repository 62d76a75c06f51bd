package setting

// Appearance holds the texts, colors and pictures that administrators add to the pages.
type Appearance struct {
	Title                  string `json:"title"`
	Description            string `json:"description"`
	Logo                   string `json:"logo"`        // file name of the picture on the sign-in page
	HeaderLogo             string `json:"header_logo"` // file name of the picture at the top of all pages
	Favicon                string `json:"favicon"`     // file name of the icon of the pages
	MemberGuidelines       string `json:"member_guidelines"`
	NewProjectGuidelines   string `json:"new_project_guidelines"`
	ProfileImageGuidelines string `json:"profile_image_guidelines"`
	HeaderMessage          string `json:"header_message"`
	FooterMessage          string `json:"footer_message"`
	MessageBackgroundColor string `json:"message_background_color"`
	MessageFontColor       string `json:"message_font_color"`
}

// DefaultAppearance returns the appearance of an instance on which nobody has set anything.
func DefaultAppearance() Appearance {
	return Appearance{MessageBackgroundColor: "#e75e40", MessageFontColor: "#ffffff"}
}
