import Foundation
import SchemaDiagnostics
package import SchemaEmitter
import SchemaModel
import SchemaSyntax

/// A generator run, which reads input files and writes output files.
package struct Generation: Sendable {
  /// The current schema files, and Swift files with models that the build has found.
  package var heads: [String]
  /// Released versions and the other files that the plugin found.
  package var inputs: [String] = []
  package var outputFolder: String
  package var module: String
  package var target: String
  package var access: Access
  /// Swift types in the target that have the same name as a type in generated code.
  package var declares: [String] = []
  /// The target's other Swift files.
  package var swiftFiles: [String] = []
  /// The prefix to omit from paths in generated code.
  package var root: String
  /// Folders whose schema files must all be heads or inputs.
  package var completeFolders: [String] = []
  /// The base folder for relative paths in messages, or nil for absolute paths.
  package var shellFolder = Self.shellFolder

  package init(
    heads: [String], outputFolder: String, module: String, target: String,
    access: Access?, root: String
  ) {
    self.heads = heads
    self.outputFolder = outputFolder
    self.module = module
    self.target = target
    self.access = access ?? .internal
    self.root = root
  }

  /// Writes all output files, or none if there is an error.
  ///
  /// - Returns: The messages to print.
  package func run() -> (status: ExitStatus, messages: String) {
    let (status, messages) = result()
    guard let shellFolder else { return (status, messages) }
    let here = shellFolder + "/"
    let lines = messages.split(separator: "\n", omittingEmptySubsequences: false)
    return (status, lines.map { $0.hasPrefix(here) ? $0.dropFirst(here.count) : $0 }.joined(separator: "\n"))
  }

  /// The working directory, if the caller's shell is in the same folder. With an editor or `--package-path`, the build
  /// runs in a different folder, from which readers of the messages would not resolve relative paths.
  private static var shellFolder: String? {
    let here = FileManager.default.currentDirectoryPath
    guard let shell = ProcessInfo.processInfo.environment["PWD"] else { return nil }
    return URL(fileURLWithPath: shell).resolvingSymlinksInPath().path == here ? here : nil
  }

  private func result() -> (status: ExitStatus, messages: String) {
    do {
      try checkListing()
      let (files, report) = try generate()
      try write(files)
      return (.clean, report)
    } catch let failure as DriverFailure {
      return (failure.status, failure.messages.map { $0 + "\n" }.joined())
    } catch {
      return (.usage, "error: \(error.localizedDescription)\n")
    }
  }

  /// Returns the files on disk that differ from the generated files, with old and new contents, and the warnings.
  package func stale() throws -> (files: [(path: String, old: [UInt8]?, new: [UInt8])], messages: String) {
    let (files, messages) = try generate()
    let all = try files.map { file in
      let path = "\(outputFolder)/\(try FileName.checked(file.name))"
      return (path: path, old: FileManager.default.contents(atPath: path).map { Array($0) }, new: file.bytes)
    }
    return (all.filter { $0.old != $0.new }, messages)
  }

  /// Generates the files and returns them with the warnings.
  package func generate() throws -> ([GeneratedFile], String) {
    let clashes = GeneratedNames.clashes(heads)
    guard clashes.isEmpty else { throw DriverFailure(clashes, .usage) }
    let swift = heads.filter { $0.hasSuffix(".swift") } + swiftFiles
    let project = try SchemaProject(
      heads: heads.filter { !$0.hasSuffix(".swift") }, inputs: inputs, isTarget: true, swiftFiles: swift, module: module
    )
    let report = CompilerRenderer(files: project.files, showsLines: true)
      .render(project.diagnostics.unsuppressed(in: project.heads.trees))
    guard !project.diagnostics.hasErrors else {
      throw DriverFailure([String(report.dropLast())], .unparsable)
    }
    var input = EmissionInput(
      histories: project.histories, files: project.files, module: module, target: target,
      access: access, root: root, declares: declares,
      swiftFiles: GeneratedNames.stems(ofSwiftFiles: swift) + project.declaredTypes.ordered())
    input.planned = GeneratedNames.outputs(heads: heads, target: target)
    return (SchemaEmitter.emit(input), report)
  }

  /// Reports schema files that were added after the build was planned, because no outputs are declared for them.
  private func checkListing() throws {
    let known = Set((heads + inputs).map(Self.resolved))
    var missing: [String] = []
    for folder in completeFolders {
      let listing = FileManager.default.enumerator(atPath: folder)
      while let path = listing?.nextObject() as? String {
        guard path.hasSuffix("." + GeneratedNames.schemaSuffix), !Self.isHidden(path) else { continue }
        let full = folder + "/" + path
        if !known.contains(Self.resolved(full)) { missing.append(full) }
      }
    }
    guard missing.isEmpty else {
      throw DriverFailure(
        missing.ordered().map {
          "\($0):1:1: error: the build was planned before this schema file was added; "
            + "save Package.swift again (touch Package.swift) and repeat the build"
        }, .usage)
    }
  }

  /// Returns true for hidden paths, such as temporary files of a tool that was interrupted.
  private static func isHidden(_ path: String) -> Bool {
    path.parts(separatedBy: "/").contains { $0.hasPrefix(".") }
  }

  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  private func write(_ files: [GeneratedFile]) throws {
    let manager = FileManager.default
    let folder = URL(fileURLWithPath: outputFolder, isDirectory: true)
    var written: [(temporary: URL, final: URL)] = []
    do {
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      for file in files {
        let url = folder.appendingPathComponent(try FileName.checked(file.name))
        var isFolder: ObjCBool = false
        if manager.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
          throw DriverFailure(
            ["\(url.path): error: expected a generated file, found a folder; remove the folder"], .usage)
        }
        // Keep an unchanged file's date, so that the file is not compiled again.
        if Self.holds(url, file.bytes) { continue }
        guard Self.isReplaced(url) else {
          throw DriverFailure(
            ["\(url.path): error: this file was not generated and is not replaced; use a different folder"], .usage)
        }
        let temporary = folder.appendingPathComponent(".\(file.name).\(getpid())")
        written.append((temporary, url))
        try Self.write(file.bytes, to: temporary)
      }
      // Write all files before the first one becomes visible.
      for (temporary, final) in written {
        guard rename(temporary.path, final.path) == 0 else {
          throw CocoaError(.fileWriteUnknown)
        }
      }
    } catch {
      for (temporary, _) in written { try? manager.removeItem(at: temporary) }
      if let failure = error as? DriverFailure { throw failure }
      throw DriverFailure(
        ["\(outputFolder): error: cannot write generated files: \(error.localizedDescription)"], .usage)
    }
  }
}

