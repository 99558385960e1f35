/// The expected contents of a context with the Relationships schema as plain values.
///
/// A change of a relationship sets both ends immediately and removes the previous owner. Deleted nodes are hidden until
/// a save applies the delete rules.
struct World: Equatable {
  enum Kind: CaseIterable { case library, book, desk, reader }

  struct Node: Equatable {
    var kind: Kind
    var name: String
    var isDeleted = false
    var one: [Field: Int] = [:]
    var many: [Field: [Int]] = [:]
  }

  struct Refusal: Error {}

  private(set) var nodes: [Int: Node] = [:]
  private var next = 0

  mutating func insert(_ kind: Kind) -> Int {
    next += 1
    nodes[next] = Node(kind: kind, name: "n\(next)")
    return next
  }

  /// Restores earlier nodes. Numbers are never reused, even after a rollback.
  mutating func restore(_ earlier: World) { nodes = earlier.nodes }

  mutating func rename(_ id: Int, _ name: String) { nodes[id]?.name = name }
  mutating func delete(_ id: Int) { nodes[id]?.isDeleted = true }
  mutating func revive(_ id: Int) { nodes[id]?.isDeleted = false }

  // MARK: Reading

  func visible(_ kind: Kind) -> [Int] {
    nodes.keys.filter { nodes[$0]?.kind == kind && isVisible($0) }.sorted()
  }

  func isVisible(_ id: Int) -> Bool { nodes[id]?.isDeleted == false }

  func one(_ id: Int, _ field: Field) -> Int? {
    nodes[id]?.one[field].flatMap { isVisible($0) ? $0 : nil }
  }

  func many(_ id: Int, _ field: Field) -> [Int] { (nodes[id]?.many[field] ?? []).filter(isVisible) }

  // MARK: Writing

  mutating func setOne(_ id: Int, _ field: Field, _ target: Int?) {
    let old = nodes[id]?.one[field]
    if old == target { return }
    if let old { drop(id, from: old, field.inverse) }
    nodes[id]?.one[field] = target
    if let target { show(id, at: target, field.inverse) }
  }

  mutating func setMany(_ id: Int, _ field: Field, _ members: [Int]) {
    var unique: [Int] = []
    for member in members where !unique.contains(member) { unique.append(member) }
    let old = nodes[id]?.many[field] ?? []
    nodes[id]?.many[field] = unique
    for member in old where !unique.contains(member) { drop(id, from: member, field.inverse) }
    for member in unique where !old.contains(member) { show(id, at: member, field.inverse) }
  }

  private mutating func drop(_ id: Int, from other: Int, _ inverse: Field?) {
    guard let inverse else { return }
    if inverse.isMany {
      nodes[other]?.many[inverse]?.removeAll { $0 == id }
    } else if nodes[other]?.one[inverse] == id {
      nodes[other]?.one[inverse] = nil
    }
  }

  private mutating func show(_ id: Int, at other: Int, _ inverse: Field?) {
    guard let inverse else { return }
    if inverse.isMany {
      if nodes[other]?.many[inverse]?.contains(id) != true {
        nodes[other]?.many[inverse, default: []].append(id)
      }
      return
    }
    let previous = nodes[other]?.one[inverse]
    if previous == id { return }
    if let previous { drop(other, from: previous, inverse.inverse) }
    nodes[other]?.one[inverse] = id
  }

  // MARK: Saving

  /// The contents without cascaded deletions, as fetches return them before the save.
  var cascaded: World {
    var saved = self
    var wave = nodes.keys.filter { nodes[$0]?.isDeleted == true }
    while let id = wave.popLast() {
      for book in saved.many(id, .books) {
        saved.delete(book)
        wave.append(book)
      }
    }
    return saved
  }

  /// Applies delete rules and validates like a save.
  mutating func save() throws {
    var saved = cascaded
    for (id, node) in saved.nodes {
      if node.isDeleted, saved.one(id, .desk) != nil { throw Refusal() }
      guard !node.isDeleted, node.kind == .book else { continue }
      if saved.one(id, .firstReader) == nil || saved.many(id, .authors).count > 3 { throw Refusal() }
    }
    let gone = Set(saved.nodes.keys.filter { saved.nodes[$0]?.isDeleted == true })
    for id in gone { saved.nodes[id] = nil }
    saved.nodes = saved.nodes.mapValues { node in
      var node = node
      node.one = node.one.filter { !gone.contains($0.value) }
      node.many = node.many.mapValues { members in members.filter { !gone.contains($0) } }
      return node
    }
    self = saved
  }
}

/// The relationships of the Relationships schema.
enum Field: CaseIterable {
  case books, library
  case desk, deskLibrary
  case readers, libraries
  case sponsor
  case authors, written
  case firstReader, firstBook
  case mentor, pupils
  case spouse
  case friends

  var isMany: Bool {
    switch self {
    case .books, .readers, .libraries, .authors, .written, .pupils, .friends: true
    default: false
    }
  }

  var isOrdered: Bool { self == .readers }

  var owner: World.Kind {
    switch self {
    case .books, .desk, .readers, .sponsor: .library
    case .library, .authors, .firstReader: .book
    case .deskLibrary: .desk
    case .libraries, .written, .firstBook, .mentor, .pupils, .spouse, .friends: .reader
    }
  }

  var destination: World.Kind {
    switch self {
    case .books, .written, .firstBook: .book
    case .library, .deskLibrary, .libraries: .library
    case .desk: .desk
    case .readers, .sponsor, .authors, .firstReader, .mentor, .pupils, .spouse, .friends: .reader
    }
  }

  var inverse: Field? {
    switch self {
    case .books: .library
    case .library: .books
    case .desk: .deskLibrary
    case .deskLibrary: .desk
    case .readers: .libraries
    case .libraries: .readers
    case .sponsor: nil
    case .authors: .written
    case .written: .authors
    case .firstReader: .firstBook
    case .firstBook: .firstReader
    case .mentor: .pupils
    case .pupils: .mentor
    case .spouse: .spouse
    case .friends: .friends
    }
  }
}
