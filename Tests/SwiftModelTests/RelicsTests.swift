import Foundation
import TestStores
import Testing
import Trellis

/// Tests of models of which only the identifier is known, and whose types reject placeholder values.
@Suite struct RelicsTests {
  private static func container(_ models: any PersistentModel.Type...) throws -> ModelContainer {
    let schema = Schema(models)
    return try ModelContainer(
      for: schema, configurations: ModelConfiguration(schema: schema, isStoredInMemoryOnly: true))
  }

  private static func relic() -> Relic {
    Relic(
      name: "one", hopeless: Password("x!"), strict: Strict(word: "long"),
      seal: Seal("wax"))
  }

  /// Returns another context, and its object for a deleted row.
  private static func gone<M: PersistentModel>(_ model: M) throws -> (ModelContext, M) {
    let container = try container(M.self)
    let context = ModelContext(container)
    context.insert(model)
    try context.save()
    let identifier = model.persistentModelID
    context.delete(model)
    try context.save()
    let other = ModelContext(container)
    return (other, try #require(other.model(for: identifier) as? M))
  }

  @Test func declaredDefaultsAreReturned() throws {
    let (context, relic) = try Self.gone(Self.relic())
    #expect(relic.isDeleted && relic.name.isEmpty)
    #expect(relic.word == Password("sesame!"))
    #expect(relic.wrapper == Wrapper(number: 0, word: Password("inner!")))
    withExtendedLifetime(context) {}
  }

  /// Placeholders are not limited to zeros and empty strings.
  @Test func placeholdersCanBeCreated() throws {
    let (context, relic) = try Self.gone(Self.relic())
    #expect(relic.strict.word.count > 1)
    withExtendedLifetime(context) {}
  }

  /// The read returns the last value of this type that the process saved, and is reported as an issue.
  @Test func theLastKnownValueIsReturned() throws {
    IssueLog.start()
    let (context, relic) = try Self.gone(Self.relic())
    #expect(relic.hopeless.text.hasSuffix("!"))
    #expect(relic.seal.text == "wax")
    let (other, rune) = try Self.gone(Rune(sign: try #require(Sign(rawValue: "rune-7"))))
    #expect(rune.sign.rawValue == "rune-7")
    for wanted in ["Relic.hopeless", "Relic.seal", "Rune.sign"] {
      #expect(
        IssueLog.contains {
          if case .missingValue(let property, _, isReplaced: true) = $0 { property == wanted } else { false }
        }, "\(wanted)")
    }
    withExtendedLifetime((context, other)) {}
  }

  #if os(Linux) || os(macOS)
    /// A process that has neither read nor saved a value of the type stops with a message.
    @Test func theProcessStops() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let context = ModelContext(try Self.container(Relic.self, Rune.self))
        let rune = Rune(sign: try #require(Sign(rawValue: "rune-1")))
        context.insert(rune)
        try context.save()
        let identifier = try PersistentIdentifier.identifier(
          for: try #require(rune.persistentModelID.storeIdentifier), entityName: Schema.entityName(for: Relic.self),
          primaryKey: 7)
        print((context.model(for: identifier) as? Relic)?.hopeless as Any)
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("'Relic.hopeless' has no value"), "\(said)")
      #expect(said.contains("give the property a default value, declare 'Password' in the schema, or"))
    }
  #endif
}
