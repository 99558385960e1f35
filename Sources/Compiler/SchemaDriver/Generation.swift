import Foundation
import SchemaDiagnostics
package import SchemaEmitter
import SchemaModel
import SchemaSyntax

/// One run of the generator: files in, files out.
package struct Generation: Sendable {
  /// The schema files that are edited by hand, and the Swift files with models that the build knows of.
  package var heads: [String]
  /// Frozen versions and everything else the plugin saw.
  package var inputs: [String] = []
  package var outputFolder: String
  package var module: String
  package var target: String
  package var access: Access
  /// Types that the target declares in Swift with the name of a type that generated code uses.
  package var declares: [String] = []
  /// The other Swift files of the target.
  package var swiftFiles: [String] = []
  /// Left out of the paths in generated code.
  package var root: String
  /// Folders that hold no schema file which is neither a head nor an input.
  package var completeFolders: [String] = []
  /// The folder whose files have relative paths in messages; nil if all paths are absolute.
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

  /// Writes every output, or none when something is wrong.
  ///
  /// - Returns: The messages to print.
  package func run() -> (status: ExitStatus, messages: String) {
    let (status, messages) = result()
    guard let shellFolder else { return (status, messages) }
    let here = shellFolder + "/"
    let lines = messages.split(separator: "\n", omittingEmptySubsequences: false)
    return (status, lines.map { $0.hasPrefix(here) ? $0.dropFirst(here.count) : $0 }.joined(separator: "\n"))
  }

  /// The working directory if the caller's shell is there as well: editors and `--package-path` start a build in a folder
  /// that readers of its messages may not resolve paths against.
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

  /// The files on disk that are not what would be generated, with both texts, and the warnings.
  package func stale() throws -> (files: [(path: String, old: [UInt8]?, new: [UInt8])], messages: String) {
    let (files, messages) = try generate()
    let all = try files.map { file in
      let path = "\(outputFolder)/\(try FileName.checked(file.name))"
      return (path: path, old: FileManager.default.contents(atPath: path).map { Array($0) }, new: file.bytes)
    }
    return (all.filter { $0.old != $0.new }, messages)
  }

  /// The generated files, and the warnings.
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

  /// A file that appeared after the build was planned has no declared outputs; silence would lose it.
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

  /// What a tool that was stopped leaves behind.
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
            ["\(url.path): error: a folder has the path of a generated file; remove it"], .usage)
        }
        // An unchanged file keeps its date, and what was compiled from it.
        if Self.holds(url, file.bytes) { continue }
        guard Self.isReplaced(url) else {
          throw DriverFailure(
            ["\(url.path): error: this file was not generated and is not replaced; use a different folder"], .usage)
        }
        let temporary = folder.appendingPathComponent(".\(file.name).\(getpid())")
        written.append((temporary, url))
        try Self.write(file.bytes, to: temporary)
      }
      // All of them are written before the first one is seen.
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

  /// True if the file was generated, is empty or does not exist.
  private static func isReplaced(_ url: URL) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: url.path) else { return true }
    defer { try? handle.close() }
    let opening = String(decoding: (try? handle.read(upToCount: 256)) ?? Data(), as: UTF8.self)
    // The file of released versions, which has no single source, begins with the second line of the others.
    return opening.isEmpty || opening.hasPrefix("// Generated by trellis")
      || (opening.hasPrefix("// swift-format-ignore-file\n") && opening.contains("import Trellis\n"))
  }

  /// Leaves it to the system when the bytes reach the disk, as compilers do with what can be made
  /// again: `Data` would wait for it.
  private static func write(_ bytes: [UInt8], to url: URL) throws {
    guard let file = fopen(url.path, "wb") else { throw CocoaError(.fileWriteNoPermission) }
    let count = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    guard fclose(file) == 0, count == bytes.count else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Whether a file is edited by hand, and not a frozen version.
  package static func isHead(_ path: String) -> Bool { GeneratedNames.isHead(path) }

  /// Whether the text of a Swift file may declare models.
  package static func mayDeclareModels(_ text: String) -> Bool { GeneratedNames.mayDeclareModels(text) }
}
