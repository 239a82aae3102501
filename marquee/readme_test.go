package marquee_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What the README prints is what is run: its programs, its commands, and the form of their output.

type block struct {
	language, text string
}

func readmeBlocks(t *testing.T) []block {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	for _, found := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, block{found[1], found[2]})
	}
	return blocks
}

// after is the first block of a language after the first one that contains a text.
func after(t *testing.T, blocks []block, text, language string) string {
	t.Helper()
	seen := false
	for _, each := range blocks {
		if seen && each.language == language {
			return each.text
		}
		seen = seen || strings.Contains(each.text, text)
	}
	t.Fatalf("the README has no block of %q after %q", language, text)
	return ""
}

func TestTheReadmePrintsTheExamplesAsTheyAre(t *testing.T) {
	printed := map[string]bool{}
	for _, each := range readmeBlocks(t) {
		printed[each.text] = true
	}
	files, err := filepath.Glob("examples/*/main.go")
	if err != nil || len(files) != 4 {
		t.Fatalf("the examples are %v: %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !printed[string(text)] {
			t.Errorf("the README does not print %s as it is", file)
		}
	}
}

var forms = map[string]string{
	"first-program":  `^The Godfather \(1972\) in the United States:\n(  [^\n]+, \w+: http\S+\n)+$`,
	"whats-new":      `^(\w{3} \d+ \w{3}  [^\n]+ \(\d+\) on [^\n]+\n)+$`,
	"leaving-soon":   `^((any day now|\w{3} \d+ \w{3})  [^\n]+ \(\w+\) leaves [^\n]+\n)+$`,
	"where-to-watch": `^Amélie \(2001\)\n(  [^\n]+: \w+[^\n]*\n)+(Cheapest, with Netflix and Disney\+: http\S+\n)?$`,
}

func TestTheReadmePrintsOutputOfTheRightForm(t *testing.T) {
	blocks := readmeBlocks(t)
	for command, name := range map[string]string{
		"go run .\n": "first-program", "go run ./examples/whats-new": "whats-new",
		"go run ./examples/leaving-soon": "leaving-soon", "go run ./examples/where-to-watch": "where-to-watch",
	} {
		expectForm(t, name, after(t, blocks, command, ""))
	}
}

func expectForm(t *testing.T, name, output string) {
	t.Helper()
	if !regexp.MustCompile(forms[name]).MatchString(output) {
		t.Errorf("%s printed\n%s", name, output)
	}
}

func TestTheFirstProgramOfTheReadme(t *testing.T) {
	needService(t)
	blocks := readmeBlocks(t)
	folder := t.TempDir()
	shell(t, folder, after(t, blocks, "export MARQUEE_URL", "sh"))
	program := after(t, blocks, "go mod init", "go")
	folder = filepath.Join(folder, "first-program")
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	expectForm(t, "first-program", shell(t, folder, after(t, blocks, "go mod init", "sh")))
}

func TestTheExamplesOfTheReadme(t *testing.T) {
	needService(t)
	for _, each := range readmeBlocks(t) {
		command := strings.Fields(each.text)
		if each.language == "sh" && len(command) > 2 && strings.HasPrefix(command[2], "./examples/") {
			expectForm(t, strings.TrimPrefix(command[2], "./examples/"), shell(t, ".", each.text))
		}
	}
}

// shell runs commands as a reader would, with the variables that the README has them set, and returns what they print.
func shell(t *testing.T, folder, commands string) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command("sh", "-e", "-c", commands)
	run.Dir = folder
	run.Env = append(os.Environ(),
		"MARQUEE_URL="+os.Getenv(addressVariable)+"/v4",
		"MARQUEE_KEY="+os.Getenv(directKeyVariable),
		"MARQUEE_CLONE="+filepath.Dir(here),
	)
	var problems strings.Builder
	run.Stderr = &problems
	output, err := run.Output()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", commands, err, problems.String())
	}
	return string(output)
}
