package main

import (
	"flag"
	"log"
	"net/http"
	"os"
	"time"

	"gopkg.in/yaml.v3"

	"blobgate.example/gate/internal/mirror"
	"blobgate.example/gate/internal/store"
	"blobgate.example/gate/internal/web"
)

type config struct {
	Listen   string        `yaml:"listen"`
	Root     string        `yaml:"root"`
	TokenEnv string        `yaml:"token_env"`
	Mirror   mirror.Config `yaml:"mirror"`
}

func main() {
	path := flag.String("config", "gate.yaml", "configuration file")
	flag.Parse()

	raw, err := os.ReadFile(*path)
	if err != nil {
		log.Fatal(err)
	}
	var cfg config
	if err := yaml.Unmarshal(raw, &cfg); err != nil {
		log.Fatalf("%s: %v", *path, err)
	}
	token := os.Getenv(cfg.TokenEnv)
	if token == "" {
		log.Fatalf("%s is empty", cfg.TokenEnv)
	}

	blobs, err := store.Open(cfg.Root)
	if err != nil {
		log.Fatal(err)
	}
	if cfg.Mirror.URL != "" {
		go mirror.Run(cfg.Mirror, blobs)
	}
	server := &http.Server{
		Addr:              cfg.Listen,
		Handler:           web.Handler(blobs, token),
		ReadHeaderTimeout: 5 * time.Second,
	}
	log.Fatal(server.ListenAndServe())
}
