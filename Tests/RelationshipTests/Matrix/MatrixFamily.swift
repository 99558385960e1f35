import Trellis

@testable import TestSupport

/// The models for one pair of rules, and the graphs that are built from them.
protocol MatrixFamily: Sendable {
  /// The rules at the start of a table row.
  var rules: [String] { get }
  var schema: Schema { get }
  /// The name and table of each graph shape.
  var shapes: [(name: String, table: String)] { get }
  /// Builds a graph without a context.
  func build(_ shape: String, _ tag: Int) -> [any Piece]
  /// The existing models of a graph.
  func pieces(_ shape: String, _ tag: Int, in context: ModelContext) throws -> [any Piece]
  /// The related models in a graph; nil for a missing required destination.
  func related(to piece: any Piece, _ shape: String) -> [(any Piece)?]
  /// The columns and join tables that store a graph.
  func storage(_ shape: String) -> [MatrixStorage]
}

/// The storage of one end of a relationship.
enum MatrixStorage {
  /// A column with the key of a row in another table. A one-way relationship has no inverse.
  case column(String, in: String, to: String, isOneWay: Bool)
  /// A join table with its two columns.
  case pairs(String, String, String, of: String, and: String, isOneWay: Bool)
}

enum MatrixFamilies {}

extension MatrixFamily {
  /// The graph in table notation.
  func view(_ shape: String, _ tag: Int, in context: ModelContext) throws -> String {
    let lines = try pieces(shape, tag, in: context).map { piece in
      let others = related(to: piece, shape).map { $0?.name ?? "?" }.sorted()
      return others.isEmpty ? piece.name : "\(piece.name):\(others.joined(separator: ","))"
    }
    return lines.isEmpty ? "-" : lines.sorted().joined(separator: " ")
  }

  func fetch<P: Piece>(_ type: P.Type, _ tag: Int, _ context: ModelContext) throws -> [any Piece] {
    try context.fetch(FetchDescriptor<P>()).filter { $0.tag == tag }
  }

  /// The destination of a required relationship; nil for a placeholder.
  func needed(_ piece: some Piece) -> (any Piece)? { piece.modelContext == nil ? nil : piece }
}

/// A family with a rule for each end.
struct PairFamily<A: OwningPiece>: MatrixFamily {
  let rules: [String]
  init(_ own: String, _ other: String) { rules = [own, other] }

  var schema: Schema { Schema([A.self]) }

  var shapes: [(name: String, table: String)] {
    [
      ("oneToOne", MatrixTables.oneToOne), ("oneToOneRequired", MatrixTables.oneToOneRequired),
      ("oneToMany", MatrixTables.oneToMany), ("oneToManyRequired", MatrixTables.oneToManyRequired),
      ("manyToMany", MatrixTables.manyToMany),
      ("manyToManyRequired", MatrixTables.manyToManyRequired),
      ("tree", MatrixTables.tree), ("chain", MatrixTables.chain),
    ]
  }

  func build(_ shape: String, _ tag: Int) -> [any Piece] {
    let a = A(tag, "a")
    let d = A(tag, "d")
    func owner(_ name: String) -> A { A(tag, name) }
    func free(_ name: String) -> A.B { A.B(tag, name) }
    switch shape {
    case "oneToOne":
      a.one = free("b")
      return [a] + [a.one].compactMap { $0 }
    case "oneToOneRequired": return [a, A.C(tag, "b", a)]
    case "oneToMany":
      a.many = [free("b"), free("c")]
      return [a] + a.many
    case "oneToManyRequired": return [a, A.D(tag, "b", a), A.D(tag, "c", a)]
    case "manyToMany":
      a.pairs = [free("b"), free("c")]
      d.pairs = Array(a.pairs.suffix(1))
      return [a, d] + a.pairs
    case "manyToManyRequired":
      a.needyPairs = [A.E(tag, "b"), A.E(tag, "c")]
      d.needyPairs = Array(a.needyPairs.suffix(1))
      return [a, d] + a.needyPairs
    case "tree":
      let b = owner("b")
      a.children = [b, owner("c")]
      b.children = [d]
      return [a, d] + a.children
    default:
      let (b, c) = (owner("b"), owner("c"))
      a.next = b
      c.previous = b
      return [a, b, c]
    }
  }

  func pieces(_ shape: String, _ tag: Int, in context: ModelContext) throws -> [any Piece] {
    let owners = try fetch(A.self, tag, context)
    switch shape {
    case "oneToOne", "oneToMany", "manyToMany": return try owners + fetch(A.B.self, tag, context)
    case "oneToOneRequired": return try owners + fetch(A.C.self, tag, context)
    case "oneToManyRequired": return try owners + fetch(A.D.self, tag, context)
    case "manyToManyRequired": return try owners + fetch(A.E.self, tag, context)
    default: return owners
    }
  }

