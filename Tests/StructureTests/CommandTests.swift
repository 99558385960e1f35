import Foundation
import Testing

/// The requirements of scripts and tests: the toolchain, SQLite's headers and the commands in `Tests/commands.txt`.
@Suite struct CommandTests {
  private static let scripts = [
    "run", ".ci/run", "Sources/Sample/demo.sh", "Tests/test.sh", "Tests/servers.sh", "Tests/build.sh", "Tests/size.sh",
    "Tests/docs.sh", "Tests/Consumers/run.sh", "Tests/Consumers/readme.sh", "Tests/Consumers/tutorial.sh",
    "Tests/Consumers/editor.sh", "Tests/Consumers/studio.sh", "Tests/cluster.sh", "Tests/pooler.sh",
  ]
  /// The scripts that other scripts source.
  private static let sourced = ["run", "Tests/servers.sh", "Tests/build.sh", "Tests/size.sh", "Tests/docs.sh"]
  /// The commands of the toolchain.
  private static let toolchain: Set<String> = ["swift", "swiftc"]
  /// Other commands of scripts that do not run with the restricted PATH: package managers, the programs of the demo, and
  /// validators of published report formats.
  private static let others: [String: Set<String>] = [
    "run": ["apt-get", "sudo"],
    "Tests/servers.sh": ["apt-get", "dpkg-deb"],
    "Sources/Sample/demo.sh": ["sqlite3", "trips", "trips-widget"],
    "Tests/Consumers/editor.sh": ["trellis"],
    "Tests/Consumers/studio.sh": ["trellis-store"],
    reports: ["basename", "python3", "realpath", "xmllint"],
  ]
  private static let reports = "Tests/Consumers/reports.sh"

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
  }

  private static func listed() throws -> Set<String> {
    let lines = try text("Tests/commands.txt").split(separator: "\n")
    return Set(lines.filter { !$0.hasPrefix("#") }.map(String.init))
  }

  @Test(arguments: scripts + [reports])
  func scriptsCallOnlyListedCommands(_ path: String) throws {
    var allowed = try Self.listed().union(Self.toolchain).union(Self.others[path] ?? [])
    for script in Self.sourced { allowed.formUnion(ShellScript.functions(in: try Self.text(script))) }
    let called = ShellScript.commands(in: try Self.text(path))
    #expect(!called.isEmpty || path == ".ci/run")
    #expect(called.subtracting(allowed).sorted() == [], "\(path) calls what Tests/commands.txt does not list")
  }

  @Test func everyScriptIsChecked() throws {
    let root = SourceTree.root
    let tracked = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "Tests").path)
      .filter { $0.hasSuffix(".sh") }.map { "Tests/\($0)" }
    #expect(Set(tracked).subtracting(Self.scripts + [Self.reports]) == [])
  }

  /// Tests call commands with `Program.command`, and the tool calls them with `/usr/bin/env`.
  @Test func testsAndToolsCallOnlyListedCommands() throws {
    let allowed = try Self.listed().union(Self.toolchain)
    var called: Set<String> = []
    for folder in ["Tests", "Sources", "Plugins", "Benchmarks/Sources"] {
      for file in try SourceTree.files(below: folder) where !file.path.hasSuffix("/\(Self.ownName)") {
        let text = file.lines.joined(separator: "\n")
        // Search for these words first, because matching all sources is slow.
        let words = ["Program.command", "bin/", "posix_spawn", "popen"]
        guard words.contains(where: { text.range(of: $0) != nil }) else { continue }
        for match in text.matches(of: /Program\.command\(\s*"([^"]+)"/) { called.insert(String(match.1)) }
        for match in text.matches(of: /"\/usr\/bin\/env"[^\[]*\[\s*"([^"]+)"/) { called.insert(String(match.1)) }
        let paths = text.matches(of: /"(\/(?:usr\/)?(?:local\/)?s?bin\/[^"]*)"/).map { String($0.1) }
        #expect(Set(paths).subtracting(["/usr/bin/env"]) == [], "\(file.path) starts a command by its path")
        #expect(!text.contains("posix_spawn(") && !text.contains("popen("), "\(file.path) starts a process by itself")
      }
    }
    #expect(called.isSuperset(of: ["bash", "git"]))
    #expect(called.subtracting(allowed).sorted() == [], "Tests/commands.txt does not list them")
  }

  private static let ownName = "CommandTests.swift"

  @Test func commandsOfAScriptAreFound() {
    let script = """
      #!/bin/bash
      set -u
      here=$(cd "$(dirname "$0")" && pwd) # not this
      fail() { printf 'no %s; rm\\n' "$1" >&2; exit 1; }
      LANG=C sort <<<"$(uniq file)" | tee "log" 2>&1 >out
      if ! grep -q "a $(id -u) b" file; then fail "sed"; else cut -c1; fi
      case "$1" in
        one | two) ls ;;
        *\\'*) x="$(who)" ;;
      esac
      for word in cp mv; do "$word" 'tail'; ./other; done
      as_root env A=1 apt-get install make
      options=(--path "$here" nl)
      cat <<'TEXT'
      join this
      TEXT
      [ -e file ] && (wc -l) || [[ $a == b ]]
      count=$((1 + 2)); while read -r line; do uptime; done < <(seq 3)
      """
    #expect(
      ShellScript.commands(in: script).sorted() == [
        "apt-get", "as_root", "cat", "cut", "dirname", "env", "grep", "id", "ls", "seq", "sort", "tee", "uniq",
        "uptime",
        "wc", "who",
      ])
  }
}
