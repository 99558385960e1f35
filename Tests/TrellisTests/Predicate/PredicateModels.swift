import Foundation
import Observation

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

// Handwritten models with stored properties, which `Predicate.evaluate` reads without a context or store.

class PlainModel: Observable {
  var _$state = ModelState()
  var _$identifier: PersistentIdentifier

  init(_ definition: ModelDefinition) { _$identifier = definition.temporaryIdentifier() }

  func _$adopt(_ identifier: PersistentIdentifier) { _$identifier = identifier }
}

/// The snapshot of a plain model, which contains only the identifier.
struct PlainSnapshot<M: PersistentModel>: ModelSnapshot {
  typealias Model = M
  var persistentIdentifier: PersistentIdentifier

  init(from row: inout StatementRow) { persistentIdentifier = row.identifier }
  func write(to row: inout StatementBinder) {}
  init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
  init(of model: M) { persistentIdentifier = model._$identifier }
  func makeModel() -> M { M(backingData: Nothing()) }
  func restore(_ model: M) {}
}

struct Nothing<M: PersistentModel>: BackingData {
  typealias Model = M
  var persistentModelID: PersistentIdentifier?
  var metadata: Any { () }
  init(for modelType: M.Type) {}
  init() {}
  private func none<V>() -> V { preconditionFailure("plain models hold no values") }
  func getValue<V: Decodable>(forKey: KeyPath<M, V>) -> V { none() }
  func getValue<V: PersistentModel>(forKey: KeyPath<M, V>) -> V { none() }
  func getValue<V: PersistentModel>(forKey: KeyPath<M, V?>) -> V? { none() }
  func getValue<V, O>(forKey: KeyPath<M, V>) -> V
  where V: RelationshipCollection, O == V.PersistentElement { none() }
  func getValue<V, O>(forKey: KeyPath<M, V>) -> V
  where V: Decodable, V: RelationshipCollection, O == V.PersistentElement { none() }
  func setValue<V: Encodable>(forKey: KeyPath<M, V>, to newValue: V) {}
  func setValue<V: PersistentModel>(forKey: KeyPath<M, V>, to newValue: V) {}
  func setValue<V: PersistentModel>(forKey: KeyPath<M, V?>, to newValue: V?) {}
  func setValue<V, O>(forKey: KeyPath<M, V>, to newValue: V)
  where V: RelationshipCollection, O == V.PersistentElement {}
  func setValue<V, O>(forKey: KeyPath<M, V>, to newValue: V)
  where V: Encodable, V: RelationshipCollection, O == V.PersistentElement {}
  func getTransformableValue<V>(forKey: KeyPath<M, V>) -> V { none() }
  func setTransformableValue<V>(forKey: KeyPath<M, V>, to newValue: V) {}
}

enum Kind: String, Codable, CaseIterable, ColumnValue {
  case work, home, other
  static var placeholder: Kind { .work }
  var title: String { rawValue.uppercased() }
}

enum Level: Int, Codable, ColumnValue, Comparable {
  case low = 1
  case high = 2
  static var placeholder: Level { .low }
  /// The reverse order of the raw values, which SQL must respect.
  static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue > rhs.rawValue }
}

struct Address: Codable, Hashable, ColumnValue {
  var city: String
  static var placeholder: Address { Address(city: "") }
}

final class Item: PlainModel, PersistentModel {
  var name = ""
  var note: String?
  var count = 0
  var small: Int8 = 0
  var big: UInt64 = 0
  var optCount: Int?
  var flag = false
  var optFlag: Bool?
  var size = 0.0
  var optSize: Double?
  var ratio: Float = 0
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var optDate: Date?
  var price: Decimal = 0
  var optPrice: Decimal?
  var uid = UUID()
  var optUID: UUID?
  var link: URL?
  var data = Data()
  var letter: Character = " "
  var kind = Kind.work
  var optKind: Kind?
  var level = Level.low
  var tags: [String] = []
  var address = Address(city: "")
  var photo: Data?
  var group: Group?
  var owner = Owner()
  var parts: [Part] = []
  var labels: [Label] = []
  var optParts: [Extra]? = []
  /// A transient property.
  var scratch = 0

  init() { super.init(Self._$definition) }
  init(backingData: any BackingData<Item>) { super.init(Self._$definition) }

