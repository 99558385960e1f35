import SchemaDiagnostics

/// Reports value types that contain themselves and therefore have no finite size.
///
/// Arrays, sets, dictionaries and `indirect` enums store the contents elsewhere and break a cycle.
struct CompositeCycles {
  private var edges: [String: [String]] = [:]
  private var ranges: [String: SourceRange] = [:]

  static func check(_ schema: ResolvedSchema) -> [Diagnostic] {
    CompositeCycles(schema).cycles()
  }

  private init(_ schema: ResolvedSchema) {
    for value in schema.structs {
      add(value.name, value.range, value.fields.compactMap { Self.contained($0.type) })
    }
    for value in schema.enums {
      add(value.name, value.range, value.cases.flatMap { $0.payload.compactMap { Self.contained($0.type) } }) {
        value.declaration.text.split(whereSeparator: { !$0.isLetter }).contains("indirect")
      }
    }
  }

  /// Adds a type unless it is indirect or contains no declared types.
  private mutating func add(
    _ name: String, _ range: SourceRange, _ contained: [String], isIndirect: () -> Bool = { false }
  ) {
    guard !contained.isEmpty, !isIndirect() else { return }
    ranges[name] = range
    edges[name] = contained
  }

  private static func contained(_ type: ValueType) -> String? {
    switch type {
    case .structure(let name), .enumeration(let name): name
    case .optional(let wrapped): contained(wrapped)
    default: nil
    }
  }

  private func cycles() -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    var finished: Set<String> = []
    for start in edges.keys.ordered() where !finished.contains(start) {
      // Depth-first search with an explicit path, because type chains can be long.
      var path = [start]
      var places = [start: 0]
      var next = [0]
      while let current = path.last {
        let targets = edges[current] ?? []
        guard let step = next.last, step < targets.count else {
          finished.insert(current)
          path.removeLast()
          places[current] = nil
          next.removeLast()
          continue
        }
        next[next.count - 1] += 1
        let target = targets[step]
        if let entry = places[target] {
          diagnostics.append(cycle(path[entry...]))
        } else if !finished.contains(target) {
          places[target] = path.count
          path.append(target)
          next.append(0)
        }
      }
    }
    return diagnostics
  }

  private func cycle(_ names: ArraySlice<String>) -> Diagnostic {
    let nowhere = SourceRange(file: 0, start: 0, end: 0)
    // Long cycles are shortened: a full list does not help a reader and may contain every type.
    guard names.count <= 32 else {
      let ends = [names[names.startIndex], names[names.startIndex + 1], "…", names[names.endIndex - 1]]
      return .compositeCycle(ends + [ends[0]], ranges[ends[0]] ?? nowhere)
    }
    // The cycle begins with the alphabetically first type, regardless of where the search entered it.
    let first = names.min().flatMap { names.firstIndex(of: $0) } ?? names.startIndex
    let ordered = Array(names[first...] + names[..<first])
    return .compositeCycle(ordered + [ordered[0]], ranges[ordered[0]] ?? nowhere)
  }
}

extension Diagnostic {
  fileprivate static func compositeCycle(_ names: [String], _ range: SourceRange) -> Self {
    Self(
      .compositeCycle, at: range,
      "a value cannot contain itself: \(names.joined(separator: " > "))",
      help: "store it in an array, or make the enum 'indirect'")
  }
}
