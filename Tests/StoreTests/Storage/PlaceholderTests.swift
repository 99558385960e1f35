import Foundation
import Testing
import Trellis

/// Tests of models of which only the identifier is known, with types that reject placeholder values.
@Suite struct PlaceholderTests {
  /// A model whose row was deleted.
  private static func gone() throws -> (ModelContext, Relic) {
    let fixture = try StorageFixture()
    let container = try fixture.container(Relic.self)
    let context = ModelContext(container)
    let relic = Relic(
      name: "one", word: Password("own!"), hopeless: Password("x!"), strict: Strict(word: "long"),
      whim: Password("y!"))
    context.insert(relic)
    try context.save()
    let identifier = relic.persistentModelID
    context.delete(relic)
    try context.save()
    let other = ModelContext(container)
    return (other, try #require(other.model(for: identifier) as? Relic))
  }

  @Test func aPropertyWithADefaultShowsIt() throws {
    let (context, relic) = try Self.gone()
    #expect(relic.isDeleted && relic.name.isEmpty)
    #expect(relic.word == Password("sesame!"))
    #expect(relic.wrapper == Wrapper(number: 0, word: Password("inner!")))
    withExtendedLifetime(context) {}
  }

  /// Placeholders are not limited to zeros and empty texts.
  @Test func aTypeThatWantsMoreThanNothingGetsIt() throws {
    let (context, relic) = try Self.gone()
    #expect(relic.strict.word.count > 1)
    withExtendedLifetime(context) {}
  }

  /// An ephemeral property of a fetched object needs no placeholder.
  @Test func whatIsNotStoredIsAssignedLater() throws {
    let fixture = try StorageFixture()
    let context = ModelContext(try fixture.container(Relic.self))
    context.insert(
      Relic(
        name: "one", hopeless: Password("x!"), strict: Strict(word: "long"), whim: Password("y!")))
    try context.save()
    let other = ModelContext(context.container)
    let relic = try other.only(Relic.self)
    #expect(relic.hopeless == Password("x!") && relic.word == Password("sesame!"))
    relic.whim = Password("z!")
    #expect(relic.whim == Password("z!"))
  }

  #if os(Linux) || os(macOS)
    @Test func theTrapNamesThePropertyAndTheWayOut() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let (context, relic) = try Self.gone()
        print(relic.hopeless)
        withExtendedLifetime(context) {}
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("'Relic.hopeless' was read where it has no value"))
      #expect(said.contains("give the property a default value, declare 'Password' in the schema, or"))
    }
  #endif
}
