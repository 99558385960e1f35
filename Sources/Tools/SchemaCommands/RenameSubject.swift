import SchemaDiagnostics
import SchemaDiff
import SchemaDriver
import SchemaModel
import SchemaVersions

/// The declaration to rename.
struct RenameSubject {
  let history: SchemaHistory
  let entity: ResolvedEntity
  /// The property, or nil to rename the model.
  let property: ResolvedProperty?
  let newName: String

  var oldName: String { property?.name ?? entity.name }
  var oldTitle: String { property.map { "\(entity.name).\($0.name)" } ?? entity.name }
  var newTitle: String { property == nil ? newName : "\(entity.name).\(newName)" }

  /// Parses `Trip` or `Trip.name`, and the new name, which may include the model.
  init(_ old: String, _ new: String, _ histories: [SchemaHistory]) throws(DriverFailure) {
    let parts = old.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else {
      throw Self.failure("'\(old)' is not a model ('Trip') or property ('Trip.name')")
    }
    let owners = histories.filter { history in history.head.entities.contains { $0.name == parts[0] } }
    guard let owner = owners.first else { throw Self.unknown(parts[0], histories) }
    guard owners.count == 1 else {
      let places = owners.map { $0.head.files.first?.path ?? $0.head.name }.joined(separator: ", ")
      throw Self.failure("several schemas contain '\(parts[0])': name one of the files (\(places))")
    }
    history = owner
    guard let entity = owner.head.entities.first(where: { $0.name == parts[0] }) else {
      throw Self.unknown(parts[0], histories)
    }
    self.entity = entity
    var name = new
    if parts.count == 2 {
      guard let property = entity.properties.first(where: { $0.name == parts[1] }) else {
        throw Self.unknown(parts[1], of: entity, owner)
      }
      self.property = property
      if name.hasPrefix(parts[0] + ".") { name.removeFirst(parts[0].count + 1) }
    } else {
      property = nil
    }
    newName = name
    guard Self.isName(name) else {
      throw Self.failure("'\(new)' is not a valid name: use letters, digits and '_', and do not start with a digit")
    }
    guard name != oldName else { throw Self.failure("'\(old)' already has this name") }
  }

  /// Finds a declaration that is not renamed; nil if the schema does not contain it.
  init?(_ path: String, in history: SchemaHistory) {
    let parts = path.split(separator: ".").map(String.init)
    guard let entity = history.head.entities.first(where: { $0.name == parts.first }) else { return nil }
    self.history = history
    self.entity = entity
    property = parts.count == 2 ? entity.properties.first { $0.name == parts[1] } : nil
    newName = parts.last ?? ""
    guard parts.count == 1 || property != nil else { return nil }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter || first == "_", text != "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  private static func failure(_ text: String) -> DriverFailure { DriverFailure(["error: " + text], .usage) }

  private static func unknown(_ name: String, _ histories: [SchemaHistory]) -> DriverFailure {
    let values = histories.flatMap { $0.head.enums.map(\.name) + $0.head.structs.map(\.name) }
    if values.contains(name) {
      return failure(
        "'\(name)' is a value type and its name is not stored; rename it in the source")
    }
    let known = histories.flatMap { $0.head.entities.map(\.name) }
    let meant = NearestName.find(name, in: known).map { "; did you mean '\($0)'?" } ?? ""
    return failure("there is no model '\(name)'\(meant)")
  }

  private static func unknown(
    _ name: String, of entity: ResolvedEntity, _ history: SchemaHistory
  ) -> DriverFailure {
    var parent = entity.superentity.flatMap { name in history.head.entities.first { $0.name == name } }
    var seen: Set<String> = []
    while let current = parent, seen.insert(current.name).inserted {
      if current.properties.contains(where: { $0.name == name }) {
        return failure("'\(entity.name)' inherits '\(name)': rename '\(current.name).\(name)'")
      }
      parent = current.superentity.flatMap { name in history.head.entities.first { $0.name == name } }
    }
    let meant = NearestName.find(name, in: entity.properties.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
    return failure("model '\(entity.name)' has no stored property '\(name)'\(meant)")
  }

  /// The name in the newest released version, or nil for new declarations.
  var releasedName: String? {
    guard let released = history.frozen.last else { return nil }
    let names = Counterparts(from: released, to: history.head)
    guard let property else { return names.entities[entity.name] }
    return names.oldName(of: property.name, in: entity.name)
  }

  /// The original name that the released version declares.
  var releasedOrigin: String? {
    guard let released = history.frozen.last else { return nil }
    let names = Counterparts(from: released, to: history.head)
    let before = released.entities.first { $0.name == names.entities[entity.name] }
    guard property != nil else { return before?.originalName }
    return before?.properties.first { $0.name == releasedName }?.originalName
  }

  /// The models that have the property: the declaring model and all subclasses.
  var heirs: Set<String> {
    var heirs: Set<String> = [entity.name]
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for candidate in history.head.entities where candidate.superentity.map(heirs.contains) ?? false {
        if heirs.insert(candidate.name).inserted { isGrowing = true }
      }
    }
    return heirs
  }
}
