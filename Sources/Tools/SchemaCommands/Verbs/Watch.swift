import Foundation
import SchemaDiagnostics
package import SchemaDriver
import SchemaModel
import SchemaReports

/// `trellis watch`: checks schema files on every save.
package enum Watch: Verb {
  package static let name = "watch"
  package static let summary = "Check schema files on every save, and optionally generate code"
  package static let options: Set<String> = Generate.options
  package static let help = """
    Usage: trellis watch [PATH…]
           trellis watch --out FOLDER [--module NAME] [--target NAME]
                         [--access internal|package|public] [--config FILE] [PATH…]

    Runs 'trellis check' at once, and again after every save of a schema file or a Swift file with models,
    until you press Ctrl-C. Prints the findings and the number of fixed findings, and nothing if there are
    none. Added, renamed and removed files count as saves.

    PATH is a schema file or a folder. The default is every schema below the current folder.

      --out FOLDER     also run 'trellis generate' with its other options, unless there is an error.
                       A build with the plugin does not need this option

    Exits with 0 after Ctrl-C, and with 2 if PATH does not exist.

    """

  /// The findings of a check.
  private struct Findings {
    var text = ""
    /// The path and message of each finding. Line numbers are omitted, because they change.
    var titles: [String] = []
  }

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard let console = session.console else {
      throw DriverFailure(["error: 'trellis watch' must run as a separate process"], .usage)
    }
    _ = try arguments.access()
    let folders = try folders(arguments.files, session)
    let out = arguments["--out"].map(session.path)
    // Renames are atomic, so the process can exit at any time. The parent process may have blocked the signal.
    signal(SIGINT) { _ in _exit(0) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
    sigprocmask(SIG_UNBLOCK, &signals, nil)
    let shown = folders.map(session.shown).joined(separator: ", ")
    var isRead = console.write("watching \(shown); press Ctrl-C to stop\n")
    var seen: FileStamps?
    var last = Findings()
    let clock = ContinuousClock()
    while isRead {
      let start = clock.now
      var now = FileStamps(folders, except: out)
      let duration = clock.now - start
      if now != seen {
        // Editors may write a file in several steps.
        while seen != nil, now != seen {
          seen = now
          Thread.sleep(forTimeInterval: 0.05)
          now = FileStamps(folders, except: out)
        }
        seen = now
        let found = findings(arguments, session)
        let text = report(found, after: last)
        last = found
        if !text.isEmpty { isRead = console.write(text) }
      }
      // Use at most a tenth of a processor for large packages.
      Thread.sleep(forTimeInterval: max(0.15, 10 * (duration / .seconds(1))))
    }
    return .clean
  }

  /// Returns the folders to watch: the given folders, and the folders of the given files and their targets.
  private static func folders(_ paths: [String], _ session: Session) throws(DriverFailure) -> [String] {
    var folders: Set<String> = []
    for path in paths.isEmpty ? [session.folder] : paths.map(session.path) {
      switch SchemaPaths.kind(of: path.isEmpty ? "." : path) {
      case nil: throw DriverFailure(["\(path): error: no such file or folder"], .usage)
      case .folder: folders.insert(path.isEmpty ? "." : path)
      case .file:
        let home = SchemaFolder.folder(of: path)
        let target = path.hasSuffix(SchemaPaths.swiftSuffix) ? SwiftTarget(ofFile: path) : SwiftTarget(home: home)
        folders.formUnion([home.isEmpty ? "." : home] + [target?.sources, target?.home].compactMap(\.self))
      }
    }
    return folders.sorted()
  }

  private static func findings(_ arguments: Arguments, _ session: Session) -> Findings {
    do {
      let compiled = try CompiledSchemas(arguments.files, session)
      var found = Findings(text: ExcerptRenderer(files: compiled.files).render(compiled.diagnostics))
      found.titles = compiled.diagnostics.map { "\(compiled.files[$0.range.file].path): \($0)" }
      if arguments["--out"] != nil, !compiled.diagnostics.hasErrors {
        var generated = Session(folder: session.folder)
        if try Generate.run(arguments, &generated) != .clean {
          found.text += generated.findings
          found.titles.append(generated.findings)
        }
      }
      return found
    } catch let failure as DriverFailure {
      return Findings(text: failure.messages.joined(separator: "\n") + "\n", titles: failure.messages)
    } catch {
      let text = "error: \(error.localizedDescription)"
      return Findings(text: text + "\n", titles: [text])
    }
  }

  private static func report(_ found: Findings, after last: Findings) -> String {
    var fixed = last.titles
    for title in found.titles {
      if let index = fixed.firstIndex(of: title) { fixed.remove(at: index) }
    }
    guard !fixed.isEmpty else { return found.text }
    let count = fixed.count == 1 ? "1 finding fixed" : "\(fixed.count) findings fixed"
    let left = found.titles.isEmpty ? "none remaining" : "\(found.titles.count) remaining"
    return found.text + "\(count), \(left)\n"
  }
}
