package web

// home leads on: there is nothing yet that a person sees here.
func (w *Web) home(v *Visit) error {
	if v.Actor == nil {
		return v.Redirect("/users/sign_in")
	}
	return v.Show(200, "home", "Home", nil)
}

// nav is where a person who is signed in can go.
func (v *Visit) nav() []navGroup {
	return nil
}
