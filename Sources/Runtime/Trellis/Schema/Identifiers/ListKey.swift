/// A to-many relationship of one model.
struct ListKey: Hashable {
  var owner: PersistentIdentifier
  var slot: Int
}
