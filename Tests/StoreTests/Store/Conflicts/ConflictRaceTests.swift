import Foundation
import TestSupport
import Testing
import Trellis

/// Concurrent increments by threads and programs: with `.fail` and retries, no increment is lost.
@Suite(.serialized) struct ConflictRaceTests {
  typealias Kind = ConflictPlace.Kind
  private static let variable = "TRELLIS_CONFLICT_RACE"
  private static var isChild: Bool { ProcessInfo.processInfo.environment[variable] != nil }
  private static let perProgram = Repetitions.scaled(30, upTo: 100)

  /// Increments and retries after conflicts, like a program.
  private static func increment(_ context: ModelContext, _ times: Int) throws {
    for _ in 0..<times {
      while true {
        guard let keep = try KeepWorld.keeps(context).first else { return }
        keep.count += 1
        do {
          try context.save()
          break
        } catch let error as SwiftDataError where error == .saveConflict {
          context.rollback()
        }
      }
    }
  }

  private actor Counter: ModelActor {
    nonisolated let modelExecutor: any ModelExecutor

    init(_ container: ModelContainer) {
      modelExecutor = DefaultSerialModelExecutor(modelContainer: container)
    }

    func run(_ times: Int) throws {
      modelContext.conflictPolicy = .fail
      try ConflictRaceTests.increment(modelContext, times)
    }
  }

  @Test(arguments: [Kind.memory, .disk, .shelf]) func actorsLoseNoIncrements(_ kind: Kind) async throws {
    let place = try ConflictPlace(kind)
    try place.add { $0.count = 0 }
    let container = place.container
    let times = Repetitions.scaled(15, upTo: 50)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        let counter = Counter(container)
        group.addTask { try await counter.run(times) }
      }
      try await group.waitForAll()
    }
    #expect(try place.stored { $0.count } == 6 * times)
  }

  private static func open(_ path: String) throws -> ModelContext {
    var configuration = ModelConfiguration(url: URL(fileURLWithPath: path))
    configuration.conflictPolicy = .fail
    return ModelContext(try KeepWorld.container(configuration))
  }

  /// Runs in child processes only.
  @Test(.enabled(if: isChild)) func incrementsInAnotherProgram() throws {
    let path = try #require(ProcessInfo.processInfo.environment[Self.variable])
    try Self.increment(Self.open(path), Self.perProgram)
  }

  @Test(.enabled(if: !isChild)) func programsLoseNoIncrements() throws {
    let scratch = try Scratch()
    let path = scratch.file("keeps.store").path
    let context = try Self.open(path)
    context.insert(Keep(code: "a"))
    try context.save()
    let programs = try (0..<3).map { _ in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = [
        "--testing-library", "swift-testing", "--filter", "ConflictRaceTests.*incrementsInAnotherProgram",
      ]
      process.environment = ProcessInfo.processInfo.environment.merging([Self.variable: path]) { $1 }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
    var own = 0
    while programs.contains(where: \.isRunning) {
      try Self.increment(context, 1)
      own += 1
    }
    for program in programs { #expect(program.terminationStatus == 0) }
    #expect(own > 0)
    #expect(try KeepWorld.keeps(Self.open(path)).map(\.count) == [3 * Self.perProgram + own])
  }
}
