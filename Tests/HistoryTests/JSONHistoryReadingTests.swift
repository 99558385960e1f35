import Foundation
import TestSupport
import Testing
import Trellis
import TrellisJSON

/// Tests of the parts of a JSON file's history that are read.
final class JSONHistoryReadingTests {
  private typealias Transaction = DefaultHistoryTransaction

  private let folder: URL
  private var file: URL { folder.appending(path: "labels.json") }
  private var historyFile: URL { folder.appending(path: "labels.json.history") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @discardableResult private func run<R>(_ body: (ModelContext) throws -> R) throws -> R {
    let schema = Schema([Item.self, Parcel.self, Label.self, Stamp.self, Stop.self])
    let context = ModelContext(
      try ModelContainer(for: schema, configurations: [JSONFileConfiguration(schema: schema, url: file)]))
    return try withExtendedLifetime(context) { try body(context) }
  }

  private func save(_ count: Int) throws {
    try run { (context) throws in
      for number in 0..<count {
        context.author = number % 3 == 0 ? "import" : nil
        context.insert(Label(text: "\(number)"))
        try context.save()
      }
    }
  }

  private func numbers(
    _ context: ModelContext, limit: UInt64 = 0, isReversed: Bool = false,
    _ predicate: Predicate<Transaction>? = nil
  ) throws -> [Int64] {
    var descriptor = HistoryDescriptor<Transaction>(predicate: predicate)
    if isReversed { descriptor.sortBy = [SortDescriptor(\.transactionIdentifier, order: .reverse)] }
    descriptor.fetchLimit = limit
    return try context.fetchHistory(descriptor).map(\.id)
  }

  /// Damages the text of a line. Queries that do not need the line are not affected.
  private func damage(line: Int) throws {
    var lines = try String(contentsOf: historyFile, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines[line] = "x" + lines[line].dropFirst()
    try lines.joined(separator: "\n").write(to: historyFile, atomically: true, encoding: .utf8)
  }

  /// Needs hundreds of saves, so a short run leaves it to the test below.
  @Test(.enabled(if: Repetitions.isThorough, "'./run test --all' has it")) func whatIsNew_isReadAlone() throws {
    try save(300)
    let tokens = try run { try $0.fetchHistory(HistoryDescriptor<Transaction>()).map(\.token) }
    try damage(line: 100)
    let (token, last, author) = (tokens[250], tokens[298], "import")
    let id: Int64 = 297
    try run { (context) throws in
      #expect(try numbers(context, #Predicate { $0.token > last }) == [300])
      #expect(try numbers(context, limit: 1, isReversed: true) == [300])
    }
    try run { try #expect(numbers($0, limit: 1, isReversed: true) == [300]) }
    try run { (context) throws in
      #expect(try numbers(context, limit: 3, isReversed: true, #Predicate { $0.author == author }) == [298, 295, 292])
      #expect(try numbers(context, limit: 70, isReversed: true) == (231...300).reversed())
    }
    try run { (context) throws in
      #expect(
        try numbers(context, #Predicate { $0.token > token && $0.author == author })
          == Array(stride(from: 253, through: 300, by: 3)))
    }
    try run { (context) throws in
      #expect(try numbers(context, #Predicate { $0.token == last || $0.id == id }) == [297, 299])
      #expect(try numbers(context, #Predicate { $0.id >= id && !($0.id > id) }) == [297])
    }
    // Changes before the damage, or possibly before it, cannot be determined.
    let old = tokens[50]
    try run { (context) throws in
      #expect(throws: SwiftDataError.self) { try numbers(context, #Predicate { $0.token > old }) }
      #expect(throws: SwiftDataError.self) { try numbers(context, #Predicate { $0.author == author }) }
      #expect(throws: SwiftDataError.self) { try numbers(context, limit: 300, isReversed: true) }
      #expect(try numbers(context, #Predicate { $0.token > last }) == [300])
      context.insert(Label(text: "goes on"))
      try context.save()
      #expect(try numbers(context, #Predicate { $0.token > last }) == [300, 301])
    }
    #expect(try run { try numbers($0, #Predicate { $0.token > last }) } == [300, 301])
    #expect(try run { try $0.fetchCount(FetchDescriptor<Label>()) } == 301)
  }

  /// Tests any order of queries with saves and deletions in between.
  @Test func partsAreReadInAnyOrder() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    var known: [Int64] = []
    var floor: Int64 = 0
    var next: Int64 = 1
    try save(0)
    for round in 0..<Repetitions.scaled(2, upTo: 20) {
      try run { (context) throws in
        for _ in 0..<8 {
          switch Int.random(in: 0..<6, using: &random) {
          case 0, 1:
            for _ in 0..<Int.random(in: 1...30, using: &random) {
              context.insert(Label(text: "x"))
              try context.save()
              known.append(next)
              next += 1
            }
          case 2, 3:
            guard let last = known.last else { continue }
            let number = Int64.random(in: 0...last, using: &random)
            let store = try #require(context.container.storeIdentifier(forConfigurationNamed: "labels"))
            let token = try JSONDecoder().decode(
              DefaultHistoryToken.self, from: Data(#"{"\#(store)":\#(number)}"#.utf8))
            do {
              let found = try numbers(context, #Predicate { $0.token > token })
              #expect(found == known.filter { $0 > number } && number >= floor, "seed \(seed), round \(round)")
            } catch SwiftDataError.historyTokenExpired {
              #expect(number < floor, "seed \(seed), round \(round)")
            }
          case 4:
            let limit = UInt64.random(in: 1...100, using: &random)
            let found = try numbers(context, limit: limit, isReversed: true)
            #expect(found == Array(known.reversed().prefix(Int(limit))), "seed \(seed), round \(round)")
          default:
            guard let number = known.randomElement(using: &random), Int.random(in: 0..<3, using: &random) == 0
            else { continue }
            let isOlder = Int.random(in: 0..<5, using: &random) == 0
            try context.deleteHistory(
              isOlder
                ? HistoryDescriptor<Transaction>(predicate: #Predicate { $0.id <= number })
                : HistoryDescriptor<Transaction>(predicate: #Predicate { $0.id == number }))
            known.removeAll { isOlder ? $0 <= number : $0 == number }
            floor = max(floor, number)
          }
        }
        if round % 6 == 5 { #expect(try numbers(context) == known, "seed \(seed), round \(round)") }
      }
    }
    #expect(try run { try numbers($0) } == known)
  }

  /// The text of the history is in memory while it is open, so removing or truncating its file loses nothing.
  @Test func theFileGoes_beforeItIsRead() throws {
    let count: Int64 = Repetitions.isThorough ? 500 : 100
    try save(Int(count))
    try run { (context) throws in
      try FileManager.default.removeItem(at: historyFile)
      #expect(try numbers(context, limit: 1, isReversed: true) == [count])
      context.insert(Label(text: "x"))
      try context.save()
      #expect(try numbers(context) == Array(1...count + 1))
    }
    #expect(try run { try numbers($0) } == Array(1...count + 1))
    try run { (context) throws in
      let handle = try FileHandle(forWritingTo: historyFile)
      try handle.truncate(atOffset: 200)
      try handle.close()
      #expect(try numbers(context, limit: 1, isReversed: true) == [count + 1])
      context.insert(Label(text: "y"))
      try context.save()
      #expect(try numbers(context) == Array(1...count + 2))
    }
    #expect(try run { try numbers($0) } == Array(1...count + 2))
  }
}
