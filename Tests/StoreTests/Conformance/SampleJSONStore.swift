// swift-format-ignore-file
// A store as written for SwiftData in 2024, unchanged except for one `@available`. It returns all snapshots of its file
// for any entity, copies snapshots without remapping references, and does not support relationships, uniqueness and
// delete rules. `StoreType` and `remappedPersistentIdentifiers` are names of that year.
import Foundation
import Trellis

final class JSONStoreConfiguration: DataStoreConfiguration {
    typealias StoreType = JSONStore                      // current spelling: `Store`; both must work

    var name: String
    var schema: Schema?
    var fileURL: URL

    init(name: String, schema: Schema? = nil, fileURL: URL) {
        self.name = name; self.schema = schema; self.fileURL = fileURL
    }
    static func == (lhs: JSONStoreConfiguration, rhs: JSONStoreConfiguration) -> Bool { lhs.name == rhs.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

final class JSONStore: DataStore {
    typealias Configuration = JSONStoreConfiguration
    typealias Snapshot = DefaultSnapshot

    var configuration: JSONStoreConfiguration
    var name: String
    var schema: Schema
    var identifier: String

    init(_ configuration: JSONStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        self.name = configuration.name
        self.schema = configuration.schema!              // the container fills it in
        self.identifier = configuration.fileURL.lastPathComponent
    }

    // Deprecated, because it calls the deprecated initializer.
    @available(*, deprecated)
    func save(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        var remapped = [PersistentIdentifier: PersistentIdentifier]()
        var stored = try read()
        for snapshot in request.inserted {
            let permanent = try PersistentIdentifier.identifier(
                for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
            stored[permanent] = snapshot.copy(persistentIdentifier: permanent)
            remapped[snapshot.persistentIdentifier] = permanent
        }
        for snapshot in request.updated { stored[snapshot.persistentIdentifier] = snapshot }
        for snapshot in request.deleted { stored[snapshot.persistentIdentifier] = nil }
        try write(stored)
        return DataStoreSaveChangesResult<DefaultSnapshot>(
            for: identifier, remappedPersistentIdentifiers: remapped,
            deletedIdentifiers: request.deleted.map { $0.persistentIdentifier })
        // current spelling: init(for:remappedIdentifiers:snapshotsToReregister:)
    }

    func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, DefaultSnapshot> where T: PersistentModel {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        else if request.descriptor.sortBy.count > 0 { throw DataStoreError.preferInMemorySort }
        let all = try read()
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: all.values.map { $0 }, relatedSnapshots: all)
    }

    func read() throws -> [PersistentIdentifier: DefaultSnapshot] {
        guard FileManager.default.fileExists(atPath: configuration.fileURL.path(percentEncoded: false)) else { return [:] }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        var result = [PersistentIdentifier: DefaultSnapshot]()
        for snapshot in try decoder.decode([DefaultSnapshot].self, from: Data(contentsOf: configuration.fileURL)) {
            result[snapshot.persistentIdentifier] = snapshot
        }
        return result
    }

    func write(_ trips: [PersistentIdentifier: DefaultSnapshot]) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(trips.values.map { $0 }).write(to: configuration.fileURL)
    }
}
