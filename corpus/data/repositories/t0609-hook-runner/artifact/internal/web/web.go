// Package web takes webhooks and shows results.
package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"html/template"
	"io"
	"net/http"

	"hookrunner.example/runner/internal/run"
)

var page = template.Must(template.New("page").Parse(`<!doctype html>
<title>Runs</title>
<table>{{range .}}
<tr><td>{{.At.Format "2006-01-02 15:04"}}</td><td>{{.Hook}}</td><td>{{.Ref}}</td><td>{{if .OK}}done{{else}}failed{{end}}</td>
<td><a href="/runs/{{.ID}}">log</a></td></tr>{{end}}
</table>`))

// Handler routes the requests; everything but the hooks needs the status token.
func Handler(runner *run.Runner, secret []byte, token string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /hooks/{name}", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || !signed(body, r.Header.Get("X-Signature"), secret) {
			http.Error(w, "bad signature", http.StatusForbidden)
			return
		}
		var event struct {
			Ref string `json:"ref"`
		}
		if err := json.Unmarshal(body, &event); err != nil {
			http.Error(w, "not JSON", http.StatusBadRequest)
			return
		}
		if _, err := runner.Start(r.Context(), r.PathValue("name"), event.Ref); err != nil {
			http.Error(w, "not started", http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /{$}", withToken(token, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = page.Execute(w, runner.Last())
	}))
	mux.HandleFunc("GET /runs/{id}", withToken(token, func(w http.ResponseWriter, r *http.Request) {
		text, err := runner.Log(r.PathValue("id"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(text)
	}))
	return mux
}

func signed(body []byte, header string, secret []byte) bool {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	got, err := hex.DecodeString(header)
	return err == nil && hmac.Equal(got, mac.Sum(nil))
}

func withToken(token string, next http.HandlerFunc) http.HandlerFunc {
	want := []byte(token)
	return func(w http.ResponseWriter, r *http.Request) {
		_, given, _ := r.BasicAuth()
		if subtle.ConstantTimeCompare([]byte(given), want) != 1 {
			w.Header().Set("WWW-Authenticate", `Basic realm="runs"`)
			http.Error(w, "token required", http.StatusUnauthorized)
			return
		}
		next(w, r)
	}
}