  func related(to piece: any Piece, _ shape: String) -> [(any Piece)?] {
    switch (shape, piece) {
    case ("oneToOne", let a as A): a.one.map { [$0] } ?? []
    case ("oneToOne", let b as A.B): b.one.map { [$0] } ?? []
    case ("oneToOneRequired", let a as A): a.needyOne.map { [$0] } ?? []
    case ("oneToOneRequired", let c as A.C): [needed(c.one)]
    case ("oneToMany", let a as A): a.many
    case ("oneToMany", let b as A.B): b.owner.map { [$0] } ?? []
    case ("oneToManyRequired", let a as A): a.needyMany
    case ("oneToManyRequired", let d as A.D): [needed(d.owner)]
    case ("manyToMany", let a as A): a.pairs
    case ("manyToMany", let b as A.B): b.pairs
    case ("manyToManyRequired", let a as A): a.needyPairs
    case ("manyToManyRequired", let e as A.E): e.pairs
    case ("tree", let a as A): a.children + [a.parent].compactMap { $0 }
    case ("chain", let a as A): [a.next, a.previous].compactMap { $0 }
    default: []
    }
  }

  func storage(_ shape: String) -> [MatrixStorage] {
    let (a, b, c, d, e) = ("\(A.self)", "\(A.B.self)", "\(A.C.self)", "\(A.D.self)", "\(A.E.self)")
    return switch shape {
    case "oneToOne":
      [
        .column("one", in: a, to: b, isOneWay: true), .column("one", in: b, to: a, isOneWay: true),
      ]
    case "oneToOneRequired":
      [
        .column("needyOne", in: a, to: c, isOneWay: true),
        .column("one", in: c, to: a, isOneWay: true),
      ]
    case "oneToMany": [.column("owner", in: b, to: a, isOneWay: false)]
    case "oneToManyRequired": [.column("owner", in: d, to: a, isOneWay: false)]
    case "manyToMany": [.pairs("\(a)_pairs", a, b, of: a, and: b, isOneWay: false)]
    case "manyToManyRequired": [.pairs("\(a)_needyPairs", a, e, of: a, and: e, isOneWay: false)]
    case "tree": [.column("parent", in: a, to: a, isOneWay: false)]
    default:
      [
        .column("next", in: a, to: a, isOneWay: true),
        .column("previous", in: a, to: a, isOneWay: true),
      ]
    }
  }
}

/// A family with one end, or with a relationship that is its own inverse.
struct LonerFamily<F: FollowingPiece, L: LonerPiece>: MatrixFamily where F.Target == L.Target {
  let rules: [String]
  init(_ rule: String) { rules = [rule] }

  var schema: Schema { Schema([F.self, L.self]) }

  var shapes: [(name: String, table: String)] {
    [
      ("spouse", MatrixTables.spouse), ("friends", MatrixTables.friends),
      ("target", MatrixTables.target), ("targets", MatrixTables.targets),
      ("targetRequired", MatrixTables.targetRequired),
    ]
  }

  func build(_ shape: String, _ tag: Int) -> [any Piece] {
    let (a, b, c) = (L(tag, "a"), L(tag, "b"), L(tag, "c"))
    let (first, second) = (L.Target(tag, "b"), L.Target(tag, "c"))
    switch shape {
    case "spouse":
      b.spouse = a
      return [a, b]
    case "friends":
      a.friends = [b, c]
      c.friends.append(b)
      return [a, b, c]
    case "target":
      a.target = first
      return [a, first]
    case "targets":
      a.targets = [first, second]
      return [a, first, second]
    default: return [F(tag, "a", first), first]
    }
  }

  func pieces(_ shape: String, _ tag: Int, in context: ModelContext) throws -> [any Piece] {
    switch shape {
    case "spouse", "friends": try fetch(L.self, tag, context)
    case "target", "targets": try fetch(L.self, tag, context) + fetch(L.Target.self, tag, context)
    default: try fetch(F.self, tag, context) + fetch(L.Target.self, tag, context)
    }
  }

  func related(to piece: any Piece, _ shape: String) -> [(any Piece)?] {
    switch (shape, piece) {
    case ("spouse", let a as L): a.spouse.map { [$0] } ?? []
    case ("friends", let a as L): a.friends
    case ("target", let a as L): a.target.map { [$0] } ?? []
    case ("targets", let a as L): a.targets
    case ("targetRequired", let a as F): [needed(a.target)]
    default: []
    }
  }

  func storage(_ shape: String) -> [MatrixStorage] {
    let (l, f, t) = ("\(L.self)", "\(F.self)", "\(L.Target.self)")
    return switch shape {
    case "spouse": [.column("spouse", in: l, to: l, isOneWay: true)]
    case "friends": [.pairs("\(l)_friends", l, "friends", of: l, and: l, isOneWay: true)]
    case "target": [.column("target", in: l, to: t, isOneWay: true)]
    case "targets": [.pairs("\(l)_targets", l, t, of: l, and: t, isOneWay: true)]
    default: [.column("target", in: f, to: t, isOneWay: true)]
    }
  }
}
