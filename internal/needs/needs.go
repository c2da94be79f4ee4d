// Package needs skips tests that need more of a machine than Go. A skip says
// why; where the environment variable PIFS_REQUIRE names the need, as in
// PIFS_REQUIRE=fuse,rg,real, or has the word all, it is a failure instead.
package needs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// missing skips the test, or fails it if the need is required.
func missing(t testing.TB, need, reason string) {
	t.Helper()
	required := strings.Split(os.Getenv("PIFS_REQUIRE"), ",")
	if slices.Contains(required, need) || slices.Contains(required, "all") {
		t.Fatalf("required by PIFS_REQUIRE: %s: %s", need, reason)
	}
	t.Skipf("%s (PIFS_REQUIRE=%s makes this a failure)", reason, need)
}

// Program returns the path of a program. Its name is the need's.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		missing(t, name, "there is no program "+name)
	}
	return path
}

// Root needs the test to be run by root.
func Root(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		missing(t, "root", "not run by root")
	}
}

// FUSE needs a machine on which this user can mount: with /dev/fuse, and with
// fusermount3 if it is not root.
func FUSE(t testing.TB) {
	t.Helper()
	device, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		missing(t, "fuse", err.Error())
	}
	device.Close()
	if os.Geteuid() != 0 {
		if _, err := exec.LookPath("fusermount3"); err != nil {
			missing(t, "fuse", "neither root, nor is there fusermount3")
		}
	}
}

// Fusermount needs an ordinary user to be able to mount.
func Fusermount(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("fusermount3"); err != nil {
		missing(t, "fusermount", "there is no fusermount3")
	}
	device, err := os.Stat("/dev/fuse")
	switch {
	case err != nil:
		missing(t, "fusermount", err.Error())
	case device.Mode().Perm()&0o006 != 0o006:
		missing(t, "fusermount", "/dev/fuse is not for ordinary users (chmod 666 /dev/fuse)")
	}
}

// inForceEnv marks the process in which file modes are in force for root.
const inForceEnv = "PIFS_TEST_MODES_IN_FORCE"

// ModesInForce tells the test to go on if file modes are in force for it. Root
// passes over them: then the test is run once more in a process of root's without
// that capability, and this one is to end.
func ModesInForce(t *testing.T) bool {
	t.Helper()
	if os.Geteuid() != 0 || os.Getenv(inForceEnv) != "" {
		return true
	}
	setpriv := Program(t, "setpriv")
	again := exec.Command(setpriv, "--bounding-set", "-dac_override,-dac_read_search", "--",
		os.Args[0], "-test.v", "-test.run", "^"+t.Name()+"$")
	again.Env = append(os.Environ(), inForceEnv+"=1")
	if out, err := again.CombinedOutput(); err != nil {
		t.Errorf("without root's power over files: %v\n%s", err, out)
	}
	return false
}

// RealSessions returns the directory of session files that pi itself wrote in
// use: PIFS_REAL_SESSIONS, else shared/sessions/real beside the work tree.
func RealSessions(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("PIFS_REAL_SESSIONS")
	if dir == "" {
		dir = filepath.Join(filepath.Dir(Module(t)), "shared", "sessions", "real")
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*.jsonl")); err != nil || len(files) == 0 {
		missing(t, "real", "no session files in "+dir)
	}
	return dir
}

// Module returns the directory of this module: the one with go.mod, at or above
// the test's.
func Module(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir != "/" {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal("no go.mod above the working directory")
	return ""
}

// Pi needs the real pi, where scripts/oracle/run has installed it.
func Pi(t testing.TB) {
	t.Helper()
	home := os.Getenv("PI_ORACLE_HOME")
	if home == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			missing(t, "pi", err.Error())
		}
		home = filepath.Join(cache, "pi-oracle")
	}
	if _, err := os.Stat(filepath.Join(home, "node_modules", "@earendil-works", "pi-coding-agent")); err != nil {
		missing(t, "pi", "the real pi is not installed; scripts/oracle/run does it: "+err.Error())
	}
}
