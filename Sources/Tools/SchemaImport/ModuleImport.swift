import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// The schemas for the files in a module.
struct ModuleImport {
  let library: TypeLibrary
  private let name: String?
  private(set) var families: [SchemaFamily]
  private let hasVersions: Bool
  private let stages: [MigrationPlans.Stage]
  private let containers: ContainerLists
  private(set) var schemas: [ImportedSchema] = []
  private(set) var notes: [ImportNote]

  init(_ module: SwiftModule) {
    let files = module.files
    let scans = files.enumerated().map { SwiftScan($1, index: $0) }
    let declarations = scans.flatMap(\.declarations)
    let found = SwiftVersions(declarations, files)
    name = module.name
    library = TypeLibrary(declarations, scans.flatMap(\.aliases), files, versions: found.versions.map(\.path))
    let migrations = MigrationPlans(declarations, files, found, library)
    stages = migrations.stages
    containers = ContainerLists(files)
    (families, notes) = SchemaFamily.find(found, migrations.plans, library)
    hasVersions = !families.isEmpty
    for version in found.repeated {
      notes.append(
        library.note(.notCarried, version, "duplicate version '\(version.name)'; only the first is imported"))
    }
    notes += UnreadModels.notes(files, declarations, library)
  }

  /// Removes the families that an earlier module contains.
  mutating func leave(_ seen: inout Set<String>) {
    families = families.filter { family in
      guard let first = family.versions.first?.source.declaration else { return false }
      return seen.insert(place(first)).inserted
    }
  }

  mutating func build(_ names: inout SchemaTitles) {
    for family in families { schemas.append(ImportedSchema(names.name(family, in: name, library), family, library)) }
  }

  /// Adds models without a version to the newest version or to a separate schema.
  mutating func adoptRest(_ names: inout SchemaTitles, _ taken: inout Set<String>) {
    if !hasVersions, library.declarations.contains(where: { $0.kind == .model }) {
      let name = names.rest()
      schemas.append(ImportedSchema(name, SchemaPart(library, name: name), library))
    }
    taken.formUnion(library.declarations.filter { used.contains(TypeLibrary.Key($0)) }.map(place))
    var alone: [SwiftDeclaration] = []
    for model in library.declarations where model.kind == .model && hasVersions {
      guard !taken.contains(place(model)), !used.contains(TypeLibrary.Key(model)) else { continue }
      if let version = library.version(of: model) {
        // Omit the models of an omitted version.
        guard schemas.contains(where: { $0.parts.contains { $0.version == version } }) else { continue }
        notes.append(
          library.note(
            .notCarried, model,
            "model '\(model.name)' is not carried over: '\(version.joined(separator: "."))' has a different "
              + "model with this name"))
        continue
      }
      let isListed = containers.names(model, library)
      let why =
        isListed
        ? "'\(model.name)' is passed to a container but is in no version" : "'\(model.name)' is in no version"
      let owner =
        schemas.indices.first { index in
          containers.names(model, with: schemas[index].used, plan: schemas[index].planName, library)
        } ?? (schemas.count == 1 ? 0 : nil)
      guard let owner else {
        alone.append(model)
        continue
      }
      if !schemas[owner].take(model, why: why) {
        notes.append(
          library.note(
            .notCarried, model,
            "model '\(model.name)' is in no version; the newest version has a different model with this name"))
      }
    }
    add(alone, &names)
    taken.formUnion(library.declarations.filter { used.contains(TypeLibrary.Key($0)) }.map(place))
    for index in schemas.indices { schemas[index].finish(stages) }
  }

  private var used: Set<TypeLibrary.Key> { Set(schemas.flatMap(\.used)) }

  private func place(_ declaration: SwiftDeclaration) -> String {
    "\(library.files[declaration.file].file.path) \(declaration.range.lowerBound)"
  }

  /// Creates an additional schema for models that belong to none of several schemas.
  private mutating func add(_ models: [SwiftDeclaration], _ names: inout SchemaTitles) {
    guard !models.isEmpty else { return }
    let name = names.rest()
    var part = SchemaPart(library, name: name, number: SchemaVersion(1, 0, 0), version: nil)
    for model in models {
      if part.has(model.name) {
        notes.append(
          library.note(
            .notCarried, model, "several models named '\(model.name)' are in no version; only the first is imported"))
      } else {
        part.take(model, why: "'\(model.name)' is in no version; it is imported as part of the schema '\(name)'")
      }
    }
    schemas.append(ImportedSchema(name, part, library))
  }
}
