package import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// Converts Swift source with SwiftData models to schema files.
///
/// A schema uses Swift syntax, so model text is copied. Code that the schema compiler rejects becomes a comment and is
/// reported.
package enum SwiftImporter {
  /// - Parameter name: The schema's name. With several schemas, it is used for schemas that have no name in the
  ///   source.
  package static func run(_ sources: [SourceFile], name: String) -> ImportResult {
    var modules = SwiftModule.split(sources.map { SwiftFile($0) }).map { ModuleImport($0) }
    var result = ImportResult()
    // Files outside the module folders are part of every module.
    var seen: Set<String> = []
    for index in modules.indices { modules[index].leave(&seen) }
    var names = SchemaTitles(name, areSeveral: modules.map(\.families.count).reduce(0, +) > 1)
    for index in modules.indices { modules[index].build(&names) }
    var taken: Set<String> = []
    for index in modules.indices { modules[index].adoptRest(&names, &taken) }
    let schemas = modules.flatMap(\.schemas)
    result.notes = names.notes + modules.flatMap(\.notes)
    let isApart = haveCommonNames(schemas)
    if isApart, let first = schemas.first {
      result.notes.append(
        ImportNote(
          .check, "\(first.name).schema", 1,
          "the schemas contain types with equal names and require separate targets; "
            + "each schema is in a separate folder"))
    }
    for schema in schemas {
      let (files, problems) = schema.files
      let folder = isApart ? "\(schema.name)/" : ""
      result.files += files.map { .init(path: folder + $0.path, text: $0.text) }
      result.notes += schema.notes + problems.map { ImportNote(.check, "\(folder)\(schema.name).schema", 1, $0) }
      result.copied += schema.copied
      result.versions += schema.parts.map(\.number.description)
      result.models += schema.parts.last?.modelCount ?? 0
    }
    count(modules, &result)
    // Report lost information first.
    var said: Set<String> = []
    let notes = result.notes.filter { said.insert($0.text).inserted }
    result.notes = [ImportNote.Kind.notCarried, .check, .hint].flatMap { kind in notes.filter { $0.kind == kind } }
    result.copied = result.copied.filter { said.insert($0.text).inserted }
    return result
  }

  private static func haveCommonNames(_ schemas: [ImportedSchema]) -> Bool {
    var seen: Set<String> = []
    return schemas.contains { schema in
      let names = schema.names.union(["Schema", "MigrationPlan", "MigrationSteps"].map { schema.name + $0 })
      defer { seen.formUnion(names) }
      return !seen.isDisjoint(with: names)
    }
  }

  /// Counts each class once, even if several versions contain it.
  private static func count(_ modules: [ModuleImport], _ result: inout ImportResult) {
    var found = ImportResult.Count()
    var seen: Set<String> = []
    for module in modules {
      var written: [TypeLibrary.Key: Int] = [:]
      for part in module.schemas.flatMap(\.parts) {
        written.merge(part.properties) { max($0, $1) }
      }
      for model in module.library.declarations where model.kind == .model {
        let file = module.library.files[model.file]
        let isNew = seen.insert("\(file.file.path) \(model.range.lowerBound)").inserted
        if isNew {
          found.models += 1
          found.properties += StoredProperties.count(in: file, model.bodyTokens)
        }
        guard let properties = written[TypeLibrary.Key(model)], isNew else { continue }
        result.written.models += 1
        result.written.properties += properties
      }
    }
    result.found = found
  }
}

/// Assigns schema names.
struct SchemaTitles {
  private let base: String
  private let areSeveral: Bool
  private var taken: Set<String> = []
  private(set) var notes: [ImportNote] = []

  init(_ base: String, areSeveral: Bool) {
    self.base = base
    self.areSeveral = areSeveral
  }

  /// Returns the schema name for the remaining models: the base name if it is free.
  mutating func rest() -> String { free(base) }

  mutating func name(_ family: SchemaFamily, in module: String?, _ library: TypeLibrary) -> String {
    guard areSeveral else { return free(base) }
    let titles = [family.name, module].compactMap { $0 }.compactMap(Self.spelled)
    let name = free(titles.first { !taken.contains($0.lowercased()) } ?? titles.first ?? base)
    if let first = family.versions.first?.source {
      let titles = family.versions.map { "'\($0.source.title)'" }.joined(separator: ", ")
      notes.append(
        library.note(
          .check, first.declaration,
          "\(titles) \(family.versions.count == 1 ? "is" : "are") imported as schema '\(name)'"))
    }
    return name
  }

  private mutating func free(_ name: String) -> String {
    var free = name
    var number = 2
    while !taken.insert(free.lowercased()).inserted {
      free = "\(name)\(number)"
      number += 1
    }
    return free
  }

  private static func spelled(_ text: String) -> String? {
    let name = text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
    guard let first = name.first, first.isLetter else { return nil }
    return first.uppercased() + name.dropFirst()
  }
}
