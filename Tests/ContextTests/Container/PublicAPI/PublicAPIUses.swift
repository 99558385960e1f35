// swift-format-ignore-file
import Foundation
import Observation
import Testing
import Trellis

/// The public symbols of SwiftData in the order of Apple's documentation. Each line of the functions is a use that must
/// compile. The functions are never called.
@Suite struct PublicAPIUses {
  /// Counts the lines between the start and the end of each function.
  @Test func allSectionsContainUses() throws {
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    var (uses, isInside) = (0, false)
    for line in source.split(separator: "\n") {
      if line.hasPrefix("  func uses") || line.hasPrefix("  @MainActor func uses") {
        isInside = true
      } else if line == "  }" {
        isInside = false
      } else if isInside {
        uses += 1
        #expect(line.hasPrefix("    ") && !line.hasPrefix("     "), "one use a line: \(line)")
      }
    }
    #expect(uses >= 450, "\(uses) uses")
  }

  func usesSchema(_ schema: Schema, _ types: [any PersistentModel.Type], _ url: URL) throws {
    _ = Schema()
    _ = Schema(Schema.Entity("Ship"))
    _ = Schema(Schema.Entity("Ship"), Schema.Entity("Cabin"), version: Schema.Version(1, 0, 0))
    _ = Schema(types)
    _ = Schema(types, version: Schema.Version(2, 1, 0))
    _ = Schema([Ship.self, Harbour.self])
    _ = Schema([Ship.self], version: .init(1, 0, 0))
    _ = Schema(Ship.self)
    _ = Schema(Ship.self, Harbour.self)
    _ = Schema(Ship.self, Harbour.self, version: Schema.Version(1, 0, 0))
    _ = Schema(versionedSchema: FirstFleet.self)
    let _: [Schema.Entity] = schema.entities
    let _: [String: Schema.Entity] = schema.entitiesByName
    let _: Schema.Entity? = schema.entitiesByName["Ship"]
    let _: Schema.Entity? = schema.entity(for: Ship.self)
    let _: String = Schema.entityName(for: Ship.self)
    let _: Schema.Version = schema.version
    let _: Schema.Version = schema.encodingVersion
    let _: Schema.Version = Schema.schemaEncodingVersion
    let _: Void = try schema.save(to: url)
    let _: Schema = try Schema.load(from: url)
    let _: Schema = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
    let _: Bool = schema == Schema()
    let _: Set<Schema> = [schema]
    let _: String = schema.debugDescription
    let _: any Sendable = schema
  }

  func usesVersion(_ version: Schema.Version) throws {
    _ = Schema.Version(1, 2, 3)
    let _: (Int, Int, Int) = (version.major, version.minor, version.patch)
    let _: String = version.description
    let _: Bool = version < Schema.Version(2, 0, 0)
    let _: Bool = version == version
    let _: Bool = version >= Schema.Version(0, 0, 0)
    let _: Set<Schema.Version> = [version]
    let _: Schema.Version = max(version, Schema.Version(2, 0, 0))
    let _: Data = try JSONEncoder().encode(version)
    let _: Schema.Version = try JSONDecoder().decode(Schema.Version.self, from: Data())
    let _: any Sendable = version
  }

  func usesEntity(_ entity: Schema.Entity, _ property: any SchemaProperty) throws {
    _ = Schema.Entity("Ship")
    _ = Schema.Entity("Ship", properties: property, property)
    _ = Schema.Entity("Ship", subentities: entity, properties: property)
    entity.name = "Boat"
    let _: Set<Schema.Attribute> = entity.attributes
    let _: [String: Schema.Attribute] = entity.attributesByName
    let _: Set<Schema.Relationship> = entity.relationships
    let _: [String: Schema.Relationship] = entity.relationshipsByName
    let _: [any SchemaProperty] = entity.properties
    let _: [any SchemaProperty] = entity.storedProperties
    let _: [String: any SchemaProperty] = entity.storedPropertiesByName
    let _: [any SchemaProperty] = entity.inheritedProperties
    let _: [String: any SchemaProperty] = entity.inheritedPropertiesByName
    let _: [[String]] = entity.uniquenessConstraints
    let _: [[String]] = entity.indices
    let _: Schema.Entity? = entity.superentity
    let _: String? = entity.superentityName
    let _: Set<Schema.Entity> = entity.subentities
    entity.attributes = []
    entity.attributesByName = [:]
    entity.relationships = []
    entity.relationshipsByName = [:]
    entity.storedProperties = [property]
    entity.storedPropertiesByName = [:]
    entity.inheritedProperties = []
    entity.inheritedPropertiesByName = [:]
    entity.uniquenessConstraints = [["name"]]
    entity.indices = [["name", "hull"]]
    entity.superentity = nil
    entity.superentityName = nil
    entity.subentities = []
    let _: Bool = entity == entity
    let _: Int = entity.hashValue
    let _: String = entity.debugDescription
    let _: Data = try JSONEncoder().encode(entity)
  }

