package avatars

import (
	"net/http/httptest"
	"testing"

	"svc/store/model"
)

func TestAnAnswerIsNotSentTwice(t *testing.T) {
	t.Parallel()
	a := avatarResponse{picture: model.Avatar{
		FileName: "x.png", ContentType: "image/png", Digest: []byte("digest"), Data: []byte("data"),
	}}
	for match, want := range map[string]int{
		"": 200, `"other"`: 200, `"ZGlnZXN0"`: 304, `"a", W/"ZGlnZXN0"`: 304, "*": 304,
	} {
		a.match = match
		w := httptest.NewRecorder()
		if err := a.write(w); err != nil || w.Code != want || (w.Code == 200) != (w.Body.String() == "data") {
			t.Errorf("%s: %d %q, %v", match, w.Code, w.Body, err)
		}
	}
}
