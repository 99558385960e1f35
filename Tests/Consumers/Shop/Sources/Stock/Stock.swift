package import Trellis

extension Shelf {
  package var key: PersistentIdentifier { persistentModelID }
}