  func usesAttribute(_ attribute: Schema.Attribute, _ composite: Schema.CompositeAttribute) throws {
    _ = Schema.Attribute()
    _ = Schema.Attribute(.unique)
    _ = Schema.Attribute(.unique, .externalStorage, originalName: "old", hashModifier: "1")
    _ = Schema.Attribute(name: "name", valueType: String.self)
    _ = Schema.Attribute(name: "n", originalName: "o", options: [.unique], valueType: Int.self, defaultValue: 1)
    _ = Schema.Attribute(name: "n", valueType: Int?.self, defaultValue: nil, hashModifier: "2")
    attribute.name = "a"
    attribute.originalName = "b"
    attribute.options = [.spotlight]
    attribute.valueType = String.self
    attribute.defaultValue = "x"
    attribute.hashModifier = "3"
    attribute.isOptional = true
    let _: String = attribute.name
    let _: String = attribute.originalName
    let _: [Schema.Attribute.Option] = attribute.options
    let _: any Any.Type = attribute.valueType
    let _: Any? = attribute.defaultValue
    let _: String? = attribute.hashModifier
    let _: Bool = attribute.isAttribute
    let _: Bool = attribute.isRelationship
    let _: Bool = attribute.isTransient
    let _: Bool = attribute.isTransformable
    let _: Bool = attribute.isUnique
    let _: Bool = attribute.isOptional
    let _: Bool = attribute.isCodable
    let _: Bool = attribute == Schema.Attribute(.unique)
    let _: Set<Schema.Attribute> = [attribute, composite]
    let _: String = attribute.debugDescription
    let _: Schema.Attribute = try JSONDecoder().decode(Schema.Attribute.self, from: Data())
    _ = Schema.CompositeAttribute(name: "address", valueType: String.self)
    _ = Schema.CompositeAttribute(name: "a", originalName: nil, options: [], valueType: Int.self, defaultValue: nil)
    let _: [Schema.Attribute] = composite.properties
    composite.properties = [attribute]
    let _: Schema.Attribute = composite
    let _: String = composite.debugDescription
  }

  func usesAttributeOptions() throws {
    let _: Schema.Attribute.Option = .unique
    let _: Schema.Attribute.Option = .externalStorage
    let _: Schema.Attribute.Option = .preserveValueOnDeletion
    let _: Schema.Attribute.Option = .ephemeral
    let _: Schema.Attribute.Option = .allowsCloudEncryption
    let _: Schema.Attribute.Option = .spotlight
    let _: Schema.Attribute.Option = .codable
    let _: Schema.Attribute.Option = .transformable(by: Shouting.self)
    let _: Schema.Attribute.Option = .transformable(by: "Shouting")
    let _: Bool = Schema.Attribute.Option.unique == .ephemeral
    let _: Set<Schema.Attribute.Option> = [.unique, .spotlight]
    let _: String = Schema.Attribute.Option.unique.debugDescription
    let _: Data = try JSONEncoder().encode(Schema.Attribute.Option.unique)
  }

  func usesRelationship(_ relationship: Schema.Relationship) throws {
    _ = Schema.Relationship()
    _ = Schema.Relationship(.unique)
    _ = Schema.Relationship(deleteRule: .cascade)
    _ = Schema.Relationship(deleteRule: .nullify, inverse: \Cabin.ship)
    _ = Schema.Relationship(.unique, deleteRule: .deny, minimumModelCount: 1, maximumModelCount: 4)
    _ = Schema.Relationship(originalName: "old", inverse: nil, hashModifier: "1")
    let _: AnyKeyPath? = relationship.keypath
    let _: String = relationship.destination
    let _: String? = relationship.inverseName
    let _: AnyKeyPath? = relationship.inverseKeyPath
    let _: Schema.Relationship.DeleteRule = relationship.deleteRule
    let _: Bool = relationship.isToOneRelationship
    let _: Int? = relationship.minimumModelCount
    let _: Int? = relationship.maximumModelCount
    let _: any Any.Type = relationship.valueType
    let _: String = relationship.name
    let _: String = relationship.originalName
    let _: [Schema.Relationship.Option] = relationship.options
    let _: String? = relationship.hashModifier
    let _: Bool = relationship.isAttribute
    let _: Bool = relationship.isTransient
    let _: Bool = relationship.isUnique
    let _: Bool = relationship.isOptional
    let _: Bool = relationship.isRelationship
    relationship.keypath = \Ship.cabins
    relationship.destination = "Cabin"
    relationship.inverseName = "ship"
    relationship.inverseKeyPath = \Cabin.ship
    relationship.deleteRule = .noAction
    relationship.minimumModelCount = nil
    relationship.maximumModelCount = 3
    relationship.valueType = [Cabin].self
    relationship.name = "cabins"
    relationship.originalName = "rooms"
    relationship.options = [.unique]
    relationship.hashModifier = nil
    let _: Bool = relationship == relationship
    let _: Set<Schema.Relationship> = [relationship]
    let _: String = relationship.debugDescription
    let _: Data = try JSONEncoder().encode(relationship)
    let _: Schema.Relationship.DeleteRule = .nullify
    let _: Schema.Relationship.DeleteRule = .cascade
    let _: Schema.Relationship.DeleteRule = .deny
    let _: Schema.Relationship.DeleteRule = .noAction
    let _: Schema.Relationship.DeleteRule? = Schema.Relationship.DeleteRule(rawValue: "deny")
    let _: String = Schema.Relationship.DeleteRule.cascade.rawValue
    let _: Schema.Relationship.DeleteRule.RawValue = "cascade"
    let _: String = Schema.Relationship.Option.unique.debugDescription
    let _: Bool = Schema.Relationship.Option.unique == .unique
  }

  func usesConstraints(_ index: Schema.Index<Ship>, _ unique: Schema.Unique<Ship>) throws {
    _ = Schema.Index<Ship>([\.name])
    _ = Schema.Index<Ship>([\.name], [\.yard, \.hull])
    _ = Schema.Index<Ship>(.binary([\.name]))
    _ = Schema.Index<Ship>(.binary([\.name]), .rtree([\.hull]))
    let _: [Schema.Index<Ship>.Types<Ship>] = index.indices
    let _: Schema.Index<Ship>.CodingKeys = .indices
    let _: String = index.name
    let _: String = index.originalName
    let _: any Any.Type = index.valueType
    let _: Bool = index.isUnique
    let _: Bool = index.isAttribute
    let _: Bool = index.isOptional
    let _: Bool = index.isRelationship
    let _: Bool = index.isTransient
    let _: Bool = index == index
    let _: String = index.debugDescription
    let _: Set<Schema.Index<Ship>> = [index]
    let _: Data = try JSONEncoder().encode(index)
    _ = Schema.Unique<Ship>([\.name])
    _ = Schema.Unique<Ship>([\.name], [\.yard, \.hull])
    let _: [[PartialKeyPath<Ship>]] = unique.constraints
    let _: Schema.Unique<Ship>.CodingKeys = .constraints
    let _: String = unique.name
    let _: String = unique.originalName
    let _: any Any.Type = unique.valueType
    let _: Bool = unique.isUnique
    let _: Bool = unique.isAttribute
    let _: Bool = unique.isOptional
    let _: Bool = unique.isRelationship
    let _: Bool = unique.isTransient
    let _: Bool = unique == unique
    let _: String = unique.debugDescription
    let _: Data = try JSONEncoder().encode(unique)
    _ = Schema.PropertyMetadata(name: "hull", keypath: \Ship.hull)
    _ = Schema.PropertyMetadata(name: "hull", keypath: \Ship.hull, defaultValue: 1)
    _ = Schema.PropertyMetadata(name: "hull", keypath: \Ship.hull, defaultValue: nil, metadata: unique)
  }

