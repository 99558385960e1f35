import Foundation
import SchemaDiagnostics
import SchemaImport
import SchemaModel
import SchemaVersions
import Testing

/// A folder with files to import. Its `Expected` folder contains the results.
struct ImportCase: CustomTestStringConvertible, Sendable {
  enum Form: String, CaseIterable { case models = "Models", swift = "Swift" }

  let form: Form
  let name: String

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  static let all = Form.allCases.flatMap { form in
    (try? names(root.appendingPathComponent(form.rawValue)))?.map { ImportCase(form: form, name: $0) } ?? []
  }

  var testDescription: String { "\(form.rawValue)/\(name)" }
  var folder: URL { Self.root.appendingPathComponent(form.rawValue).appendingPathComponent(name) }
  var expected: URL { folder.appendingPathComponent("Expected") }

  /// Returns the files of a folder and its subfolders, by relative path.
  static func files(_ folder: URL, below path: String = "") throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try names(folder, hidden: true) {
      let url = folder.appendingPathComponent(name)
      if (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false {
        files.merge(try self.files(url, below: path + name + "/")) { first, _ in first }
      } else {
        files[path + name] = Array(try Data(contentsOf: url))
      }
    }
    return files
  }

  private static func names(_ folder: URL, hidden: Bool = false) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { hidden || !$0.hasPrefix(".") }.sorted()
  }

  var inputs: [SourceFile] {
    get throws {
      try Self.files(folder).filter { !$0.key.hasPrefix("Expected/") && !$0.key.hasPrefix("Rest/") }
        .sorted { $0.key < $1.key }.map { SourceFile(path: $0.key, bytes: $0.value) }
    }
  }

  /// The handwritten Swift files beside the schema.
  var rest: [String: [UInt8]] {
    get throws { try Self.files(folder).filter { $0.key.hasPrefix("Rest/") } }
  }

  func run(_ files: [SourceFile]) throws(MarkupProblem) -> ImportResult {
    switch form {
    case .swift: SwiftImporter.run(files, name: "App")
    case .models: try CoreDataImporter.run(Self.source(files))
    }
  }

  /// Returns the files of a model, such as `Garden.xcdatamodeld/Garden 2.xcdatamodel/contents`. The first folder may be
  /// missing.
  static func source(_ files: [SourceFile]) -> CoreDataSource {
    let contents = files.filter { $0.path.hasSuffix("/contents") }
    let versions = contents.map { file in
      CoreDataSource.Version(
        name: String(file.path.split(separator: "/").dropLast().last?.dropLast(12) ?? ""), file: file)
    }
    let name = files.first?.path.prefix { $0 != "." } ?? "Model"
    return CoreDataSource(
      name: String(name), versions: versions, current: files.first { $0.path.hasSuffix(".xccurrentversion") },
      mappings: files.map(\.path).filter { $0.contains(".xcmappingmodel/") }.map { String($0.prefix { $0 != "/" }) })
  }

  /// Returns all written files and the report.
  static func outputs(_ result: ImportResult) -> [String: [UInt8]] {
    var files = Dictionary(uniqueKeysWithValues: result.files.map { ($0.path, Array($0.text.utf8)) })
    let lines = (result.notes + result.copied).map { note in note.text + (note.topic.map { " [\($0)]" } ?? "") + "\n" }
    let count = result.found.map { "found \($0.text), wrote \(result.written.text)\n" } ?? ""
    files["report.txt"] = Array((count + lines.joined() + "\(result.models) models of \(result.versions)\n").utf8)
    return files
  }

  /// Returns the compilations of the written schemas, the head first.
  static func compilations(_ result: ImportResult) -> [SchemaCompilation] {
    result.files.filter { $0.path.hasSuffix(".schema") }.map { file in
      SchemaCompiler.compile([SourceFile(path: file.path, text: file.text)])
    }
  }

  static func errors(_ result: ImportResult) -> [String] {
    compilations(result).flatMap(\.diagnostics).filter { $0.severity == .error }.map(\.message)
  }

  /// Returns the problems of the migrations between versions.
  static func problems(_ result: ImportResult) -> [String] {
    let schemas = compilations(result).flatMap(\.schemas)
    guard let head = schemas.first else { return ["nothing was made"] }
    let lock = result.files.first { $0.path.hasSuffix(".lock") }.map { VersionLock(text: $0.text) }
    return SchemaHistory(head: head, frozen: Array(schemas.dropFirst()), lock: lock).check().map(\.message)
  }
}
