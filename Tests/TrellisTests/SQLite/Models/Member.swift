import Foundation

@testable import Trellis
@testable import TrellisModel

/// A model with one constraint for each policy, and a property with the name of the key column.
final class Member: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var id: Int {
    get { _$values.id }
    set { _$values.id = newValue }
  }
  var email: String {
    get { _$values.email }
    set { _$values.email = newValue }
  }
  var code: String? {
    get { _$values.code }
    set { _$values.code = newValue }
  }
  var badge: Int? {
    get { _$values.badge }
    set { _$values.badge = newValue }
  }
  var pinned: Int? {
    get { _$values.pinned }
    set { _$values.pinned = newValue }
  }
  var first: String {
    get { _$values.first }
    set { _$values.first = newValue }
  }
  var last: String {
    get { _$values.last }
    set { _$values.last = newValue }
  }
  var boss: Member? { _$toOne(7, \Member.boss) }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<Member>) {
    _$values = Member._$definition.values(of: backingData)
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(Snapshot.self, name: "Member", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "id", keypath: \Member.id, defaultValue: (0 as Int)),
      .init(name: "email", keypath: \Member.email, defaultValue: ("" as String)),
      .init(name: "code", keypath: \Member.code),
      .init(name: "badge", keypath: \Member.badge),
      .init(name: "pinned", keypath: \Member.pinned),
      .init(name: "first", keypath: \Member.first, defaultValue: ("" as String)),
      .init(name: "last", keypath: \Member.last, defaultValue: ("" as String)),
      .init(name: "boss", keypath: \Member.boss, metadata: Schema.Relationship(.unidirectional)),
      .init(constraint: Schema.Unique<Member>([\.email])),
      .init(constraint: Schema.Unique<Member>([\.badge], onConflict: .fail)),
      .init(constraint: Schema.Unique<Member>([\.pinned], onConflict: .keep)),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = Member
    var persistentIdentifier = Member._$definition.temporaryIdentifier()
    var id: Int = 0
    var email: String = ""
    var code: String? = nil
    var badge: Int? = nil
    var pinned: Int? = nil
    var first: String = ""
    var last: String = ""
    var boss: PersistentIdentifier?

    init() {}
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      id = try row.value(0)
      email = try row.value(1)
      code = try row.value(2)
      badge = try row.value(3)
      pinned = try row.value(4)
      first = try row.value(5)
      last = try row.value(6)
      boss = row.reference(7)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, id)
      try row.value(1, email)
      try row.value(2, code)
      try row.value(3, badge)
      try row.value(4, pinned)
      try row.value(5, first)
      try row.value(6, last)
      try row.reference(7, boss)
    }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: Member) { self = model._$values }
    func makeModel() -> Member { Member(_$values: self) }
    func restore(_ model: Member) { model._$values = self }
    func reference(_ slot: Int) -> PersistentIdentifier? {
      switch slot {
      case 7: boss
      default: nil
      }
    }
    mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {
      switch slot {
      case 7: boss = identifier
      default: break
      }
    }
  }
}