  func usesExhaustiveSwitches(_ stage: MigrationStage, _ change: HistoryChange, _ index: Schema.Index<Ship>.Types<Ship>) {
    switch stage { case .lightweight: break; case .custom: break }
    switch change { case .insert: break; case .update: break; case .delete: break }
    switch index { case .binary: break; case .rtree: break }
    switch DataStoreError.unsupportedFeature { case .invalidPredicate, .preferInMemoryFilter, .preferInMemorySort, .unsupportedFeature: break }
    switch Schema.Relationship.DeleteRule.deny { case .nullify, .cascade, .deny, .noAction: break }
    switch DataStoreSnapshotCodingKey.persistentIdentifier { case .persistentIdentifier, .modeledProperty: break }
    switch Schema.Unique<Ship>.CodingKeys.constraints { case .constraints: break }
    switch Schema.Index<Ship>.CodingKeys.indices { case .indices: break }
  }

  func usesModels(_ ship: Ship, _ cabin: Cabin) {
    let _: PersistentIdentifier = ship.persistentModelID
    let _: PersistentIdentifier = ship.id
    let _: ModelContext? = ship.modelContext
    let _: Bool = ship.hasChanges
    let _: Bool = ship.isDeleted
    let _: [Schema.PropertyMetadata] = Ship.schemaMetadata
    let _: any BackingData<Ship> = ship.persistentBackingData
    ship.persistentBackingData = ship.persistentBackingData
    _ = Ship(backingData: ship.persistentBackingData)
    let _: any BackingData<Ship> = Ship.createBackingData()
    let _: any PersistentModel.Type = Tug.Root.self
    let _: Bool = ship == ship
    let _: Set<Ship> = [ship]
    let _: any Observable = ship
    let _: any PersistentModel = ship
    let _: any Identifiable = ship
    let _: String = ship.getValue(forKey: \.name)
    let _: Sailor? = ship.getValue(forKey: \.captain)
    let _: [Cabin] = ship.getValue(forKey: \.cabins)
    let _: Flag = ship.getValue(forKey: \.flag)
    let _: String = ship.getTransformableValue(forKey: \.yard)
    ship.setValue(forKey: \.name, to: "Fram")
    ship.setValue(forKey: \.captain, to: nil as Sailor?)
    ship.setValue(forKey: \.cabins, to: [cabin])
    ship.setTransformableValue(forKey: \.yard, to: "Stord")
  }

  func usesIdentifiers(_ identifier: PersistentIdentifier) throws {
    let _: PersistentIdentifier.ID = identifier.id
    let _: String? = identifier.storeIdentifier
    let _: String = identifier.entityName
    let _: PersistentIdentifier = try .identifier(for: "store", entityName: "Ship", primaryKey: 1)
    let _: PersistentIdentifier = try .identifier(for: "store", entityName: "Ship", primaryKey: "one")
    let _: PersistentIdentifier = try .identifier(for: "store", entityName: "Ship", primaryKey: UUID())
    let _: Bool = identifier < identifier
    let _: Bool = identifier == identifier
    let _: Bool = identifier.id == identifier.id
    let _: Set<PersistentIdentifier> = [identifier]
    let _: Set<PersistentIdentifier.ID> = [identifier.id]
    let _: any Sendable = identifier
    let _: any Sendable = identifier.id
    let _: Data = try JSONEncoder().encode(identifier)
    let _: PersistentIdentifier = try JSONDecoder().decode(PersistentIdentifier.self, from: Data())
    let _: [PersistentIdentifier] = [identifier].sorted()
    let _: Bool = identifier.isTemporary
  }

  func usesBackingData(_ given: any BackingData<Harbour>) {
    var data = given
    let _: PersistentIdentifier? = data.persistentModelID
    data.persistentModelID = nil
    let _: Any = data.metadata
    let _: String = data.getValue(forKey: \.name)
    data.setValue(forKey: \.name, to: "Bergen")
    let _: String = data.getTransformableValue(forKey: \.name)
    data.setTransformableValue(forKey: \.name, to: "Bergen")
    _ = Harbour(backingData: data)
  }

