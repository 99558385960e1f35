import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

/// Converts a Core Data model to schema files.
package enum CoreDataImporter {
  package static func run(_ source: CoreDataSource) throws(MarkupProblem) -> ImportResult {
    let models = try source.versions.map { version throws(MarkupProblem) in
      try CoreDataReader.read(version.file)
    }
    var result = ImportResult()
    let order = try order(source, &result)
    var parts: [CoreDataPart] = []
    for (place, number) in zip(order.order, order.numbers) {
      let version = source.versions[place]
      let renames =
        order.order.count == 1
        ? CoreDataRenames(models[place], path: version.file.path)
        : CoreDataRenames(models[place], after: parts.last?.model, path: version.file.path)
      let part = CoreDataPart(version, models[place], renames, name: source.name, number: number)
      let isHead = place == order.order.last
      guard let previous = parts.last, isSame(previous, part) else {
        parts.append(part)
        continue
      }
      result.add(
        .hint, .sameVersion, part.path,
        "'\(part.title)' equals '\(previous.title)'; both are imported as a single version")
      // Keep the current version's number.
      if isHead { parts[parts.count - 1] = part }
    }
    for index in parts.indices.dropFirst() {
      let older = parts[..<index].compactMap(\.resolved)
      if older.count == index { parts[index].addMigration(from: older) }
    }
    result.notes += parts.flatMap(\.notes)
    result.versions = parts.map(\.number.description)
    result.models = parts.last?.modelCount ?? 0
    let versions = parts.map { ImportedVersions.Version(number: $0.number, text: $0.text, resolved: $0.resolved) }
    let (files, problems) = ImportedVersions(name: source.name, versions: versions).files
    result.files = files
    for problem in problems { result.add(.check, .migration, "\(source.name).schema", problem) }
    return result
  }

  /// Converts a single model that was read from a store.
  ///
  /// - Parameter path: The path to show in notes.
  package static func run(_ model: CoreDataModel, name: String, path: String) -> ImportResult {
    let file = SourceFile(path: path, text: "")
    let part = CoreDataPart(
      CoreDataSource.Version(name: name, file: file), model, CoreDataRenames(model, path: path), name: name,
      number: SchemaVersion(1, 0, 0))
    var result = ImportResult(notes: part.notes, models: part.modelCount, versions: [part.number.description])
    let version = ImportedVersions.Version(number: part.number, text: part.text, resolved: part.resolved)
    let (files, problems) = ImportedVersions(name: name, versions: [version]).files
    result.files = files
    for problem in problems { result.add(.check, .migration, "\(name).schema", problem) }
    return result
  }

  /// Reads the current version of a model.
  package static func head(of source: CoreDataSource) throws(MarkupProblem) -> CoreDataModel {
    var result = ImportResult()
    let order = try order(source, &result)
    guard let place = order.order.last else { return CoreDataModel() }
    return try CoreDataReader.read(source.versions[place].file)
  }

  private static func isSame(_ old: CoreDataPart, _ new: CoreDataPart) -> Bool {
    guard let old = old.resolved, let new = new.resolved else { return false }
    return old.fingerprint() == new.fingerprint()
      && SchemaDiff.changes(from: old, to: new).allSatisfy { $0.effect == .automatic }
  }

  private static func order(
    _ source: CoreDataSource, _ result: inout ImportResult
  ) throws(MarkupProblem) -> CoreDataOrder {
    let names = source.versions.map(\.name)
    let named = try source.current.map { file throws(MarkupProblem) in try CoreDataReader.currentVersion(file) } ?? nil
    let current = named.map { $0.hasSuffix(".xcdatamodel") ? String($0.dropLast(12)) : $0 }
    let order = CoreDataOrder(names, current: current)
    let place = source.current?.path ?? source.versions.first?.file.path ?? ""
    let head = order.order.last.map { names[$0] } ?? ""
    if let current, !names.contains(current) {
      result.add(
        .check, .versionOrder, place, "the current version '\(current)' is missing; '\(head)' is used instead")
    } else if current == nil, names.count > 1 {
      result.add(.check, .versionOrder, place, "the current version is not specified; '\(head)' is used")
    }
    if order.isGuess {
      let list = order.order.map { "'\(names[$0])'" }.joined(separator: ", ")
      result.add(
        .check, .versionOrder, place, "the names do not determine the version order; assumed order: \(list)")
    }
    for version in order.newer {
      result.add(
        .notCarried, .newerVersion, source.versions[version].file.path,
        "'\(names[version])' is newer than the current version '\(head)', so no store uses it")
    }
    for mapping in source.mappings {
      result.add(
        .notCarried, .mappingModel, mapping,
        "mapping models are not imported; add 'fill' or 'custom' steps to the migration instead")
    }
    return order
  }
}

extension ImportResult {
  fileprivate mutating func add(
    _ kind: ImportNote.Kind, _ topic: CoreDataTopic, _ file: String, _ message: String
  ) {
    notes.append(ImportNote(kind, file, 1, message, topic: topic.rawValue))
  }
}
