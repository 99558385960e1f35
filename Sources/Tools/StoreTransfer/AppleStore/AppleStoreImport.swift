import AppleStore
package import SchemaDiagnostics
import SchemaFormat
package import SchemaImport
import SchemaModel
import SchemaVersions
import Trellis

/// An import from a SwiftData or Core Data store.
package struct AppleStoreImport {
  /// The schema's origin.
  package enum Models {
    /// The model in the store.
    case cache
    /// The app's Swift files, which also declare enums and structs.
    case swift([SourceFile])
    /// An Xcode model, for stores that contain none.
    case coreData(CoreDataSource)
  }

  /// The schema files, with notes on details that the conversion could not keep.
  package let result: ImportResult
  /// The store's tables.
  package let layout: AppleStoreLayout
  package let files: AppleExternalFiles
  private let copy: AppleStoreCopy
  private let name: String

  /// - Parameters:
  ///   - path: The store file. Only a copy is opened.
  ///   - title: The path to show in notes; `nil` for `path`.
  ///   - name: The schema's name.
  /// - Throws: ``AppleStoreProblem``, ``MarkupProblem``, and SQLite and file system errors.
  package init(_ path: String, shownAs title: String? = nil, models: Models = .cache, name: String) throws {
    copy = try AppleStoreCopy(of: path)
    self.name = name
    files = AppleExternalFiles(copy.externalFolder)
    let contents = try AppleStoreContents(copy.open())
    let cache = try Self.cache(contents, isNeeded: models.isCache)
    var result: ImportResult
    let stored: CoreDataModel
    switch models {
    case .cache:
      guard let cache else { throw Self.noModel }
      stored = cache.model
      result = Self.schema(of: cache, name: name, path: title ?? path)
    case .coreData(let source):
      result = try CoreDataImporter.run(source)
      stored = try cache?.model ?? CoreDataImporter.head(of: source)
    case .swift(let sources):
      result = SwiftImporter.run(sources, name: name)
      guard !result.files.isEmpty else { throw AppleStoreProblem("the Swift files contain no '@Model' class") }
      for index in result.files.indices where result.files[index].path.hasSuffix(".schema") {
        result.files[index].text = SchemaFormatter.format(result.files[index].text)
      }
      stored = try cache?.model ?? SourceModel.model(of: Self.compiled(result).resolved, contents)
    }
    layout = try AppleStoreLayout(stored, contents)
    result.notes += try Self.externalNotes(layout, files, copy, path: title ?? path)
    self.result = result
  }

  private static let noModel = AppleStoreProblem(
    "the store contains no model (the table Z_MODELCACHE is missing or empty): name the app's sources or its "
      + "'.xcdatamodeld' with '--models'")

  private static func cache(_ contents: AppleStoreContents, isNeeded: Bool) throws -> ModelCache? {
    guard let bytes = contents.modelCache else { return nil }
    do {
      return try ModelCache(compressed: bytes)
    } catch {
      guard isNeeded else { return nil }
      throw AppleStoreProblem(
        "the store's model cannot be read: \(error); name the app's sources or its '.xcdatamodeld' with '--models'")
    }
  }

  private static func schema(of cache: ModelCache, name: String, path: String) -> ImportResult {
    let model = AppleStoreModel(cache.model, path: path)
    var result = CoreDataImporter.run(model.imported, name: name, path: path)
    result.notes += model.notes
    result.notes += cache.remarks.map { ImportNote(.notCarried, path, 1, $0, topic: CoreDataTopic.validation.rawValue) }
    return result
  }

  // MARK: - Target

  /// Compiles the imported schema files.
  private static func compiled(
    _ result: ImportResult
  ) throws(AppleStoreProblem) -> (resolved: ResolvedSchema, files: [SourceFile]) {
    let heads = result.files.filter { $0.path.hasSuffix(".schema") && !$0.path.hasPrefix("versions/") }
    let sources = heads.map { SourceFile(path: $0.path, text: $0.text) }
    let compilation = SchemaCompiler.compile(sources)
    if let problem = compilation.diagnostics.first(where: { $0.severity == .error }) {
      throw AppleStoreProblem("the schema does not compile: \(problem.message)")
    }
    guard let resolved = compilation.schemas.first, compilation.schemas.count == 1 else {
      throw AppleStoreProblem(
        "the sources contain \(compilation.schemas.count) schemas; name only those of this store")
    }
    return (resolved, sources)
  }

  /// - Parameter module: The app's Swift module.
  package func target(module: String? = nil) throws -> TransferTarget {
    let (resolved, files) = try Self.compiled(result)
    return try TransferTarget(
      resolved, in: SchemaHistory(head: resolved), files: files, module: module ?? name)
  }

  /// The plan for ``CopyEngine``. It refers to the store's copy and is valid as long as this import exists.
  package func plan(for target: TransferTarget) throws -> (plan: CopyPlan, report: AppleStoreReport) {
    try AppleCopyPlan.plan(layout, into: target, source: copy.url, files: files)
  }

  // MARK: - External files

  /// The maximum number of external files to report.
  private static let listed = 100

  /// Reports references to unreadable files. The copy rejects the affected rows.
  private static func externalNotes(
    _ layout: AppleStoreLayout, _ files: AppleExternalFiles, _ copy: AppleStoreCopy, path: String
  ) throws -> [ImportNote] {
    var notes: [ImportNote] = []
    let connection = try copy.open()
    for entity in layout.model.entities {
      for attribute in entity.attributes where attribute.isExternal {
        guard let column = layout.column(of: attribute.name, in: entity.name) else { continue }
        let references: SQLFragment = """
          SELECT Z_PK, substr(\(name: column), 1, 300) FROM \(name: layout.table(of: entity.name))
          WHERE typeof(\(name: column)) = 'blob' AND substr(\(name: column), 1, 1) <> X'01'
          """
        let statement = try Statement(references.text, on: connection.handle, isKept: false)
        while try statement.step() {
          guard case .blob(let bytes) = statement.value(1), let problem = files.problem(bytes) else { continue }
          guard notes.count < listed else { return notes }
          notes.append(
            ImportNote(
              .check, path, 1, "'\(entity.name).\(attribute.name)' in row \(statement.integer(0)): \(problem)",
              topic: "external-file"))
        }
      }
    }
    return notes
  }
}

extension AppleStoreImport.Models {
  fileprivate var isCache: Bool { if case .cache = self { true } else { false } }
}