  func usesContainers(_ schema: Schema, _ configuration: ModelConfiguration, _ other: any DataStoreConfiguration) throws {
    _ = try ModelContainer(for: schema)
    _ = try ModelContainer(for: schema, configurations: configuration)
    _ = try ModelContainer(for: schema, configurations: configuration, configuration)
    _ = try ModelContainer(for: schema, configurations: [configuration])
    _ = try ModelContainer(for: schema, migrationPlan: FleetPlan.self)
    _ = try ModelContainer(for: schema, migrationPlan: FleetPlan.self, configurations: configuration)
    _ = try ModelContainer(for: schema, migrationPlan: FleetPlan.self, configurations: [configuration])
    _ = try ModelContainer(for: Ship.self)
    _ = try ModelContainer(for: Ship.self, Harbour.self)
    _ = try ModelContainer(for: Ship.self, configurations: configuration)
    _ = try ModelContainer(for: Ship.self, Harbour.self, configurations: configuration, configuration)
    _ = try ModelContainer(for: Ship.self, migrationPlan: FleetPlan.self)
    _ = try ModelContainer(for: Ship.self, migrationPlan: FleetPlan.self, configurations: configuration)
    _ = try ModelContainer(for: Ship.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    _ = try ModelContainer(for: schema, configurations: [other])
    _ = try ModelContainer(for: Ship.self, configurations: other)
    _ = try ModelContainer(for: Ship.self, Harbour.self, configurations: other, other)
    _ = try ModelContainer(for: Ship.self, configurations: DiaryStore.Configuration(name: "diary"))
  }

  @MainActor func usesContainerMembers(_ container: ModelContainer) throws {
    let _: Schema = container.schema
    let _: (any SchemaMigrationPlan.Type)? = container.migrationPlan
    let _: Set<ModelConfiguration> = container.configurations
    container.configurations = []
    let _: ModelContext = container.mainContext
    let _: Void = container.deleteAllData()
    let _: Void = try container.erase()
    let _: Bool = container == container
    let _: any Sendable = container
    let _: String? = container.storeIdentifier(forConfigurationNamed: "default")
    let _: String? = container.configurationName(forStoreIdentifier: "x")
  }

  func usesConfigurations(_ url: URL, _ given: ModelConfiguration) throws {
    _ = ModelConfiguration()
    _ = ModelConfiguration(isStoredInMemoryOnly: true)
    _ = ModelConfiguration(for: Ship.self)
    _ = ModelConfiguration(for: Ship.self, Harbour.self, isStoredInMemoryOnly: true)
    _ = ModelConfiguration("a")
    _ = ModelConfiguration("a", schema: Schema(Ship.self))
    _ = ModelConfiguration(schema: Schema(Ship.self), isStoredInMemoryOnly: true)
    _ = ModelConfiguration(isStoredInMemoryOnly: true, allowsSave: false)
    _ = ModelConfiguration("a", groupContainer: .identifier("group.a"))
    _ = ModelConfiguration("a", schema: nil, isStoredInMemoryOnly: false, allowsSave: true, groupContainer: .none)
    _ = ModelConfiguration(cloudKitDatabase: .none)
    _ = ModelConfiguration(url: url)
    _ = ModelConfiguration("a", url: url)
    _ = ModelConfiguration(schema: Schema(Ship.self), url: url)
    _ = ModelConfiguration("a", schema: nil, url: url, allowsSave: false, cloudKitDatabase: .private("db"))
    let _: String = given.name
    let _: Schema? = given.schema
    let _: URL = given.url
    let _: Bool = given.isStoredInMemoryOnly
    let _: Bool = given.allowsSave
    let _: URL = given.id
    let _: ModelConfiguration.ID = given.url
    let _: ModelConfiguration.Store.Type = DefaultStore.self
    let _: Void = try given.validate()
    let _: ModelConfiguration.GroupContainer = given.groupContainer
    let _: String? = given.groupAppContainerIdentifier
    let _: ModelConfiguration.GroupContainer = .automatic
    let _: ModelConfiguration.GroupContainer = .none
    let _: ModelConfiguration.GroupContainer = .identifier("group.a")
    let _: ModelConfiguration.CloudKitDatabase = given.cloudKitDatabase
    let _: String? = given.cloudKitContainerIdentifier
    let _: ModelConfiguration.CloudKitDatabase = .automatic
    let _: ModelConfiguration.CloudKitDatabase = .none
    let _: ModelConfiguration.CloudKitDatabase = .private("db")
    let _: Set<ModelConfiguration> = [given]
    let _: String = given.debugDescription
    let _: any DataStoreConfiguration = given
    let _: any Sendable = given
  }

  func usesContexts(_ container: ModelContainer, _ ship: Ship) throws {
    let context = ModelContext(container)
    let _: ModelContext = [container].map(ModelContext.init)[0]
    let _: ModelContainer = context.container
    let _: String? = context.author
    context.author = "me"
    let _: EditingState = context.editingState
    let _: UUID = context.editingState.id
    let _: EditingState.ID = context.editingState.id
    let _: String? = context.editingState.author
    let _: any Sendable = context.editingState
    let _: Bool = context == context
    let _: String = context.debugDescription
    let _: Void = context.insert(ship)
    let _: Void = [ship].forEach(context.insert)
    let _: [any PersistentModel] = context.insertedModelsArray
    let _: [any PersistentModel] = context.changedModelsArray
    let _: [any PersistentModel] = context.deletedModelsArray
    let _: Bool = context.hasChanges
    let _: Void = context.delete(ship)
    let _: Void = [ship].forEach(context.delete)
    let _: Void = try context.delete(model: Ship.self)
    let _: Void = try context.delete(model: Ship.self, where: #Predicate { $0.hull > 1 })
    let _: Void = try context.delete(model: Vessel.self, where: nil, includeSubclasses: false)
    let _: Void = try context.delete(model: Vessel.self, includeSubclasses: true)
    let _: Void = try context.save()
    let _: Void = try context.transaction { ship.hull = 1 }
    let _: Void = try context.transaction { context.insert(Ship(name: "a", hull: 1)) }
    let _: Void = context.rollback()
    let _: Bool = context.autosaveEnabled
    context.autosaveEnabled = true
    let _: UndoManager? = context.undoManager
    context.undoManager = UndoManager()
    let _: Void = context.processPendingChanges()
    let _: Void = context.undoManager?.undo() ?? ()
    let _: Void = context.undoManager?.redo() ?? ()
    let _: Bool? = context.undoManager?.canUndo
  }

  func usesFetches(_ context: ModelContext, _ id: PersistentIdentifier, _ descriptor: FetchDescriptor<Ship>) throws {
    let _: [Ship] = try context.fetch(descriptor)
    let _: [Ship] = try context.fetch(FetchDescriptor())
    let _: [Ship] = try context.fetch(.init(predicate: #Predicate<Ship> { $0.hull > 1 }))
    let _: [[Ship]] = try [descriptor].map(context.fetch)
    let _: FetchResultsCollection<Ship> = try context.fetch(descriptor, batchSize: 10)
    let _: Int = try context.fetchCount(descriptor)
    let _: Int = try context.fetchCount(FetchDescriptor<Ship>())
    let _: [PersistentIdentifier] = try context.fetchIdentifiers(descriptor)
    let _: FetchResultsCollection<PersistentIdentifier> = try context.fetchIdentifiers(descriptor, batchSize: 5)
    let _: Void = try context.enumerate(descriptor) { _ in }
    let _: Void = try context.enumerate(descriptor, batchSize: 100) { $0.hull += 1 }
    let _: Void = try context.enumerate(descriptor, batchSize: 5000, allowEscapingMutations: true) { _ in }
    let _: Void = try context.enumerate(descriptor, allowEscapingMutations: false, block: { _ in })
    let _: any PersistentModel = context.model(for: id)
    let _: Ship? = context.model(for: id) as? Ship
    let _: [any PersistentModel] = [id].map(context.model(for:))
    let _: Ship? = context.registeredModel(for: id)
    let _: [DefaultHistoryTransaction] = try context.fetchHistory(HistoryDescriptor())
    let _: Void = try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    let _: Notification.Name = ModelContext.willSave
    let _: Notification.Name = ModelContext.didSave
    let _: ModelContext.NotificationKey = .insertedIdentifiers
    let _: ModelContext.NotificationKey = .updatedIdentifiers
    let _: ModelContext.NotificationKey = .deletedIdentifiers
    let _: ModelContext.NotificationKey = .invalidatedAllIdentifiers
    let _: ModelContext.NotificationKey = .queryGeneration
    let _: ModelContext.NotificationKey = .historyTokens
    let _: ModelContext.NotificationKey? = ModelContext.NotificationKey(rawValue: "updatedIdentifiers")
    let _: String = ModelContext.NotificationKey.updatedIdentifiers.rawValue
    let _: Set<ModelContext.NotificationKey> = [.deletedIdentifiers]
    let _: any Sendable = descriptor
  }

  func usesDescriptors(_ given: FetchDescriptor<Ship>, _ results: FetchResultsCollection<Ship>) {
    var descriptor = FetchDescriptor<Ship>()
    _ = FetchDescriptor<Ship>(predicate: #Predicate { $0.name == "Fram" })
    _ = FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.name)])
    _ = FetchDescriptor<Ship>(predicate: nil, sortBy: [SortDescriptor(\.name), SortDescriptor(\.hull, order: .reverse)])
    _ = FetchDescriptor(predicate: #Predicate<Ship> { $0.captain?.name == "Otto" })
    _ = FetchDescriptor(predicate: #Predicate<Ship> { $0.cabins.contains { $0.number == 7 } })
    descriptor.predicate = #Predicate { $0.hull > 1 && $0.yard.starts(with: "S") }
    descriptor.sortBy = [SortDescriptor(\.captain?.name)]
    descriptor.fetchLimit = 5
    descriptor.fetchOffset = 2
    descriptor.includePendingChanges = false
    descriptor.propertiesToFetch = [\.name, \.hull]
    descriptor.relationshipKeyPathsForPrefetching = [\.cabins, \.captain]
    let _: Predicate<Ship>? = given.predicate
    let _: [SortDescriptor<Ship>] = given.sortBy
    let _: Int? = given.fetchLimit
    let _: Int? = given.fetchOffset
    let _: Bool = given.includePendingChanges
    let _: [PartialKeyPath<Ship>] = given.propertiesToFetch
    let _: [PartialKeyPath<Ship>] = given.relationshipKeyPathsForPrefetching
    let _: Bool = given == descriptor
    let _: Ship = results[0]
    let _: Int = results.startIndex
    let _: Int = results.endIndex
    let _: Range<Int> = results.indices
    let _: FetchResultsCollection<Ship>.Index = 0
    let _: FetchResultsCollection<Ship>.Indices = 0..<1
    let _: FetchResultsCollection<Ship>.SubSequence = results[0..<1]
    let _: FetchResultsCollection<Ship>.Iterator = results.makeIterator()
    let _: [String] = results.map(\.name)
    let _: Ship? = results.first
    let _: any RandomAccessCollection<Ship> = results
  }

  func usesStores(_ configuration: ModelConfiguration, _ state: EditingState, _ ids: [PersistentIdentifier]) throws {
    let store = try DefaultStore(configuration)
    _ = try DefaultStore(configuration, migrationPlan: FleetPlan.self)
    let _: any DataStore = store
    let _: any DataStoreBatching = store
    let _: any HistoryProviding = store
    let _: ModelConfiguration = store.configuration
    let _: String = store.name
    let _: Schema = store.schema
    let _: String = store.identifier
    let _: DefaultStore.Configuration.Type = ModelConfiguration.self
    let _: DefaultStore.Snapshot.Type = DefaultSnapshot.self
    let _: DefaultStore.HistoryType.Type = DefaultHistoryTransaction.self
    let _: DefaultStore.TokenType.Type = DefaultHistoryToken.self
    let _: DefaultHistoryTransaction.Type = DefaultStore.historyType
    let fetch = DataStoreFetchRequest(descriptor: FetchDescriptor<Ship>(), editingState: state)
    let _: FetchDescriptor<Ship> = fetch.descriptor
    let _: EditingState = fetch.editingState
    let found = try store.fetch(fetch)
    let _: FetchDescriptor<Ship> = found.descriptor
    let _: [DefaultSnapshot] = found.fetchedSnapshots
    let _: [PersistentIdentifier: DefaultSnapshot] = found.relatedSnapshots
    let _: Int = try store.fetchCount(fetch)
    let _: [PersistentIdentifier] = try store.fetchIdentifiers(fetch)
    let _: DataStoreFetchResult<Ship, DefaultSnapshot> = .init(descriptor: fetch.descriptor, fetchedSnapshots: [])
    let _: [DefaultHistoryTransaction] = try store.fetchHistory(HistoryDescriptor())
    let _: Void = try store.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    let _: Void = store.initializeState(for: state)
    let _: [PersistentIdentifier: DefaultSnapshot] = try store.cachedSnapshots(for: ids, editingState: state)
    let _: Void = store.invalidateState(for: state)
    let _: Void = try store.erase()
  }

  func usesSaves(_ store: DefaultStore, _ request: DataStoreSaveChangesRequest<DefaultSnapshot>) throws {
    let result = try store.save(request)
    let _: [DefaultSnapshot] = request.inserted
    let _: [DefaultSnapshot] = request.updated
    let _: [DefaultSnapshot] = request.deleted
    let _: EditingState = request.editingState
    let _: String = result.storeIdentifier
    let _: [PersistentIdentifier: PersistentIdentifier] = result.remappedIdentifiers
    let _: [PersistentIdentifier: DefaultSnapshot] = result.snapshotsToReregister
    let _: (any HistoryToken)? = result.historyToken
    let _: DataStoreSaveChangesResult<DefaultSnapshot> = .init(for: "x")
    let _: DataStoreSaveChangesResult<DefaultSnapshot> = .init(for: "x", remappedIdentifiers: [:])
    let _: DataStoreSaveChangesResult<DefaultSnapshot> = .init(for: "x", remappedIdentifiers: [:], snapshotsToReregister: [:])
    let _: DataStoreSaveChangesResult<DefaultSnapshot> = .init(for: "x", historyToken: result.historyToken)
    let delete = DataStoreBatchDeleteRequest<Ship>(predicate: nil, includeSubclasses: true, editingState: request.editingState)
    let _: Predicate<Ship>? = delete.predicate
    let _: Bool = delete.includeSubclasses
    let _: EditingState = delete.editingState
    let _: Void = try store.delete(delete)
    let _: any Sendable = (request, result, delete)
  }

  func usesSnapshots(_ snapshot: DefaultSnapshot, _ backing: any BackingData<Ship>, _ id: PersistentIdentifier) throws {
    let _: PersistentIdentifier = snapshot.persistentIdentifier
    let _: DefaultSnapshot = snapshot.copy(persistentIdentifier: id)
    let _: DefaultSnapshot = snapshot.copy(persistentIdentifier: id, remappedIdentifiers: [id: id])
    let _: DefaultSnapshot = snapshot.copy(persistentIdentifier: id, remappedIdentifiers: nil)
    var related: [PersistentIdentifier: any BackingData] = [:]
    _ = DefaultSnapshot(from: backing, relatedBackingDatas: &related)
    let _: Data = try JSONEncoder().encode(snapshot)
    let _: DefaultSnapshot = try JSONDecoder().decode(DefaultSnapshot.self, from: Data())
    let _: any DataStoreSnapshot = snapshot
    let _: any Sendable = snapshot
    let _: any DataStoreSnapshotValue = 1
    let _: DataStoreSnapshotCodingKey = .persistentIdentifier
    let _: DataStoreSnapshotCodingKey = .modeledProperty("name")
    let _: DataStoreSnapshotCodingKey? = DataStoreSnapshotCodingKey(stringValue: "name")
    let _: DataStoreSnapshotCodingKey? = DataStoreSnapshotCodingKey(intValue: 1)
    let _: String = DataStoreSnapshotCodingKey.persistentIdentifier.stringValue
    let _: Int? = DataStoreSnapshotCodingKey.persistentIdentifier.intValue
    let _: String = DataStoreSnapshotCodingKey.persistentIdentifier.description
    let _: String = DataStoreSnapshotCodingKey.persistentIdentifier.debugDescription
    let _: any CodingKey = DataStoreSnapshotCodingKey.persistentIdentifier
  }

  func usesHistory(_ transaction: DefaultHistoryTransaction, _ token: DefaultHistoryToken) throws {
    _ = HistoryDescriptor<DefaultHistoryTransaction>()
    _ = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
    _ = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == "me" && $0.token > token })
    _ = HistoryDescriptor<DefaultHistoryTransaction>(predicate: nil, sortBy: [SortDescriptor(\.transactionIdentifier)])
    _ = HistoryDescriptor<DefaultHistoryTransaction>(sortBy: [.init(\.timestamp, order: .reverse)])
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    descriptor.fetchLimit = 1
    descriptor.predicate = nil
    descriptor.sortBy = []
    let _: UInt64 = descriptor.fetchLimit
    let _: Predicate<DefaultHistoryTransaction>? = descriptor.predicate
    let _: [SortDescriptor<DefaultHistoryTransaction>] = descriptor.sortBy
    let _: String? = transaction.author
    let _: String = transaction.bundleIdentifier
    let _: String = transaction.processIdentifier
    let _: String = transaction.storeIdentifier
    let _: Date = transaction.timestamp
    let _: [HistoryChange] = transaction.changes
    let _: DefaultHistoryToken = transaction.token
    let _: DefaultHistoryTransaction.TokenType = transaction.token
    let _: Int64 = transaction.transactionIdentifier
    let _: DefaultHistoryTransaction.TransactionIdentifier = 1
    let _: Int64 = transaction.id
    let _: DefaultHistoryTransaction.ID = 1
    let _: Set<DefaultHistoryTransaction> = [transaction]
    let _: any HistoryTransaction = transaction
    let _: [String: Int64]? = token.tokenValue
    let _: DefaultHistoryToken.TokenType? = token.tokenValue
    let _: Int = token.id
    let _: DefaultHistoryToken.ID = 1
    let _: String = token.storeIdentifier
    let _: String = (token as any HistoryToken).storeIdentifier
    let _: Bool = token < token
    let _: Bool = token == token
    let _: Set<DefaultHistoryToken> = [token]
    let _: Data = try JSONEncoder().encode(token)
    let _: any HistoryToken = token
  }

  func usesHistoryChanges(_ change: HistoryChange, _ update: DefaultHistoryUpdate<Ship>, _ delete: DefaultHistoryDelete<Ship>) {
    let _: PersistentIdentifier = change.changedPersistentIdentifier
    if case .insert(let insert as DefaultHistoryInsert<Ship>) = change { _ = insert.changedPersistentIdentifier }
    if case .insert(let insert as DefaultHistoryInsert<Ship>) = change { let _: Int64 = insert.changeIdentifier }
    if case .insert(let insert as DefaultHistoryInsert<Ship>) = change { let _: Int64 = insert.transactionIdentifier }
    if case .insert(let insert) = change { let _: any HistoryInsert = insert }
    if case .update(let update as DefaultHistoryUpdate<Ship>) = change { _ = update.updatedAttributes.contains(\.name) }
    if case .update(let update) = change { let _: any HistoryUpdate = update }
    if case .delete(let delete as DefaultHistoryDelete<Ship>) = change { _ = delete.tombstone[\.name] as? String }
    if case .delete(let delete) = change { let _: any HistoryDelete = delete }
    let _: [any PartialKeyPath<Ship> & Sendable] = update.updatedAttributes
    let _: Bool = update.containsAttribute(\.name)
    let _: any DefaultHistoryUpdate<Ship>.PropertyUpdate = \Ship.name
    let _: Int64 = update.changeIdentifier
    let _: DefaultHistoryUpdate<Ship>.ChangeIdentifier = 1
    let _: DefaultHistoryUpdate<Ship>.TransactionIdentifier = 1
    let _: Bool = update == update
    let _: Int = update.hashValue
    let _: HistoryTombstone<Ship> = delete.tombstone
    let _: (any Sendable)? = delete.tombstone[\.name]
    for value in delete.tombstone { let _: Any = value }
    var values = delete.tombstone.makeIterator()
    let _: Any? = values.next()
    let _: HistoryTombstone<Ship>.Element = 1
    let _: HistoryTombstone<Ship>.Iterator = values
    let _: any HistoryUpdate<Ship> = update
    let _: any HistoryDelete<Ship> = delete
    let _: any Sendable = change
  }

  func usesMigrations(_ context: ModelContext) {
    let _: MigrationStage = .lightweight(fromVersion: FirstFleet.self, toVersion: SecondFleet.self)
    let _: MigrationStage = .custom(fromVersion: FirstFleet.self, toVersion: SecondFleet.self, willMigrate: nil, didMigrate: nil)
    let _: MigrationStage = .custom(fromVersion: FirstFleet.self, toVersion: SecondFleet.self, willMigrate: { try $0.save() }, didMigrate: nil)
    let _: MigrationStage = .custom(fromVersion: FirstFleet.self, toVersion: SecondFleet.self, willMigrate: nil) { try $0.save() }
    let _: [any VersionedSchema.Type] = FleetPlan.schemas
    let _: [MigrationStage] = FleetPlan.stages
    let _: any SchemaMigrationPlan.Type = FleetPlan.self
    let _: [any PersistentModel.Type] = FirstFleet.models
    let _: Schema.Version = FirstFleet.versionIdentifier
    let _: any VersionedSchema.Type = FirstFleet.self
    let _: any Sendable = MigrationStage.lightweight(fromVersion: FirstFleet.self, toVersion: SecondFleet.self)
  }

  func usesActors(_ master: HarbourMaster, _ context: ModelContext) {
    let _: ModelContainer = master.modelContainer
    let _: any ModelExecutor = master.modelExecutor
    let _: UnownedSerialExecutor = master.unownedExecutor
    let _: any ModelActor = master
    let executor = DefaultSerialModelExecutor(modelContext: context)
    let _: ModelContext = executor.modelContext
    let _: UnownedSerialExecutor = executor.asUnownedSerialExecutor()
    let _: any SerialModelExecutor = executor
    let _: any ModelExecutor = executor
    let _: any SerialExecutor = executor
    let _: any Sendable = executor
  }

  func usesModelActors(_ actor: isolated HarbourMaster, _ id: PersistentIdentifier) throws {
    let _: ModelContext = actor.modelContext
    let _: Ship? = actor[id, as: Ship.self]
    let _: [Ship] = try actor.modelContext.fetch(FetchDescriptor<Ship>())
    let _: Void = actor.modelContext.insert(Ship(name: "a", hull: 1))
    let _: Void = try actor.modelContext.save()
  }

  func usesErrors(_ error: any Error) {
    let _: SwiftDataError = .includePendingChangesWithBatchSize
    let _: SwiftDataError = .sortingPendingChangesWithIdentifiers
    let _: SwiftDataError = .unsupportedKeyPath
    let _: SwiftDataError = .unsupportedPredicate
    let _: SwiftDataError = .unsupportedSortDescriptor
    let _: SwiftDataError = .configurationFileNameContainsInvalidCharacters
    let _: SwiftDataError = .configurationFileNameTooLong
    let _: SwiftDataError = .configurationSchemaNotFoundInContainerSchema
    let _: SwiftDataError = .duplicateConfiguration
    let _: SwiftDataError = .loadIssueModelContainer
    let _: SwiftDataError = .modelValidationFailure
    let _: SwiftDataError = .missingModelContext
    let _: SwiftDataError = .backwardMigration
    let _: SwiftDataError = .unknownSchema
    let _: SwiftDataError = .unknownDataStoreSchema
    let _: SwiftDataError = .historyTokenExpired
    let _: SwiftDataError = .invalidTransactionFetchRequest
    let _: Bool = SwiftDataError.unknownSchema ~= error
    let _: Set<SwiftDataError> = [.unknownSchema]
    do { throw error } catch SwiftDataError.loadIssueModelContainer {} catch {}
    let _: DataStoreError = .invalidPredicate
    let _: DataStoreError = .preferInMemoryFilter
    let _: DataStoreError = .preferInMemorySort
    let _: DataStoreError = .unsupportedFeature
    let _: Set<DataStoreError> = [.unsupportedFeature]
    let _: any Error = DataStoreError.unsupportedFeature
    let _: any Sendable = SwiftDataError.unknownSchema
  }

  func usesResults(_ context: ModelContext, _ container: ModelContainer, _ descriptor: FetchDescriptor<Ship>) throws {
    let plain = try ResultsObserver<Ship, Never>(modelContext: context)
    _ = try ResultsObserver<Ship, Never>(modelContainer: container)
    _ = try ResultsObserver(fetchDescriptor: descriptor, modelContext: context)
    _ = try ResultsObserver(fetchDescriptor: descriptor, modelContainer: container)
    _ = try ResultsObserver<Ship, Never>(filterBy: #Predicate { $0.hull > 1 }, modelContext: context)
    _ = try ResultsObserver<Ship, Never>(sortBy: [SortDescriptor(\.name)], modelContainer: container)
    _ = try ResultsObserver(filterBy: #Predicate<Ship> { $0.hull > 1 }, sortBy: [SortDescriptor(\.name)], modelContext: context)
    let titled = try ResultsObserver<Ship, String>(sectionBy: \.yard, modelContext: context)
    let _: ResultsObserver<Ship, String> = try ResultsObserver(sectionBy: \.captain?.name, modelContext: context)
    _ = try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.yard, modelContext: context)
    _ = try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.yard, modelContainer: container)
    _ = try ResultsObserver<Ship, String>(sectionBy: \Ship.yard, modelContainer: container)
    _ = try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.captain?.name, modelContainer: container)
    _ = try ResultsObserver<Ship, String>(filterBy: nil, sortBy: [], sectionBy: \Ship.captain?.name, modelContainer: container)
    let _: FetchResultsCollection<Ship> = plain.results
    let _: FetchDescriptor<Ship> = plain.fetchDescriptor
    let _: Predicate<Ship>? = plain.filterBy
    let _: [SortDescriptor<Ship>] = plain.sortBy
    let _: PartialKeyPath<Ship>? = titled.sectionBy
    let _: SectionedResults<Ship, String>? = titled.sections
    let _: SectionedResults<Ship, Never>? = plain.sections
    let _: ModelContext = plain.modelContext
    let _: Ship? = plain.element(at: IndexPath(indexes: [0, 0]))
    let _: IndexPath? = plain.indexPath(for: plain.results[0])
    plain.fetchDescriptor = descriptor
    plain.filterBy = nil
    plain.sortBy = []
    let _: [String]? = titled.sections?.sectionTitles
    let _: ResultsSection<Ship, String>? = titled.sections?[sectionTitle: "Stord"]
    let _: ResultsSection<Ship, String>? = titled.sections?[0]
    let _: String? = titled.sections?[0].title
    let _: String? = titled.sections?[0].id
    let _: Ship? = titled.sections?[0][0]
    let _: Int? = titled.sections?[0].count
    let _: [[String]]? = titled.sections?.map { $0.map(\.name) }
    let _: any Observable = plain
  }

  func usesHistoryObservers(_ container: ModelContainer, _ token: any HistoryToken) throws {
    let observer = try HistoryObserver(modelContainer: container)
    _ = try HistoryObserver(observedModels: [Ship.self], modelContainer: container)
    _ = try HistoryObserver(historyTokens: [token.storeIdentifier: token], authors: ["widget"], modelContainer: container)
    _ = try HistoryObserver(historyTokens: nil, observedModels: [], authors: [], modelContainer: container)
    let _: Int = observer.eventCounter
    let _: ModelContainer = observer.modelContainer
    let _: [any PersistentModel.Type] = observer.observedModels
    let _: any Observable = observer
    let _: any Sendable = observer
    let _: Notification.Name = ModelContainer.remoteChange
  }

  func usesTransformers(_ transformer: ValueTransformer, _ name: NSValueTransformerName) {
    let _: ValueTransformer? = ValueTransformer(forName: name)
    let _: Void = ValueTransformer.setValueTransformer(transformer, forName: name)
    let _: Void = ValueTransformer.setValueTransformer(nil, forName: name)
    let _: [NSValueTransformerName] = ValueTransformer.valueTransformerNames()
    let _: AnyClass = ValueTransformer.transformedValueClass()
    let _: AnyClass = Shouting.transformedValueClass()
    let _: Bool = ValueTransformer.allowsReverseTransformation()
    let _: Any? = transformer.transformedValue("a")
    let _: Any? = transformer.reverseTransformedValue("a")
    _ = ValueTransformer()
    _ = NSValueTransformerName("Shouting")
    _ = NSValueTransformerName(rawValue: "Shouting")
  }

  @available(*, deprecated)
  func usesSpellingsOf2023(_ schema: Schema, _ url: URL, _ configuration: ModelConfiguration) throws {
    _ = try ModelContainer([Ship.self, Harbour.self])
    _ = try ModelContainer(for: [Ship.self, Harbour.self], configurations: configuration)
    _ = try ModelContainer(for: schema, configuration)
    _ = try ModelContainer(for: schema, configuration, configuration)
    _ = ModelConfiguration(schema: schema, url: url, cloudKitContainerIdentifier: "com.example.fleet")
    _ = ModelConfiguration("fleet", schema: schema, url: url, allowsSave: true, cloudKitContainerIdentifier: nil)
  }
}

enum FirstFleet: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Ship.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
}

enum SecondFleet: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Ship.self, Harbour.self] }
  static let versionIdentifier = Schema.Version(2, 0, 0)
}

enum FleetPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [FirstFleet.self, SecondFleet.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: FirstFleet.self, toVersion: SecondFleet.self)] }
}
