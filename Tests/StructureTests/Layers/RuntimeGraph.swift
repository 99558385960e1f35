import Foundation

/// The references between files of the runtime by type names and member names.
///
/// A type counts if exactly one file declares it at the top level. A member counts if exactly one file declares its
/// name in an extension of a type from another file; a use of that name is a reference to the extension. Members of
/// system types, such as `String.hexadecimal`, count as well.
struct RuntimeGraph {
  struct File {
    /// The path in the module, for example `Context/Saving/SavePass.swift`. For `TrellisSQLite`, the folder is
    /// `SQLite`.
    let path: String
    var types: Set<String> = []
    /// The members that extensions in the file add; `ownMembers` contains those of types that the file declares.
    var extensionMembers: Set<String> = []
    var ownMembers: Set<String> = []
    var words: Set<String> = []

    /// The top-level folder, which is the layer.
    var layer: String { path.split(separator: "/").dropLast().first.map(String.init) ?? "" }
    /// The folder of the file.
    var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }
  }

  struct Reference: Hashable {
    let from: String
    let to: String
    let symbol: String
  }

  private(set) var files: [String: File] = [:]
  private(set) var references: [Reference] = []

  /// - Parameter modules: The runtime's modules, each with the folder name that represents it.
  init(modules: [String: String]) throws {
    for (module, layer) in modules {
      let folder = "Sources/Runtime/\(module)/"
      for source in try SourceTree.files(of: module) {
        let path = layer + source.path.dropFirst(folder.count)
        files[path] = Self.file(path, SwiftTokens.tokens(of: source.lines.joined(separator: "\n")))
      }
    }
    connect()
  }

  /// Names that Swift, Foundation and SQLite also use, so that a use is ambiguous.
  private static let ambiguous: Set<String> = [
    "appendInterpolation", "attributes", "backup", "described", "didSet", "fail", "field", "inherited", "maximum",
    "minimum", "opening", "range", "rollback", "select", "track", "unlink", "uri", "willSet", "with",
  ]

  private static let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "actor", "typealias"]
  private static let memberKinds: Set<Substring> = ["func", "var", "let"]

  private static func file(_ path: String, _ tokens: [SwiftTokens.Token]) -> File {
    var file = File(path: path)
    var depth = 0
    var isExtension = false
    for (index, token) in tokens.enumerated() {
      switch token {
      case .open: depth += 1
      case .close: depth -= 1
      case .sign: continue
      case .word(let word):
        // `Schema.Entity` does not refer to a type `Entity` at the top level.
        let isMember = index > 0 && tokens[index - 1] == .sign(".")
        if !isMember || word.first?.isUppercase != true { file.words.insert(String(word)) }
        guard index + 1 < tokens.count, case .word(let next) = tokens[index + 1] else { continue }
        if depth == 0, word == "extension" { isExtension = true }
        // `class func` and `class var` do not declare a type.
        if depth == 0, kinds.contains(word), !memberKinds.contains(next) {
          isExtension = false
          file.types.insert(String(next))
        }
        if depth == 1, memberKinds.contains(word) {
          if isExtension { file.extensionMembers.insert(String(next)) } else { file.ownMembers.insert(String(next)) }
        }
      }
    }
    return file
  }

  private mutating func connect() {
    var declarations: [String: Set<String>] = [:]
    for file in files.values {
      for name in file.types.union(file.extensionMembers).union(file.ownMembers) {
        declarations[name, default: []].insert(file.path)
      }
    }
    for file in files.values.sorted(by: { $0.path < $1.path }) {
      for word in file.words.subtracting(Self.ambiguous).sorted() {
        guard let places = declarations[word], places.count == 1, let place = places.first, place != file.path,
          let other = files[place], other.types.contains(word) || other.extensionMembers.contains(word)
        else { continue }
        references.append(Reference(from: file.path, to: place, symbol: word))
      }
    }
  }
}
