package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"os"
	"time"

	"hookrunner.example/runner/internal/notify"
	"hookrunner.example/runner/internal/run"
	"hookrunner.example/runner/internal/web"
)

func main() {
	path := flag.String("config", "hooks.json", "hooks")
	logs := flag.String("logs", "logs", "folder of the logs")
	ca := flag.String("ca", "", "PEM file of a private certificate authority")
	listen := flag.String("listen", "127.0.0.1:8090", "address")
	flag.Parse()

	raw, err := os.ReadFile(*path)
	if err != nil {
		log.Fatal(err)
	}
	var cfg struct {
		Hooks map[string]run.Hook `json:"hooks"`
	}
	if err := json.Unmarshal(raw, &cfg); err != nil {
		log.Fatalf("%s: %v", *path, err)
	}
	secret, token := os.Getenv("HOOK_SECRET"), os.Getenv("STATUS_TOKEN")
	if secret == "" || token == "" {
		log.Fatal("HOOK_SECRET and STATUS_TOKEN have to be set")
	}
	client, err := notify.Client(*ca)
	if err != nil {
		log.Fatal(err)
	}
	runner := run.New(cfg.Hooks, *logs, newID, client)
	server := &http.Server{
		Addr:              *listen,
		Handler:           web.Handler(runner, []byte(secret), token),
		ReadHeaderTimeout: 5 * time.Second,
	}
	log.Fatal(server.ListenAndServe())
}

func newID() string {
	var b [12]byte
	if _, err := rand.Read(b[:]); err != nil {
		log.Fatal(err)
	}
	return hex.EncodeToString(b[:])
}
