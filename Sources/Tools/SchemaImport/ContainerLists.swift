import SchemaModel
import SchemaSyntax

/// The models that Swift source passes to containers: `ModelContainer(for:)`, `.modelContainer(for:)` and
/// `Schema([…])`.
struct ContainerLists {
  struct List {
    /// The type names as written, including the type after `migrationPlan:`.
    var models: [String]
    /// The same names as a set.
    var all: Set<String>
  }

  private(set) var lists: [List] = []

  init(_ files: [SwiftFile]) {
    let words: Set = ["ModelContainer", "modelContainer", "Schema"]
    for file in files {
      for token in file.tokens.indices where words.contains(file.text(token)) {
        guard token + 1 < file.tokens.count, file.tokens[token + 1].kind == .leftParen,
          let close = file.closing(token + 1)
        else { continue }
        let models = ModelList(list: file, (token + 2)..<max(token + 2, close)).entries.compactMap { entry in
          if case .model(let path) = entry { path } else { nil }
        }
        if !models.isEmpty { lists.append(List(models: models, all: Set(models))) }
      }
    }
  }

  /// Returns true if a container lists the model.
  func names(_ model: SwiftDeclaration, _ library: TypeLibrary) -> Bool {
    lists.contains { list in
      list.models.contains { library.model($0, in: nil).map(TypeLibrary.Key.init) == TypeLibrary.Key(model) }
    }
  }

  /// Returns true if a container lists the model together with any of `others` or with the migration plan.
  func names(_ model: SwiftDeclaration, with others: Set<TypeLibrary.Key>, plan: String?, _ library: TypeLibrary)
    -> Bool
  {
    lists.contains { list in
      let keys = Set(list.models.compactMap { library.model($0, in: nil).map(TypeLibrary.Key.init) })
      guard keys.contains(TypeLibrary.Key(model)) else { return false }
      return !keys.isDisjoint(with: others) || plan.map(list.all.contains) ?? false
    }
  }
}
