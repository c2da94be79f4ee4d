package command

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"path/filepath"
	"time"
)

// serveProfiles serves the profiles of net/http/pprof on a socket that only this
// user can open, and returns its path. stop removes it.
func serveProfiles() (path string, stop func(), err error) {
	dir, err := os.MkdirTemp("", "pifs-debug-")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, "pprof.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		return "", nil, errors.Join(fmt.Errorf("can't serve profiles: %w", err), os.RemoveAll(dir))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	return path, func() {
		_ = server.Close()
		_ = os.RemoveAll(dir)
	}, nil
}