extension Generation {
  private static func holds(_ url: URL, _ bytes: [UInt8]) -> Bool {
    guard let present = try? Data(contentsOf: url) else { return false }
    return present.count == bytes.count && present == Data(bytes)
  }

  /// Returns true if the file was generated, is empty or does not exist.
  private static func isReplaced(_ url: URL) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: url.path) else { return true }
    defer { try? handle.close() }
    let opening = String(decoding: (try? handle.read(upToCount: 256)) ?? Data(), as: UTF8.self)
    // The file for released versions does not begin with the usual comment, because it has several source files.
    return opening.isEmpty || opening.hasPrefix("// Generated by trellis")
      || (opening.hasPrefix("// swift-format-ignore-file\n") && opening.contains("import Trellis\n"))
  }

  /// Writes a file without waiting for the disk, as compilers do, because the output can be generated again. `Data`
  /// would wait.
  private static func write(_ bytes: [UInt8], to url: URL) throws {
    guard let file = fopen(url.path, "wb") else { throw CocoaError(.fileWriteNoPermission) }
    let count = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    guard fclose(file) == 0, count == bytes.count else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Returns true for a current schema file, false if the file belongs to a released version.
  package static func isHead(_ path: String) -> Bool { GeneratedNames.isHead(path) }

  /// Returns true if a Swift file's text might declare models.
  package static func mayDeclareModels(_ text: String) -> Bool { GeneratedNames.mayDeclareModels(text) }
}
