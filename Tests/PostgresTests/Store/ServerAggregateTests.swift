import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Aggregates that the server computes are equal to those that the context computes from models, to the last bit.
@Suite(.waiting) struct ServerAggregateTests {
  private static func fixture() throws -> AggregateFixture {
    try AggregateFixture(PostgresServer.shared.get().configuration(schema: AggregateFixture.schema))
  }

  private static func measurement(_ number: Int) -> Probe {
    Probe(
      number: number, small: 1, unsigned: 0, ratio: 0, price: 0, taken: Date(timeIntervalSinceReferenceDate: 0),
      label: "a", mark: "a", isValid: true, grade: .low, token: UUID())
  }

  @Test(arguments: [false, true]) func theServerAndTheContextAgree(isWild: Bool) throws {
    var dice = SeededGenerator(seed: SeededGenerator.seed("theServerAndTheContextAgree, wild \(isWild)"))
    let fixture = try Self.fixture()
    try RandomMeasurements.fill(fixture.context, count: 60, isWild: isWild, &dice)
    let touched = try fixture.touched()
    for round in 0..<Repetitions.scaled(50, upTo: 600) {
      let (name, question) = dice.pick(AggregateQuestions.all)
      var descriptor = AggregateQuestions.descriptor(&dice)
      let expected = AggregateQuestions.answer(question, touched, descriptor)
      let comment: Comment = "round \(round): \(name), \(descriptor)"
      #expect(AggregateQuestions.answer(question, fixture.fresh(), descriptor) == expected, comment)
      descriptor.includePendingChanges = false
      #expect(AggregateQuestions.answer(question, touched, descriptor) == expected, comment)
    }
  }

  /// The server computes the aggregate, or returns the columns from which the context computes it. Models are only read
  /// for values that are not stored, and for text, whose original form may be in another column.
  @Test func aggregatesAreComputedOnTheServer() throws {
    var dice = SeededGenerator(seed: 7)
    let server = try PostgresServer.shared.get()
    let proxy = try ProtocolProxy(to: server)
    defer { proxy.stop() }
    var configuration = PostgresConfiguration(schema: AggregateFixture.schema, url: proxy.url())
    configuration.schemaName = server.configuration().schemaName
    // Otherwise the trace would not contain the SQL of every statement.
    configuration.preparesStatements = false
    let fixture = try AggregateFixture(configuration)
    try RandomMeasurements.fill(fixture.fresh(), count: 30, isWild: false, &dice)
    let ofModels: Set = ["projection", "one value", "more values"]
    for (name, question) in AggregateQuestions.all {
      proxy.forgetTrace()
      _ = try question(fixture.fresh(), FetchDescriptor(predicate: #Predicate { $0.isValid }))
      // Only statements that read whole rows mention this column.
      let readsModels = proxy.trace.contains { $0.sql?.contains("\"tags\"") == true }
      #expect(readsModels == ofModels.contains(name), "\(name)")
    }
  }

  /// A sum that exceeds a 64-bit integer is an error, even in a group that the filter would exclude.
  @Test func sumsOverflow() throws {
    let fixture = try Self.fixture()
    for _ in 0..<2 { fixture.context.insert(Self.measurement(.max)) }
    try fixture.context.save()
    let all = FetchDescriptor<Probe>()
    #expect(throws: AggregateOverflow.self) { try fixture.fresh().aggregate(.sum(\.number), over: all) }
    #expect(throws: AggregateOverflow.self) {
      try fixture.fresh().groups(of: all, by: \.label, computing: .count, having: .sum(\.number) < 0)
    }
    fixture.context.insert(Self.measurement(.min))
    try fixture.context.save()
    #expect(try fixture.fresh().aggregate(.sum(\.number), over: all) == .max - 1)
  }
}