  static let _$definition = ModelDefinition(PlainSnapshot<Item>.self, name: "Item", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "name", keypath: \Item.name), .init(name: "note", keypath: \Item.note),
      .init(name: "count", keypath: \Item.count), .init(name: "small", keypath: \Item.small),
      .init(name: "big", keypath: \Item.big), .init(name: "optCount", keypath: \Item.optCount),
      .init(name: "flag", keypath: \Item.flag), .init(name: "optFlag", keypath: \Item.optFlag),
      .init(name: "size", keypath: \Item.size), .init(name: "optSize", keypath: \Item.optSize),
      .init(name: "ratio", keypath: \Item.ratio), .init(name: "date", keypath: \Item.date),
      .init(name: "optDate", keypath: \Item.optDate), .init(name: "price", keypath: \Item.price),
      .init(name: "optPrice", keypath: \Item.optPrice), .init(name: "uid", keypath: \Item.uid),
      .init(name: "optUID", keypath: \Item.optUID), .init(name: "link", keypath: \Item.link),
      .init(name: "data", keypath: \Item.data), .init(name: "letter", keypath: \Item.letter),
      .init(name: "kind", keypath: \Item.kind), .init(name: "optKind", keypath: \Item.optKind),
      .init(name: "level", keypath: \Item.level), .init(name: "tags", keypath: \Item.tags),
      .init(name: "address", keypath: \Item.address),
      .init(
        name: "photo", keypath: \Item.photo, metadata: Schema.Attribute(.externalStorage)),
      .init(name: "group", keypath: \Item.group), .init(name: "owner", keypath: \Item.owner),
      .init(name: "parts", keypath: \Item.parts), .init(name: "labels", keypath: \Item.labels),
      .init(name: "optParts", keypath: \Item.optParts),
    ]
  }
}

final class Group: PlainModel, PersistentModel {
  /// A declared `id` property, as many models have.
  var id = 0
  var title = ""
  var rank: Int?
  var flag = false
  var parent: Group?
  var items: [Item] = []

  init() { super.init(Self._$definition) }
  init(backingData: any BackingData<Group>) { super.init(Self._$definition) }

  static let _$definition = ModelDefinition(PlainSnapshot<Group>.self, name: "Group", codec: 1)
  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "id", keypath: \Group.id, metadata: Schema.Attribute(.unique)),
      .init(name: "title", keypath: \Group.title, chain: \Group?.?.title),
      .init(name: "rank", keypath: \Group.rank, chain: \Group?.?.rank), .init(name: "flag", keypath: \Group.flag),
      .init(name: "parent", keypath: \Group.parent, chain: \Group?.?.parent),
      .init(name: "items", keypath: \Group.items),
    ]
  }
}

final class Owner: PlainModel, PersistentModel {
  var name = ""
  var code: String?
  var best: Group?

  init() { super.init(Self._$definition) }
  init(backingData: any BackingData<Owner>) { super.init(Self._$definition) }

  static let _$definition = ModelDefinition(PlainSnapshot<Owner>.self, name: "Owner", codec: 1)
  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "name", keypath: \Owner.name), .init(name: "code", keypath: \Owner.code),
      .init(name: "best", keypath: \Owner.best),
    ]
  }
}

final class Part: PlainModel, PersistentModel {
  var title = ""
  var weight: Int?
  var item: Item?
  var maker: Owner?

  init() { super.init(Self._$definition) }
  init(backingData: any BackingData<Part>) { super.init(Self._$definition) }

  static let _$definition = ModelDefinition(PlainSnapshot<Part>.self, name: "Part", codec: 1)
  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "title", keypath: \Part.title), .init(name: "weight", keypath: \Part.weight),
      .init(name: "item", keypath: \Part.item), .init(name: "maker", keypath: \Part.maker),
    ]
  }
}

final class Extra: PlainModel, PersistentModel {
  var amount = 0
  var item: Item?

  init() { super.init(Self._$definition) }
  init(backingData: any BackingData<Extra>) { super.init(Self._$definition) }

  static let _$definition = ModelDefinition(PlainSnapshot<Extra>.self, name: "Extra", codec: 1)
  static var schemaMetadata: [Schema.PropertyMetadata] {
    [.init(name: "amount", keypath: \Extra.amount), .init(name: "item", keypath: \Extra.item)]
  }
}

final class Label: PlainModel, PersistentModel {
  var text = ""

  init() { super.init(Self._$definition) }
  init(backingData: any BackingData<Label>) { super.init(Self._$definition) }

  static let _$definition = ModelDefinition(PlainSnapshot<Label>.self, name: "Label", codec: 1)
  static var schemaMetadata: [Schema.PropertyMetadata] {
    [.init(name: "text", keypath: \Label.text)]
  }
}

class Vehicle: PlainModel, PersistentModel {
  var wheels = 0

  init() { super.init(Self._$definition) }
  required init(backingData: any BackingData<Vehicle>) { super.init(Self._$definition) }
  init(_ definition: ModelDefinition, wheels: Int) {
    super.init(definition)
    self.wheels = wheels
  }

  class var _$definition: ModelDefinition { own }
  private static let own = ModelDefinition(
    PlainSnapshot<Vehicle>.self, name: "Vehicle", codec: 1)
  class var schemaMetadata: [Schema.PropertyMetadata] {
    [.init(name: "wheels", keypath: \Vehicle.wheels)]
  }
}

final class Car: Vehicle {
  var doors = 0

  override class var _$definition: ModelDefinition { own }
  private static let own = ModelDefinition(
    PlainSnapshot<Car>.self, name: "Car", superentity: "Vehicle", codec: 1)
  override class var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "wheels", keypath: \Car.wheels), .init(name: "doors", keypath: \Car.doors),
    ]
  }
}
