import SchemaModel

/// The order of a model's versions. Xcode numbers them `Model`, `Model 2`, `Model 3` and records the current version.
struct CoreDataOrder {
  /// The version indices, oldest first. The last version is current.
  private(set) var order: [Int] = []
  /// The versions with numbers after the current version.
  private(set) var newer: [Int] = []
  /// The version number for each element in `order`.
  private(set) var numbers: [SchemaVersion] = []
  /// True if the names do not determine the order.
  private(set) var isGuess = false

  init(_ names: [String], current: String?) {
    let keys = names.map(Self.number)
    var sorted = names.indices.sorted {
      keys[$0] == keys[$1] ? names[$0] < names[$1] : keys[$0].lexicographicallyPrecedes(keys[$1])
    }
    isGuess = Set(keys).count < keys.count
    if let current = current.flatMap({ names.firstIndex(of: $0) }), let place = sorted.firstIndex(of: current) {
      if isGuess {
        sorted.append(sorted.remove(at: place))
      } else {
        newer = Array(sorted[(place + 1)...])
        sorted.removeLast(newer.count)
      }
    }
    order = sorted
    let own = sorted.map { Self.version(keys[$0]) }
    let known = own.compactMap { $0 }
    let isAscending = zip(known, known.dropFirst()).allSatisfy { $0 < $1 }
    numbers =
      known.count == own.count && isAscending
      ? known : sorted.indices.map { SchemaVersion($0 + 1, 0, 0) }
  }

  /// Returns the trailing number: [2, 1] for `Model 2.1`, empty for `Model`.
  private static func number(_ name: String) -> [Int] {
    let digits = name.reversed().prefix { $0.isASCII && $0.isNumber || $0 == "." }.reversed()
    return String(digits).split(separator: ".").compactMap { Int($0) }
  }

  private static func version(_ key: [Int]) -> SchemaVersion? {
    guard key.count <= 3, key.allSatisfy({ $0 < 10_000 }) else { return nil }
    let parts = key.isEmpty ? [1] : key
    return SchemaVersion(parts[0], parts.count > 1 ? parts[1] : 0, parts.count > 2 ? parts[2] : 0)
  }
}
