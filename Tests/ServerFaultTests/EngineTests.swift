import Foundation
import PostgresSupport
import StoreConformance
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Runs the profiles of other engines against PostgreSQL, behind a proxy that rejects the features that an engine
/// lacks.
@Suite(.serialized, .waiting) struct EngineTests {
  private static let schema = Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self])

  @Test(arguments: EngineProfile.all.indices) func everyEngineConforms(engine index: Int) async throws {
    let engine = EngineProfile.all[index]
    let server = try PostgresServer.shared.get()
    let proxy = try engine.proxy(to: server)
    defer { proxy.stop() }
    let conformance = StoreConformance<PostgresConfiguration>(declining: [.nullCharacters]) {
      engine.configuration(server, proxy)
    }
    await withTaskGroup(of: Void.self) { group in
      let checks = Repetitions.sample(
        ConformanceCheck.all, every: 8, "checks of \(engine.name)", shift: index * 3)
      for check in checks {
        group.addTask {
          do {
            try await conformance.verify(check)
          } catch {
            Issue.record("\(engine.name): \(error)")
          }
        }
      }
    }
    #expect(proxy.rejections.isEmpty, "\(engine.name)")
  }

  /// The proxies reject features that the store uses with PostgreSQL, which shows that the other tests can fail.
  @Test(arguments: EngineProfile.all.indices) func aProxyRejectsWhatAnEngineLacks(engine index: Int) throws {
    let server = try PostgresServer.shared.get()
    let proxy = try EngineProfile.all[index].proxy(to: server)
    defer { proxy.stop() }
    var configuration = EngineProfile.all[index].configuration(server, proxy)
    configuration.engine = .postgres
    configuration.schema = Self.schema
    #expect { try PostgresStore(configuration) } throws: { ($0 as? PostgresError)?.sqlState == "0A000" }
  }

  /// With many writers and readers, each reader receives every transaction once, in numerical order.
  @Test func numbersFollowCommitOrder() async throws {
    let server = try PostgresServer.shared.get()
    let proxy = try EngineProfile.cockroach.proxy(to: server)
    defer { proxy.stop() }
    let configuration = EngineProfile.cockroach.configuration(server, proxy)
    let containers = try (0..<2).map { _ in try ModelContainer(for: Self.schema, configurations: [configuration]) }
    let isOver = Shared(false)
    let seen = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<20 {
            try await containers[task % 2].performBackgroundTask { context in
              context.insert(DiffLabel(text: "\(task) \(round)", rows: []))
              try context.save()
            }
          }
          return []
        }
      }
      group.addTask {
        var numbers: [Int64] = []
        var token: DefaultHistoryToken?
        while true {
          let isLast = isOver.withLock { $0 }
          let news = try await containers[0].performBackgroundTask { [token] context in
            var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
            if let token { descriptor.predicate = #Predicate { $0.token > token } }
            return try context.fetchHistory(descriptor).map { ($0.id, $0.token) }
          }
          numbers += news.map(\.0)
          token = news.last?.1 ?? token
          if isLast { return numbers }
        }
      }
      for _ in 0..<8 { _ = try await group.next() }
      isOver.withLock { $0 = true }
      return try await group.next() ?? []
    }
    #expect(seen == Array(1...160))
  }

  /// Programs that create a store at the same time end up with a single store, without using locks.
  @Test func aStoreIsCreatedOnce() throws {
    let server = try PostgresServer.shared.get()
    let proxy = try EngineProfile.yugabyte.proxy(to: server)
    defer { proxy.stop() }
    var configuration = EngineProfile.yugabyte.configuration(server, proxy)
    configuration.schema = Self.schema
    let identifiers = Shared<[String]>([])
    let threads = (0..<6).map { [configuration] _ in
      Thread {
        do {
          let store = try PostgresStore(configuration)
          identifiers.withLock { $0.append(store.identifier) }
        } catch {
          identifiers.withLock { $0.append("\(error)") }
        }
      }
    }
    for thread in threads { thread.start() }
    for thread in threads { while !thread.isFinished { Thread.sleep(forTimeInterval: 0.01) } }
    let all = identifiers.withLock { $0 }
    #expect(all.count == 6 && Set(all).count == 1, "\(all)")
  }
}
