import Foundation
import Testing
import Trellis

/// Tests of the public symbols of containers, configurations, fetch descriptors and errors.
@Suite struct ContextAPITests {
  @Test func configurations() throws {
    let url = URL(filePath: "/tmp/a.store")
    let named = ModelConfiguration(
      "a", schema: nil, isStoredInMemoryOnly: true, allowsSave: true, groupContainer: .automatic,
      cloudKitDatabase: .automatic)
    let placed = ModelConfiguration(
      "b", schema: Schema(Ship.self), url: url, allowsSave: false, cloudKitDatabase: .none)
    var typed = ModelConfiguration(for: Ship.self, Harbour.self, isStoredInMemoryOnly: true)
    typed.schema = nil
    try named.validate()
    let groups: [ModelConfiguration.GroupContainer] = [.automatic, .none, .identifier("group")]
    let clouds: [ModelConfiguration.CloudKitDatabase] = [.automatic, .none, .private("db")]
    let store: DefaultStore.Type = ModelConfiguration.Store.self
    #expect(groups.count == clouds.count && store == DefaultStore.self)
    #expect(placed.url == url && !placed.allowsSave && named.isStoredInMemoryOnly)
    #expect(named.groupAppContainerIdentifier == nil && named.cloudKitContainerIdentifier == nil)
    #expect(Set([named, placed]).count == 2 && !named.debugDescription.isEmpty)
    _ = (named.groupContainer, named.cloudKitDatabase, named.name)
  }

  @Test func containers() throws {
    let schema = Schema([Ship.self])
    let list = try ModelContainer(for: schema, migrationPlan: nil, configurations: [memory()])
    let variadic = try ModelContainer(for: schema, migrationPlan: nil, configurations: memory())
    let typed = try ModelContainer(
      for: Ship.self, Harbour.self, migrationPlan: nil, configurations: memory())
    let anyConfigurations: [any DataStoreConfiguration] = [memory()]
    let custom = try ModelContainer(for: schema, configurations: anyConfigurations)
    let anyConfiguration: any DataStoreConfiguration = memory()
    let customTyped = try ModelContainer(for: Ship.self, configurations: anyConfiguration)
    let planned = try ModelContainer(
      for: schema, migrationPlan: nil, configurations: anyConfigurations)
    let containers: Set<ObjectIdentifier> = Set(
      [list, variadic, typed, custom, customTyped, planned].map(ObjectIdentifier.init))
    #expect(containers.count == 6 && list != variadic)
    list.configurations = []
    #expect(list.configurations.isEmpty && list.migrationPlan == nil)
    list.deleteAllData()
    try list.erase()
    let sent: any Sendable = list
    #expect(sent is ModelContainer)
  }

  @Test func notificationNames() {
    let names: [Notification.Name] = [ModelContext.willSave, ModelContext.didSave]
    let keys: [ModelContext.NotificationKey] = [
      .insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers, .invalidatedAllIdentifiers,
      .queryGeneration, .historyTokens,
    ]
    #expect(Set(names).count == 2 && Set(keys.map(\.rawValue)).count == keys.count)
    #expect(ModelContext.NotificationKey(rawValue: keys[0].rawValue) == .insertedIdentifiers)
  }

  @Test func fetchDescriptors() {
    var descriptor = FetchDescriptor<Ship>(
      predicate: #Predicate { $0.hull > 1 }, sortBy: [SortDescriptor(\.name)])
    let plain = FetchDescriptor<Ship>()
    #expect(plain.predicate == nil && plain.sortBy.isEmpty && plain.fetchLimit == nil)
    #expect(plain.fetchOffset ?? 0 == 0 && plain.includePendingChanges)
    #expect(plain.propertiesToFetch.isEmpty && plain.relationshipKeyPathsForPrefetching.isEmpty)
    descriptor.fetchLimit = 5
    descriptor.fetchOffset = 1
    descriptor.includePendingChanges = false
    descriptor.propertiesToFetch = [\.name]
    descriptor.relationshipKeyPathsForPrefetching = [\.cabins]
    let same = descriptor
    #expect(descriptor == same && descriptor != plain)
    let sent: any Sendable = descriptor
    #expect(sent is FetchDescriptor<Ship>)
  }

  @Test func errors() {
    let all: [SwiftDataError] = [
      .includePendingChangesWithBatchSize, .sortingPendingChangesWithIdentifiers, .unsupportedKeyPath,
      .unsupportedPredicate, .unsupportedSortDescriptor,
      .configurationFileNameContainsInvalidCharacters, .configurationFileNameTooLong,
      .configurationSchemaNotFoundInContainerSchema, .duplicateConfiguration,
      .loadIssueModelContainer, .modelValidationFailure, .missingModelContext, .backwardMigration,
      .unknownSchema, .historyTokenExpired, .invalidTransactionFetchRequest, .unknownDataStoreSchema,
    ]
    #expect(Set(all).count == 17)
    do { throw SwiftDataError.missingModelContext } catch SwiftDataError.unknownSchema {
      Issue.record("another error")
    } catch SwiftDataError.missingModelContext {
      #expect(SwiftDataError.missingModelContext ~= SwiftDataError.missingModelContext as any Error)
    } catch { Issue.record("not caught by its name") }
    let store: [DataStoreError] = [
      .invalidPredicate, .preferInMemoryFilter, .preferInMemorySort, .unsupportedFeature,
    ]
    #expect(Set(store).count == 4)
  }
}
