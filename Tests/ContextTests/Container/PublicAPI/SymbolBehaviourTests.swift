import Foundation
import Testing
import Trellis

/// Tests of the behaviour of symbols that `PublicAPIUses` only compiles.
@Suite struct SymbolBehaviourTests {
  @Test func tokensContainTheStoreOfTheirTransaction() throws {
    let container = try ModelContainer(for: Harbour.self, configurations: memory())
    let context = ModelContext(container)
    context.insert(Harbour(name: "Bergen"))
    try context.save()
    let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    let transaction = try #require(transactions.last)
    #expect(transaction.token.storeIdentifier == transaction.storeIdentifier)
    let token: any HistoryToken = transaction.token
    #expect(container.configurationName(forStoreIdentifier: token.storeIdentifier) == "default")
    // A custom token without a store identifier.
    #expect(DiaryToken(page: 1).storeIdentifier == "")
  }

  @Test func historyObserversExposeTheirModels() throws {
    let container = try ModelContainer(for: Harbour.self, Ship.self, configurations: memory())
    let observer = try HistoryObserver(observedModels: [Ship.self], modelContainer: container)
    #expect(observer.modelContainer === container)
    #expect(observer.observedModels.map { ObjectIdentifier($0) } == [ObjectIdentifier(Ship.self)])
    #expect(try HistoryObserver(modelContainer: container).observedModels.isEmpty)
  }

  @Test func aTransformerIsFoundByItsName() {
    let name = NSValueTransformerName("SymbolBehaviourTests")
    #expect(ValueTransformer(forName: name) == nil)
    let shouting = Shouting()
    ValueTransformer.setValueTransformer(shouting, forName: name)
    defer { ValueTransformer.setValueTransformer(nil, forName: name) }
    #expect(ValueTransformer(forName: name) === shouting)
    #expect(Shouting(forName: name) === shouting)
    #expect(Whispering(forName: name) == nil, "of another class")
    let classes = [Shouting.transformedValueClass(), Whispering.transformedValueClass()]
    #expect(classes.map { ObjectIdentifier($0) } == [ObjectIdentifier(NSData.self), ObjectIdentifier(NSString.self)])
  }

  private protocol Spellings {
    func container(_ schema: Schema, _ stores: [ModelConfiguration]) throws -> ModelContainer
    func configuration(_ schema: Schema, _ url: URL) -> ModelConfiguration
  }

  private struct Of2023: Spellings {
    @available(*, deprecated)
    func container(_ schema: Schema, _ stores: [ModelConfiguration]) throws -> ModelContainer {
      try ModelContainer(for: schema, stores[0], stores[1])
    }

    @available(*, deprecated)
    func configuration(_ schema: Schema, _ url: URL) -> ModelConfiguration {
      ModelConfiguration(schema: schema, url: url, cloudKitContainerIdentifier: "com.example.fleet")
    }
  }

  @Test func deprecatedSpellingsBehaveTheSame() throws {
    let scratch = try Scratch()
    let old: any Spellings = Of2023()
    let harbours = old.configuration(Schema(Harbour.self), scratch.url("harbours"))
    #expect(harbours.url == scratch.url("harbours") && harbours.allowsSave)
    #expect(harbours.cloudKitContainerIdentifier == "com.example.fleet")
    let fleet = Schema(Harbour.self, Vessel.self)
    let vessels = ModelConfiguration("vessels", schema: Schema(Vessel.self), url: scratch.url("vessels"))
    let container = try old.container(fleet, [harbours, vessels])
    #expect(container.configurations == [harbours, vessels])
    let context = ModelContext(container)
    context.insert(Harbour(name: "Bergen"))
    context.insert(Vessel(name: "Fram"))
    try context.save()
    let again = ModelContext(try ModelContainer(for: fleet, configurations: harbours, vessels))
    #expect(try again.fetchCount(FetchDescriptor<Harbour>()) == 1)
    #expect(try again.fetchCount(FetchDescriptor<Vessel>()) == 1)
  }
}

/// A transformer that stores lower case.
private final class Whispering: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSString.self }
}
