import TestSupport
import Testing
import Trellis

@testable import TestWorlds

/// SQL, models with pending changes and a store without aggregates must return equal results, to the last bit.
@Suite struct AggregateDifferentialTests {
  @Test(arguments: [false, true]) func everyStoreReturnsEqualResults(isWild: Bool) throws {
    var dice = SeededGenerator(seed: SeededGenerator.seed("everyStoreReturnsEqualResults, wild \(isWild)"))
    let fixture = try AggregateFixture()
    var twin = dice
    try RandomMeasurements.fill(fixture.context, count: 60, isWild: isWild, &dice)
    let list = ModelContext(try ListStore.container())
    try RandomMeasurements.fill(list, count: 60, isWild: isWild, &twin)
    let touched = try fixture.touched()
    for round in 0..<300 {
      let (name, question) = dice.pick(AggregateQuestions.all)
      var descriptor = AggregateQuestions.descriptor(&dice)
      let expected = AggregateQuestions.answer(question, touched, descriptor)
      let comment: Comment = "round \(round): \(name), \(descriptor)"
      #expect(AggregateQuestions.answer(question, fixture.fresh(), descriptor) == expected, comment)
      #expect(AggregateQuestions.answer(question, list, descriptor) == expected, comment)
      descriptor.includePendingChanges = false
      #expect(AggregateQuestions.answer(question, touched, descriptor) == expected, comment)
    }
  }

  /// Without this test, the test above would also pass if every query were evaluated in memory.
  @Test(arguments: [false, true]) func aggregatesAreComputedInTheStore(isWild: Bool) throws {
    var dice = SeededGenerator(seed: 7)
    let fixture = try AggregateFixture()
    try RandomMeasurements.fill(fixture.fresh(), count: 30, isWild: isWild, &dice)
    for (name, question) in AggregateQuestions.all where name != "more values" {
      let context = fixture.fresh()
      _ = try? question(context, FetchDescriptor(predicate: #Predicate { $0.isValid }))
      #expect(context.isUntouched, "\(name) made models")
    }
  }
}
