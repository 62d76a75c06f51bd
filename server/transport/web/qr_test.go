package web

import (
	"image"
	"image/color"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"svc/server/domain/account"

	"svc/server/transport/web/page"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

var (
	viewBox = regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`)
	runs    = regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1h-\d+z`)
)

// seen returns the text that a camera would read from an SVG.
func seen(t *testing.T, svg string) string {
	t.Helper()
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	const scale = 4
	size := number(viewBox.FindStringSubmatch(svg)[1])
	picture := image.NewGray(image.Rect(0, 0, size*scale, size*scale))
	for i := range picture.Pix {
		picture.Pix[i] = 255
	}
	for _, run := range runs.FindAllStringSubmatch(svg, -1) {
		for x := number(run[1]) * scale; x < (number(run[1])+number(run[3]))*scale; x++ {
			for y := number(run[2]) * scale; y < (number(run[2])+1)*scale; y++ {
				picture.SetGray(x, y, color.Gray{})
			}
		}
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		t.Fatal(err)
	}
	found, err := qrcode.NewQRCodeReader().Decode(bitmap, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found.GetText()
}

func TestACameraReadsTheCode(t *testing.T) {
	t.Parallel()
	_, address := account.Setup("svc git.example.com:8443", strings.Repeat("long-name.", 8)+"x")
	for _, text := range []string{
		address, "a", "otpauth://totp/svc:ann?secret=JBSWY3DPEHPK3PXP&issuer=svc", strings.Repeat("0123456789", 60),
	} {
		svg, err := qrCode(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := seen(t, string(svg)); got != text {
			t.Errorf("read %q, want %q", got, text)
		}
	}
	if _, err := qrCode(strings.Repeat("x", 5000)); err == nil {
		t.Error("a text that does not fit is no failure")
	}
}

func TestEveryTemplateIsRead(t *testing.T) {
	t.Parallel()
	if err := page.NewTemplates(templates).Check(); err != nil {
		t.Error(err)
	}
}
