package middleware

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestABodyThatComesTooSlowlyTimesOut(t *testing.T) {
	t.Parallel()
	ops := operations(t)
	web := httptest.NewServer(server(t, Fold(ops, 10*time.Millisecond), Validate(ops)))
	defer web.Close()
	multi := "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nn"
	for contentType, part := range map[string]string{"application/json": `{"name":`, "multipart/form-data; boundary=b": multi} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(web.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "PUT /api/v4/things/1 HTTP/1.1\r\nHost: x\r\nContent-Type: "+contentType+
			"\r\nContent-Length: 99\r\n\r\n"+part); err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != 408 || err != nil || strings.TrimSpace(string(body)) != `{"message":"408 Request Timeout"}` ||
			res.Header.Get("X-Error-Code") != "request_timeout" {
			t.Errorf("%s: %d %s %v, %v", contentType, res.StatusCode, body, res.Header, err)
		}
	}
}
